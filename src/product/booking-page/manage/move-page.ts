/** /b/{code}/move: another day and time for a booking, and then the confirmation. */
import { html } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { buttons, linkButton } from '#platform/pages/components.ts';
import type { Page } from '#platform/pages/layout.ts';
import { question } from '#platform/pages/question.ts';
import type { PickerChoice } from '#platform/pages/time-picker.ts';
import { type Alternatives, chooseTime, type FreeTimes } from '#product/customer-pages/free-times.ts';
import { timesNote } from '#product/customer-pages/times-note.ts';
import { bookingFacts } from './booking-page.ts';
import type { OpenedBooking } from './open.ts';

/** `taken`: why the visitor is back. A link without a choice leads to the next free time (`soonest`), not to the booking's own day. */
export function movePage(opened: OpenedBooking, times: FreeTimes, taken: Alternatives | null): Page {
  const { shop, code } = opened;
  const hrefOf = (choice: Partial<PickerChoice>) => {
    const query = Object.keys(choice).length === 0 ? { soonest: 'yes' } : { ...choice };
    return `/b/${code}/move?${new URLSearchParams(query)}`;
  };
  return {
    title: 'Move your booking',
    isRefusal: taken !== null,
    shop,
    aside: bookingFacts(opened),
    note: timesNote(shop),
    main: html`<h1>When would suit you better?</h1>
${chooseTime(times, shop, taken, hrefOf)}
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
${question({
  action: `/b/${code}/move`,
  sent: { time, version },
  yes: 'Move it',
  no: { label: 'Choose another time', href: `/b/${code}/move` },
})}`,
  };
}
