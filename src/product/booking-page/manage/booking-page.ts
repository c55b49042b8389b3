/** /b/{code}: a booking for anybody who has its link: without phone, e-mail, name and notes. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { carOnPage } from '#base/values/car-text.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { notGiven } from '#base/values/not-given.ts';
import { asSentence } from '#base/values/sentence.ts';
import { buttons, facts, linkButton, type NoticeKind, notice } from '#platform/pages/components.ts';
import { addressLink } from '#platform/pages/footer.ts';
import type { Page } from '#platform/pages/layout.ts';
import { lookUpPath } from '#platform/pages/shop.ts';
import type { AnyBooking, BookingStatus } from '#product/bookings/schema.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import type { PageWorkshop } from '#product/customer-pages/store.ts';
import { timesNote } from '#product/customer-pages/times-note.ts';
import type { OpenedBooking } from './open.ts';

export interface ShownBooking {
  /** The code of the link. */
  readonly code: string;
  readonly booking: AnyBooking;
  readonly shop: PageWorkshop;
}

const statusTexts: Readonly<Record<BookingStatus, readonly [kind: NoticeKind, text: string]>> = {
  pending: ['info', 'Received. The workshop will confirm it.'],
  confirmed: ['good', 'Confirmed. See you then.'],
  completed: ['good', 'Done. Thank you for coming.'],
  cancelled: ['bad', 'Cancelled.'],
};

/** The facts of a booking without personal data. */
export function bookingFacts({ booking, shop }: Pick<ShownBooking, 'booking' | 'shop'>): SafeHtml {
  const { date, pickupTime, services, car, code } = booking;
  const at = (instant: string) => localDateTime(new Date(instant), shop.timezone);
  return facts([
    ['When', at(date)],
    ['Pick-up', pickupTime === null ? null : at(pickupTime)],
    ['Work', titlesOf(services).join(', ')],
    ['Car', carOnPage(car) || notGiven],
    ['Where', shop.address && addressLink(shop.address)],
    ['Code', html`<span class="code">${code}</span>`],
  ]);
}

/** `stale`: the visitor's change was about an earlier version, and was not made. */
export type Done = 'booked' | 'moved' | 'cancelled' | 'stale';

const doneTexts: Readonly<Record<Done, string>> = {
  booked: 'Thank you, your booking is in.',
  moved: 'Your booking has moved.',
  cancelled: 'Your booking is cancelled.',
  stale: 'Your booking was just changed.',
};

export const isDone = (text: string | undefined): text is Done =>
  text !== undefined && Object.hasOwn(doneTexts, text);

/** True while the booking is pending or confirmed. */
export const isOn = ({ status }: Pick<AnyBooking, 'status'>) =>
  status === 'pending' || status === 'confirmed';

/** Below the heading that says what was just done. */
const pendingTexts: Readonly<Partial<Record<Done, string>>> = {
  booked: 'The workshop will confirm it.',
  moved: 'The workshop will confirm the new time.',
};

/** `done`: the visitor's last action; `again`: the path for booking again after a finished booking. */
export function bookingPage(of: OpenedBooking, done: Done | null, again: string | null): Page {
  const { code, booking, shop, mayChange } = of;
  const [kind, usual] = statusTexts[booking.status];
  const status = (booking.status === 'pending' && done !== null && pendingTexts[done]) || usual;
  return {
    title: 'Your booking',
    state: [of.version, mayChange].join(' '),
    shop,
    note: timesNote(shop),
    main: html`${done === 'booked' || done === 'moved' ? html`<span class="tick" aria-hidden="true">✓</span>` : null}
<h1>${done === null ? 'Your booking' : doneTexts[done]}</h1>
${done === 'cancelled' ? null : notice(kind, html`<p>${status}${booking.cancelReason ? ` ${asSentence(booking.cancelReason)}` : ''}</p>`)}
${done === 'stale' ? html`<p>What you sent came after that, and was not done. This is how it is now.</p>` : null}
${bookingFacts(of)}
${done === 'booked' ? html`<p>Keep the code: with it and your phone number you <a href="${lookUpPath(shop)}">find your booking</a> again.</p>` : null}
${
  isOn(booking)
    ? buttons(
        linkButton('Add to calendar', `/b/${code}/booking.ics`, done === 'booked' ? 'primary' : 'quiet'),
        mayChange ? linkButton('Move it', `/b/${code}/move`, 'quiet') : null,
        mayChange ? linkButton('Cancel it', `/b/${code}/cancel`, 'danger') : null,
      )
    : again === null
      ? null
      : buttons(linkButton(booking.status === 'completed' ? 'Book again' : 'Book another time', again))
}
${isOn(booking) && !mayChange ? html`<p class="quiet">To change it, please call the workshop.</p>` : null}`,
  };
}
