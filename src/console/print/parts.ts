/** Parts of both sheets, the day and the week's list. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate, localDateTime, localTime } from '#base/values/local-time.ts';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { textShown } from '../frame/masked.ts';
import type { SheetDay } from './sheet.ts';

type Sees = Parameters<typeof textShown>[1];

export const dateOf = ({ plan: { day } }: SheetDay): string => localDate(new Date(day.start), day.timezone);

/** `open 08:00 to 17:00`, with the name of a special day, such as a holiday. */
export function hoursOf({ plan }: SheetDay): string {
  const hours = plan.open ? `open ${plan.openingTime} to ${plan.closingTime}` : 'closed';
  return [hours, plan.note].filter(Boolean).join(' · ');
}

/** The start time; with the date, if it began on an earlier day. */
export function timeOf({ date }: DayBooking, { plan: { day } }: SheetDay): string {
  return date.getTime() < day.start
    ? `since ${localDateTime(date, day.timezone)}`
    : localTime(date, day.timezone);
}

export function pickupOf({ pickupTime }: DayBooking, { plan: { day } }: SheetDay): string {
  if (pickupTime === null) return '';
  const isThatDay = pickupTime.getTime() >= day.start && pickupTime.getTime() < day.end;
  return (isThatDay ? localTime : localDateTime)(pickupTime, day.timezone);
}

/** The day's note and closed bays. */
export function notesOf({ note, blocks, plan: { day } }: SheetDay, sees: Sees): SafeHtml {
  const at = (instant: Date) =>
    (instant.getTime() >= day.start && instant.getTime() <= day.end ? localTime : localDateTime)(
      instant,
      day.timezone,
    );
  return html`${note === null || note.text === '' ? null : html`<p class="message stays"><strong>Note:</strong> ${textShown(note.text, sees)}</p>`}${blocks.map(
    ({ bays, reason, from, until }) =>
      html`<p class="stays"><strong>${bays === null ? 'All bays' : bays === 1 ? 'A bay' : `${bays} bays`} closed</strong> ${at(from)} – ${at(until)}: ${textShown(reason, sees)}</p>`,
  )}`;
}
