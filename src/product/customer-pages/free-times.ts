/** The choice of a free time on a page: the month's days, the picker, and the notice that a time is taken. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays, dateAt } from '#base/values/local-day.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { focused } from '#platform/pages/components.ts';
import { type Form, readDate } from '#platform/pages/form.ts';
import { type Bookable, isFreeOn, readMonth } from '#platform/pages/month.ts';
import { type PickerChoice, timePicker } from '#platform/pages/time-picker.ts';
import { placeRefusalIn } from '#product/availability/places/refuse.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import type { PageWorkshop } from './store.ts';

type Zoned = Pick<PageWorkshop, 'timezone'>;

/** Reads the workshop's days from one date to another, both included. */
export type ReadDays = (from: string, to: string) => Promise<readonly AvailabilityDay[]>;

/** The month and the day that the visitor has requested. */
export interface Asked {
  readonly from: string | undefined;
  readonly day: string | undefined;
}

export const askedOf = (choice: Form): Asked => ({
  from: readDate(choice['from']),
  day: readDate(choice['day']),
});

export interface FreeTimes extends Bookable, Asked {
  readonly days: readonly AvailabilityDay[];
}

/** The requested month; without a request, the first month from today with a free time. */
export async function readFreeTimes(
  { timezone, horizonDays }: Pick<PageWorkshop, 'timezone' | 'horizonDays'>,
  now: Date,
  { from, day }: Asked,
  read: ReadDays,
): Promise<FreeTimes> {
  const today = dateAt(now.getTime(), timezone);
  const bookable = { today, lastDate: addDays(today, horizonDays) };
  return { ...bookable, from, day, days: await readMonth(from ?? day, bookable, read) };
}

/** The day of a time; null if the time is not free. */
export async function dayOfFreeTime(
  { timezone }: Zoned,
  time: Date,
  read: ReadDays,
): Promise<AvailabilityDay | null> {
  const date = dateAt(time.getTime(), timezone);
  const [day] = await read(date, date);
  return day !== undefined && isFreeOn(day, time) ? day : null;
}

/** Free times instead of a taken one: instants in the API's form. */
export type Alternatives = readonly string[];

/** The alternatives of the refusal 060003 (no free place); null for another error. */
export function alternativesOf(error: unknown): Alternatives | null {
  return placeRefusalIn(error)?.alternatives ?? null;
}

/** The picker. `taken`: the visitor's time was taken since. */
export function chooseTime(
  { from, day, ...shown }: FreeTimes,
  { timezone }: Zoned,
  taken: Alternatives | null,
  hrefOf: (choice: Partial<PickerChoice>) => string,
): SafeHtml {
  const isAsked = (from ?? day) !== undefined;
  return html`${taken && takenNotice(taken, timezone, (time) => hrefOf({ time }))}
${timePicker({ ...shown, timezone, day, isAsked, hrefOf })}`;
}

function takenNotice(
  alternatives: Alternatives,
  timezone: string,
  hrefOf: (time: string) => string,
): SafeHtml {
  const links = alternatives.map(
    (time) =>
      html`<li><a href="${hrefOf(time)}" data-swap>${localDateTime(new Date(time), timezone)}</a></li>`,
  );
  return focused(
    html`<p><strong>That time is not free any more.</strong> ${links.length > 0 ? 'These are:' : 'Please choose another.'}</p>${links.length > 0 ? html`<ul>${links}</ul>` : null}`,
  );
}
