/** Wire shapes of bookings (document, 2.1 to 2.4, 4.1, 4.2; decisions, section 4). */
import { type Static, Type } from 'typebox';
import type { ServiceCategory } from '#catalogue/categories.ts';
import { ServiceItem } from '#catalogue/item.ts';
import { anyText, email, instant, nullable, optional, out, phone, ref, text } from '#http/fields.ts';
import { exampleIds } from '#http/openapi-examples.ts';
import { pageQuery } from '#http/paging.ts';
import { partOf } from './field.ts';
import { carFields, createFields, updateFields } from './fields.ts';

export const bookingStatuses = ['pending', 'confirmed', 'completed', 'cancelled'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

const skipNotification = Type.Optional(
  Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'True: nobody is notified of this request.',
  }),
);

export const CreateBookingBody = Type.Object({
  workshopId: text({ description: 'The workshop, from GET /workshops.' }),
  carRego: text({
    max: 32,
    of: 'spaced',
    description: 'Registration; stored in upper case without white space.',
    examples: ['ABC123'],
  }),
  bookingTime: instant({ description: 'Date and time of the booking.' }),
  customerName: text({ examples: ['Sam Taylor'] }),
  customerPhone: phone({ description: "Any form that is valid in the workshop's country." }),
  customerEmail: email({ examples: ['sam@example.com'] }),
  ...partOf(createFields, 'body'),
  ...partOf(carFields, 'body'),
  reminderCode: optional(
    anyText({
      max: 32,
      description: 'The code of a service reminder of yours: the booking becomes its `newBookingId`.',
      examples: ['7K3M9QXW'],
    }),
  ),
  skipNotification,
});
export type CreateBookingBody = Static<typeof CreateBookingBody>;

export const UpdateBookingBody = Type.Object({
  date: Type.Optional(
    instant({ description: 'The new date and time; when it changes, the customer is notified.' }),
  ),
  carRego: Type.Optional(text({ max: 32, of: 'spaced', examples: ['ABC123'] })),
  customerName: Type.Optional(text({ examples: ['Sam Taylor'] })),
  customerPhone: Type.Optional(phone()),
  customerEmail: Type.Optional(email({ examples: ['sam@example.com'] })),
  ...partOf(updateFields, 'body'),
  skipNotification,
});
export type UpdateBookingBody = Static<typeof UpdateBookingBody>;

export const StatusBody = Type.Object({
  reason: optional(
    anyText({
      max: 500,
      of: 'lines',
      description:
        'Why it is cancelled: kept as `cancelReason`, and told to the customer. Not kept for other statuses.',
      examples: ['The part is not in stock'],
    }),
  ),
  skipNotification,
});
export type StatusBody = Static<typeof StatusBody>;

const statusOf = (description: string) =>
  Type.Unsafe<BookingStatus>({
    type: 'string',
    enum: [...bookingStatuses],
    description,
    examples: ['confirmed'],
  });

export const StatusPath = Type.Object({
  id: out.string({ description: "The booking's id.", examples: [exampleIds.booking] }),
  status: statusOf('The status that it gets.'),
});

export const ListBookingsQuery = Type.Object({
  workshopId: Type.Optional(anyText({ description: 'Of one workshop only.' })),
  status: Type.Optional(statusOf('In this status only.')),
  from: Type.Optional(instant({ description: 'With a `date` from this instant on.' })),
  to: Type.Optional(instant({ description: 'With a `date` before this instant.' })),
  externalId: Type.Optional(anyText({ description: 'With this reference of yours only.' })),
  updatedSince: Type.Optional(
    instant({
      description:
        'Bookings created or changed at this instant or later, as a feed: in the order in which the changes became visible. ' +
        'Its `nextCursor` is never null: keep it, and ask with it for what changed since.',
    }),
  ),
  ...pageQuery,
});

export const Car = Type.Object(
  {
    id: out.uuid(),
    customerId: out.uuid(),
    rego: out.string(),
    year: nullable(out.integer()),
    make: nullable(out.string()),
    model: nullable(out.string()),
    badge: nullable(out.string()),
    vin: nullable(out.string()),
  },
  { $id: 'Car' },
);

export const Customer = Type.Object(
  {
    id: out.uuid(),
    workshopId: out.uuid(),
    name: out.string(),
    firstName: nullable(out.string()),
    lastName: nullable(out.string()),
    email: nullable(out.string()),
    phone: nullable(out.string({ description: 'E.164' })),
    company: nullable(out.string()),
    address: nullable(out.string()),
    postcode: nullable(out.string()),
    suburb: nullable(out.string()),
  },
  { $id: 'Customer' },
);

export const Booking = Type.Object(
  {
    id: out.uuid({ description: "The booking's reference for every later call." }),
    code: out.string({
      description: 'Eight characters that people read out on the phone.',
      examples: ['7K3M9QXW'],
    }),
    carId: out.uuid(),
    customerId: out.uuid(),
    workshopId: out.uuid(),
    externalId: nullable(out.string()),
    car: ref(Car),
    customer: ref(Customer),
    status: Type.Unsafe<BookingStatus>({ type: 'string', enum: [...bookingStatuses] }),
    date: out.instant(),
    pickupTime: nullable(out.instant()),
    serviceCategory: Type.Unsafe<ServiceCategory | null>({ type: ['string', 'null'] }),
    services: out.list(ref(ServiceItem)),
    servicePackageType: nullable(out.string()),
    customerCompany: nullable(out.string()),
    notes: nullable(out.string()),
    interval: nullable(out.integer()),
    jobNotes: out.list(out.string()),
    productNotes: out.list(out.string()),
    tyreQuantities: nullable(out.integer()),
    cancelReason: nullable(out.string()),
    createdAt: out.instant(),
    updatedAt: out.instant(),
  },
  { $id: 'Booking' },
);
export type Booking = Static<typeof Booking>;

const BookingAnswer = Type.Object(
  { success: out.literal(true), booking: ref(Booking) },
  { $id: 'BookingAnswer', description: 'The booking as it is now.' },
);
export type BookingAnswer = Static<typeof BookingAnswer>;
export const BookingAnswerRef = ref(BookingAnswer);

export const bookingComponents = [Car, Customer, Booking, BookingAnswer];
