/** /b/{code}: a booking, as whoever has its link sees it: without phone, e-mail, name and notes. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Booking, BookingStatus } from '#bookings/schema.ts';
import { buttons, facts, linkButton, type NoticeKind, notice } from '#pages/components.ts';
import { addressLink } from '#pages/footer.ts';
import type { Page } from '#pages/layout.ts';
import { localDateTime } from '#values/local-time.ts';
import type { PageWorkshop } from '../store.ts';
import { timesNote } from '../times-note.ts';

export interface ShownBooking {
  /** Of the link. */
  readonly code: string;
  readonly booking: Booking;
  readonly shop: PageWorkshop;
}

const statusTexts: Readonly<Record<BookingStatus, readonly [kind: NoticeKind, text: string]>> = {
  pending: ['info', 'Received. The workshop will confirm it.'],
  confirmed: ['good', 'Confirmed. See you then.'],
  completed: ['good', 'Done. Thank you for coming.'],
  cancelled: ['bad', 'Cancelled.'],
};

/** What can be said of a booking without saying whose it is. */
export function bookingFacts({ booking, shop }: Pick<ShownBooking, 'booking' | 'shop'>): SafeHtml {
  const { date, pickupTime, services, car, code } = booking;
  const at = (instant: string) => localDateTime(new Date(instant), shop.timezone);
  const wanted = services.map(({ title, catalogCode }) => title ?? catalogCode ?? '').filter(Boolean);
  return facts([
    ['When', at(date)],
    ['Pick-up', pickupTime === null ? null : at(pickupTime)],
    ['Work', wanted.join(', ')],
    ['Car', car.rego],
    ['Where', shop.address && addressLink(shop.address)],
    ['Code', html`<span class="code">${code}</span>`],
  ]);
}

/** `stale`: what the visitor sent was about an earlier version, and was not done. */
export type Done = 'booked' | 'moved' | 'cancelled' | 'stale';

const doneTexts: Readonly<Record<Done, string>> = {
  booked: 'Thank you, your booking is in.',
  moved: 'Your booking has moved.',
  cancelled: 'Your booking is cancelled.',
  stale: 'Your booking was just changed.',
};

export const isDone = (text: string | undefined): text is Done =>
  text !== undefined && Object.hasOwn(doneTexts, text);

/** `done`: what the visitor has just done. */
export function bookingPage(of: ShownBooking, mayChange: boolean, done: Done | null): Page {
  const { code, booking, shop } = of;
  const [kind, status] = statusTexts[booking.status];
  const isOn = booking.status === 'pending' || booking.status === 'confirmed';
  return {
    title: 'Your booking',
    shop,
    note: timesNote(shop),
    main: html`${done === 'booked' || done === 'moved' ? html`<span class="tick" aria-hidden="true">✓</span>` : null}
<h1>${done === null ? 'Your booking' : doneTexts[done]}</h1>
${done === 'cancelled' ? null : notice(kind, html`<p>${status}${booking.cancelReason ? ` ${booking.cancelReason}` : ''}</p>`)}
${done === 'stale' ? html`<p>What you sent came after that, and was not done. This is how it is now.</p>` : null}
${bookingFacts(of)}
${done === 'booked' ? html`<p>Keep the code: with it and your phone number you find your booking again.</p>` : null}
${
  isOn
    ? buttons(
        linkButton('Add to calendar', `/b/${code}/booking.ics`, done === 'booked' ? 'primary' : 'quiet'),
        mayChange ? linkButton('Move it', `/b/${code}/move`, 'quiet') : null,
        mayChange ? linkButton('Cancel it', `/b/${code}/cancel`, 'danger') : null,
      )
    : null
}
${isOn && !mayChange ? html`<p class="quiet">To change it, please call the workshop.</p>` : null}`,
  };
}
