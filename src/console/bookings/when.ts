/** The time of a booking in a form: date and time in the workshop's zone, free times, and the conflicts of a chosen time. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { InvalidInput } from '#base/operator-error.ts';
import {
  clockFault,
  formatLocalTime,
  localDateTime,
  localTime,
  parseLocalTime,
} from '#base/values/local-time.ts';
import { typedClockFault } from '#base/values/typed-time.ts';
import { field, select } from '#platform/pages/components.ts';
import type { Form } from '#platform/pages/form.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import type { Conflict } from '#product/bookings/staff/conflict.ts';
import { faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';

/** The values of the fields `date` and `time`. */
export interface When {
  /** `YYYY-MM-DD`; empty: not chosen. */
  readonly date: string;
  /** `HH:MM`; empty: not chosen. */
  readonly time: string;
  /** Which of two equal clock times is meant, when that is known. */
  readonly which?: Which;
}

type Which = 'first' | 'second';

/** The names of a time's fields. */
interface Names {
  readonly date: string;
  readonly time: string;
  readonly which: string;
}
const whenNames: Names = { date: 'date', time: 'time', which: 'which' };
const pickupNames: Names = { date: 'pickupDate', time: 'pickupTime', which: 'pickupWhich' };

/** An instant as values of the two fields. */
export function whenAt(instant: Date, timezone: string): When {
  const [date = '', time = ''] = formatLocalTime(instant, timezone).split(' ');
  const local = `${date} ${time}`;
  if (clockFault(local, timezone) !== 'twice') return { date, time };
  const isFirst = parseLocalTime(local, timezone)?.getTime() === instant.getTime();
  return { date, time, which: isFirst ? 'first' : 'second' };
}

/** The typed fields; the choice between two equal clock times counts only while there are two. */
export function whenTyped(
  {
    date,
    time,
    which,
  }: { readonly date: string; readonly time: string; readonly which?: string | undefined },
  timezone: string,
  now: Date,
): When {
  const isTwice = typedClockFault(`${date} ${time}`, timezone, now) === 'twice';
  return isTwice && (which === 'first' || which === 'second') ? { date, time, which } : { date, time };
}

/** The typed time for the verbs: an instant that was chosen from a list wins over the fields. */
export const typedWhen = (form: Form): string =>
  form['at'] || [form['date'], form['time'], form['which']].filter(Boolean).join(' ');

export function whenFields(
  { date, time, which }: When,
  refused: Refused | null,
  /** False: the form can be sent without a time. */
  required = true,
  its: Names = whenNames,
): SafeHtml {
  const error = faultOf(refused, its.time);
  return html`<div class="pair">${field({ name: its.date, label: 'Date', type: 'date', value: date, required, isUnmarked: true })}${field({ name: its.time, label: 'Time', type: 'time', value: time, required, isUnmarked: true, error })}</div>${which ? whichField(time, which, its) : twice(refused, { date, time }, its)}`;
}

/** The group **Pick-up**, which may stay empty. */
export const pickupFields = (pickup: When, refused: Refused | null): SafeHtml =>
  html`<fieldset><legend>Pick-up</legend>${whenFields(pickup, refused, false, pickupNames)}</fieldset>`;

/** An instant, or none, as values of the group's fields. */
export function pickupShown(instant: Date | null, timezone: string): Form {
  const { date, time, which } =
    instant === null ? { date: '', time: '', which: '' } : whenAt(instant, timezone);
  return { pickupDate: date, pickupTime: time, ...(which && { pickupWhich: which }) };
}

/** The typed fields of the group. */
export const pickupTyped = (form: Form, timezone: string, now: Date): When =>
  whenTyped(
    { date: form['pickupDate'] ?? '', time: form['pickupTime'] ?? '', which: form['pickupWhich'] },
    timezone,
    now,
  );

/** The typed pick-up for the verbs; empty: none. A time without a date is on the booking's day (`YYYY-MM-DD`). Throws InvalidInput for a date without a time. */
export function typedPickup(form: Form, bookingsDay: string): string {
  const { pickupDate: date = '', pickupTime: time = '', pickupWhich: which = '' } = form;
  if (date !== '' && time === '')
    throw new InvalidInput([{ field: 'pickupTime', message: 'needs a time beside its date' }]);
  return time === '' ? '' : [date || bookingsDay, time, which].filter(Boolean).join(' ');
}

/** Clocks show the time twice, and one of the two is chosen. */
function whichField(time: string, which: Which, its: Names): SafeHtml {
  const options = [
    { value: 'first', label: `The first ${time}` },
    { value: 'second', label: `The second ${time}` },
  ];
  const label = 'Clocks go back: which of the two';
  return select({ name: its.which, label, value: which, isUnmarked: true, options });
}

/** Clocks that are set back show some times twice: which one is meant? */
function twice(refused: Refused | null, { date, time }: When, its: Names): SafeHtml | null {
  const isDoubled = refused?.faults.some(
    (each) => each.field === its.time && 'code' in each && each.code === 'doubledTime',
  );
  if (!isDoubled || refused === null) return null;
  return html`<p class="buttons"><button class="button quiet" name="${its.which}" value="first">The first ${time} of ${date}</button><button class="button quiet" name="${its.which}" value="second">The second</button></p>`;
}

/** Why a time is not free, with other times as buttons, and **Book anyway** for people with that permission. */
export function conflictFields(refused: Refused | null, timezone: string, reason: string): SafeHtml | null {
  if (refused === null || !isConflict(refused)) return null;
  const times = refused.alternatives.map(
    (time) =>
      html`<button class="button quiet" name="at" value="${time}">${localDateTime(new Date(time), timezone)}</button>`,
  );
  return html`<div class="card conflict">${times.length > 0 ? html`<p>Free instead:</p><p class="buttons">${times}</p>` : null}
${field({ name: 'reason', label: 'Reason', value: reason, isUnmarked: true, hint: 'Why it is wanted all the same: 3 to 255 characters, for your colleagues.', error: faultOf(refused, 'reason') })}
<p class="buttons"><button class="button danger" name="anyway" value="yes">Book anyway</button></p></div>`;
}

/** True when the time was refused, or the reason for booking anyway was. */
export const isConflict = ({ error, faults }: Refused): boolean =>
  ('errorCode' in error && error.errorCode === '060003') || faults.some((fault) => fault.field === 'reason');

/** The reason for booking anyway; null: not requested. */
export const anywayOf = (form: Form): string | null =>
  form['anyway'] === 'yes' ? (form['reason'] ?? '') : null;

/** The word for the action of a form that goes on despite an objection to its time. */
export const doneInWords = { booked: 'booked', moved: 'moved', changed: 'saved' } as const;

/** Attributes of what surrounds the fields of services: they refresh the message about the time, and nothing else. */
export const timeSaidFollows = (path: string): SafeHtml =>
  html` id="services" hx-get="${path}" hx-trigger="change" hx-include="#services :is(input, select)" hx-target="#time-said" hx-select="#time-said" hx-swap="outerMorph ignoreTitle:true" hx-sync="this:replace"`;

/**
 * Attributes that refresh the free times, the message about the time, and the text preview when the choice in the form changes. The request only reads, and
 * leaves key, version and long texts out: an address has an end.
 */
export const freeTimesFollow = (path: string): SafeHtml =>
  html` hx-get="${path}" hx-trigger="change" hx-include="#booking :is(input, select):not([name=key], [name=version])" hx-target="#free" hx-select="#free" hx-select-oob="#told-new, #told-move, #time-said, #known:outerMorph" hx-swap="outerMorph ignoreTitle:true" hx-sync="this:replace"`;

/** Says before the change what is against the time. */
export function timeSaid({ against, done }: SaidTime): SafeHtml | null {
  if (against === null) return null;
  const way = against.isEnforced
    ? `It is ${doneInWords[done]} with “Book anyway” alone, and a reason.`
    : `It can be ${doneInWords[done]} all the same.`;
  return html`<p class="notice">${against.said}. ${way}</p>`;
}

interface SaidTime {
  /** Null: nothing is known against it. */
  readonly against: Conflict | null;
  readonly done: keyof typeof doneInWords;
}

/** The same above the preview of the text. */
export const timeSaidInForm = (said: SaidTime): SafeHtml => html`<div id="time-said">${timeSaid(said)}</div>`;

/** The free times of a day, as buttons that fill the form in. */
export function freeTimesOf(
  days: readonly AvailabilityDay[],
  action: string,
  timezone: string,
  /** Absent: a time that is not free is refused anyway. */
  said?: SaidTime,
): SafeHtml {
  const slots = days.flatMap((day) => day.slots);
  return html`<section class="card" id="free"><h2>Free times</h2>${said ? timeSaid(said) : null}${
    slots.length === 0
      ? html`<p class="quiet">None on this day.</p>`
      : html`<p class="buttons times">${slots.map(({ time }) => html`<button class="button quiet" form="booking" formmethod="get" formaction="${action}" formnovalidate name="at" value="${time}"${ofFields(new Date(time), timezone)}>${localTime(new Date(time), timezone)}</button>`)}</p>`
  }</section>`;
}

/** The values of the fields, for `known.mjs`; a time that clocks show twice has none. */
function ofFields(instant: Date, timezone: string): SafeHtml | null {
  const { date, time, which } = whenAt(instant, timezone);
  return which === undefined ? html` data-date="${date}" data-time="${time}"` : null;
}
