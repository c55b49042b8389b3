/** Notices of bookings. */
import { notGiven } from '#base/values/not-given.ts';
import type { BookingEventPayload } from '#product/bookings/events.ts';
import { jobFacts, jobOf } from '#product/bookings/job.ts';
import { manageCodes, managePath } from '#product/bookings/manage-link/codes.ts';
import {
  type BookingVariables,
  bookingVariables,
  callersText,
} from '#product/bookings/template-variables.ts';
import type { Subject } from '../subject.ts';
import { invitation } from './invitation.ts';
import { bookingReads, type PresentBooking } from './store.ts';
import { bookingTexts } from './texts.ts';

/** The details of the job, for those who do it. */
const desksFacts = ({ booking }: BookingEventPayload) =>
  jobFacts(jobOf(booking)).map(([label, text]) => [label, callersText('email', text)] as const);

export const bookingSubject: Subject<BookingEventPayload, BookingVariables, PresentBooking> = {
  name: 'booking',
  kind: 'bookingNotice',
  about: { customer: 'your booking', workshop: 'its bookings' },
  texts: bookingTexts,
  reads: bookingReads,
  recordOf: ({ booking: { id, customerId, customer } }) => ({
    ...{ id, customerId, customerPhone: customer.phone },
    bookingId: id,
  }),
  variables: ({ payload: { booking, previousDate = null }, workshop }, channel) =>
    bookingVariables(booking, workshop, channel, previousDate),
  // A booking that is made confirmed is told once, as confirmed.
  toldAs: ({ kind, payload }) =>
    kind === 'booking.created' && payload.booking.status === 'confirmed' ? 'booking.confirmed' : null,
  deskPath: ({ booking: { code } }, slug) => `/console/w/${slug}/bookings/${code}`,
  smsLink: {
    label: 'Your booking',
    async paths(tx, bookingIds) {
      const codes = await manageCodes(tx, bookingIds);
      return new Map([...codes].map(([id, code]) => [id, managePath(code)]));
    },
  },
  email({ present: { manageCode }, payload }, { booking, car, workshop, customer }, { audience, publicUrl }) {
    // The workshop sees "not given" for missing details, so that it can ask for them.
    const told = (value: string) => value || (audience === 'workshop' ? notGiven : '');
    const hasPage = publicUrl !== null && manageCode !== null;
    return {
      preview: [booking.dateTime, car.rego, booking.code].filter(Boolean).join(', '),
      action: hasPage ? { label: 'See your booking', url: publicUrl + managePath(manageCode) } : null,
      facts: [
        ['When', booking.dateTime],
        ['Before', booking.previousDateTime],
        ['Pick-up', booking.pickupTime],
        ['Car', [told(car.rego), car.description].filter(Boolean).join(', ')],
        ['Services', booking.services],
        ...(audience === 'workshop'
          ? desksFacts(payload)
          : [['Package', booking.servicePackageType] as const]),
        ['Name', told(customer.name)],
        ['Phone', told(customer.phone)],
        ['Notes', booking.notes],
        ['Reason', booking.cancelReason],
        ['Workshop', workshop.name],
        ['Booking code', booking.code],
        ['Address', audience === 'customer' ? workshop.address : ''],
      ],
    };
  },
  // A workshop gets no notice when a booking moves, so an entry in its calendar would keep the old date.
  invitation,
};
