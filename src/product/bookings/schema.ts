/** Wire shapes of bookings. */
import { type Static, Type } from 'typebox';
import {
  anyText,
  email,
  instant,
  nullable,
  optional,
  out,
  phone,
  ref,
  text,
  times,
  word,
} from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';
import { ServiceItem } from '#product/catalogue/item.ts';
import { partOf } from '#product/orders/field.ts';
import { carFields, staffCarFields } from '#product/orders/fields.ts';
import { Car, Customer } from '#product/orders/schema.ts';
import { createFields, updateFields } from './fields.ts';

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
  customerName: text({ description: 'First name, then the rest.', examples: ['Sam Taylor'] }),
  customerPhone: phone({ description: "Any form that is valid in the workshop's country." }),
  customerEmail: email({ description: 'Where notices go.', examples: ['sam@example.com'] }),
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

type Whose = 'carRego' | 'customerName' | 'customerPhone' | 'customerEmail';
/** The body of a workshop's own booking: null is "not given". It has a customer name or a rego. */
export type NewBookingBody = Omit<CreateBookingBody, Whose> & {
  readonly [Name in Whose]: CreateBookingBody[Name] | null;
};

export const UpdateBookingBody = Type.Object({
  date: Type.Optional(
    instant({ description: 'The new date and time; when it changes, the customer is notified.' }),
  ),
  carRego: Type.Optional(
    text({
      max: 32,
      of: 'spaced',
      description: 'Registration: the booking is for this car from now on.',
      examples: ['ABC123'],
    }),
  ),
  customerName: Type.Optional(text({ description: 'First name, then the rest.', examples: ['Sam Taylor'] })),
  customerPhone: Type.Optional(phone({ description: "Any form that is valid in the workshop's country." })),
  customerEmail: Type.Optional(email({ description: 'Where notices go.', examples: ['sam@example.com'] })),
  ...partOf(updateFields, 'body'),
  skipNotification,
});
export type UpdateBookingBody = Static<typeof UpdateBookingBody>;

/** The car's details, as staff change them; no request of the API does. */
export const CarDetails = Type.Object(partOf(staffCarFields, 'body'));
export type CarDetails = Static<typeof CarDetails>;

/** The changes of an own booking: null clears a field to "not given". */
export type BookingChanges = Omit<UpdateBookingBody, Whose> & {
  readonly [Name in Whose]?: string | null;
};

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

const statusOf = (description: string) => word(bookingStatuses, { description, examples: ['confirmed'] });

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

const plain = Type.Unsafe<string>({ type: 'string' });

export const Booking = Type.Object(
  {
    id: out.uuid("The booking's reference for every later call."),
    code: out.string({
      description: 'Eight characters that people read out on the phone.',
      examples: ['7K3M9QXW'],
    }),
    carId: out.uuid('The car.'),
    customerId: out.uuid('The customer.'),
    workshopId: out.uuid('The workshop.'),
    externalId: nullable(out.string('Your own reference.')),
    car: ref(Car),
    customer: ref(Customer),
    status: word(bookingStatuses, { description: 'Where it stands.' }),
    date: out.instant('When the work begins: the `bookingTime` of its creation.'),
    pickupTime: nullable(out.instant('When the car is to be picked up.')),
    serviceCategory: nullable(word(serviceCategories, { description: 'What kind of work it is.' })),
    services: out.list(ref(ServiceItem), 'The services wanted, in the order in which they were sent.'),
    servicePackageType: nullable(out.string('In words of your own.')),
    customerCompany: nullable(out.string("The customer's company.")),
    notes: nullable(out.string('What the customer wants the workshop to know.')),
    interval: nullable(out.integer('As it was sent: it has no unit here.')),
    jobNotes: out.list(plain, 'Notes on the work.'),
    productNotes: out.list(plain, 'Notes on parts and products.'),
    tyreQuantities: nullable(out.integer('How many tyres.')),
    cancelReason: nullable(out.string('Why it was cancelled, where a reason was given.')),
    ...times,
  },
  { $id: 'Booking', description: 'A booking of yours.' },
);
export type Booking = Static<typeof Booking>;

/** Any booking, as its workshop sees it: own bookings may lack the customer's name or the car's rego (null). */
export interface AnyBooking extends Omit<Booking, 'car' | 'customer'> {
  readonly car: Omit<Booking['car'], 'rego'> & { readonly rego: string | null };
  readonly customer: Omit<Booking['customer'], 'name'> & { readonly name: string | null };
}

/** A partner's booking in its wire form: a constraint of the database requires name and rego. */
export function ofPartner(booking: AnyBooking): Booking {
  if (!isWhole(booking)) throw new Error(`booking ${booking.id} of a partner lacks a name or a rego`);
  return booking;
}

const isWhole = (booking: AnyBooking): booking is AnyBooking & Booking =>
  booking.car.rego !== null && booking.customer.name !== null;

const BookingAnswer = Type.Object(
  { success: out.success(true), booking: ref(Booking) },
  { $id: 'BookingAnswer', description: 'The booking as it is now.' },
);
export type BookingAnswer = Static<typeof BookingAnswer>;
export const BookingAnswerRef = ref(BookingAnswer);

export const bookingComponents = [Car, Customer, Booking, BookingAnswer];
