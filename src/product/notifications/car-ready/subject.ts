/** The notice that the car of a booking is ready. It has its own kind of message. */
import type { CarReadyPayload } from '#product/bookings/events.ts';
import type { BookingVariables } from '#product/bookings/template-variables.ts';
import type { PresentBooking } from '../bookings/store.ts';
import { bookingSubject } from '../bookings/subject.ts';
import { signature } from '../phrases.ts';
import type { NoticeReads } from '../store.ts';
import type { DefaultTexts, Subject } from '../subject.ts';

export const carReadyTexts = {
  'bookingCarReady.customer.sms': {
    body: `${signature}: your car {{ car.rego }} is ready. Questions? Call {{ workshop.phone }}`,
  },
} as const satisfies DefaultTexts;

export const carReadySubject: Subject<CarReadyPayload, BookingVariables, PresentBooking> = {
  ...bookingSubject,
  kind: 'carReady',
  texts: carReadyTexts,
  // The same statements as for bookings: they read the payload as recorded.
  reads: bookingSubject.reads as NoticeReads<CarReadyPayload, PresentBooking>,
  ownWords: ({ message = null }) => message,
  isLinkless: true,
};
