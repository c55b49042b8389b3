/** /b/{code}/move: another day and time for a booking, and then the confirmation. */
import { html } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { button, buttons, hidden, linkButton } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import type { Bookable } from '#platform/pages/month.ts';
import { type PickerChoice, timePicker } from '#platform/pages/time-picker.ts';
import type { AvailabilityDay } from '#product/availability/schema.ts';
import { type Alternatives, takenNotice } from '../taken.ts';
import { timesNote } from '../times-note.ts';
import { bookingFacts } from './booking-page.ts';
import type { OpenedBooking } from './open.ts';

export interface MoveChoice extends Bookable {
  readonly days: readonly AvailabilityDay[];
  /** The month and the day that the visitor has requested. */
  readonly from: string | undefined;
  readonly day: string | undefined;
  /** The visitor's time was taken since; null: it was not. */
  readonly taken: Alternatives | null;
}

export function movePage(opened: OpenedBooking, { from, day, taken, ...shown }: MoveChoice): Page {
  const { shop, code } = opened;
  const hrefOf = (choice: Partial<PickerChoice>) =>
    `/b/${code}/move?${new URLSearchParams(choice as Record<string, string>)}`;
  return {
    title: 'Move your booking',
    isRefusal: taken !== null,
    shop,
    aside: bookingFacts(opened),
    note: timesNote(shop),
    main: html`<h1>When would suit you better?</h1>
${taken ? takenNotice(taken, shop.timezone, (time) => hrefOf({ time })) : null}
${timePicker({ ...shown, timezone: shop.timezone, day, isAsked: (from ?? day) !== undefined, hrefOf })}
${buttons(linkButton('Keep it as it is', `/b/${code}`, 'quiet'))}`,
  };
}

export function moveQuestion(opened: OpenedBooking, time: Date): Page {
  const { shop, code, booking, version } = opened;
  const at = (instant: Date) => localDateTime(instant, shop.timezone);
  return {
    title: 'Move your booking',
    shop,
    note: timesNote(shop),
    main: html`<h1>Move your booking?</h1>
<p>From <strong>${at(new Date(booking.date))}</strong><br>to <strong>${at(time)}</strong></p>
<form method="post" action="/b/${code}/move">
${hidden('time', time.toISOString())}${hidden('version', String(version))}
${buttons(button('Move it'), linkButton('Choose another time', `/b/${code}/move`, 'quiet'))}
</form>`,
  };
}
