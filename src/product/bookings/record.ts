/** WHAT A BOOKING IS, ON ONE PAGE: `src/platform/records/` serves from this every edge that bookings share with other records. */

import { readCode } from '#base/values/code.ts';
import { notGiven } from '#base/values/not-given.ts';
import { instantJson } from '#platform/db/json.ts';
import { externalId, idIn, period } from '#platform/records/filters.ts';
import type { DisplayFormat, RecordType, StaffRow } from '#platform/records/record.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { carInWords, contactErased, ofCustomer, orNotGiven } from '#product/customers/records.ts';
import { hasBounced } from '#product/customers/store.ts';
import { ofWorkshop, staffProjection } from '#product/workshops/records.ts';
import { type AttendanceState, attendanceOf } from './attendance/store.ts';
import { bookingEvents } from './events.ts';
import { type AnyBooking, type Booking, bookingStatuses } from './schema.ts';
import { bookingJson } from './snapshot.ts';

/** A booking with the fields that only its workshop sees. */
export interface WorkshopBooking extends AnyBooking, StaffRow {
  readonly id: string;
  /** The end of its services, or of its slot when no service has a duration; null: it has neither. RFC 3339. */
  readonly endsAt: string | null;
  /** Why e-mails to the booking's address bounce; null: they do not. */
  readonly emailBounce: string | null;
  /** The reason of staff for taking the place against the rules; null: the rules applied. */
  readonly anywayReason: string | null;
  /** Whether the customer has come, as marked by staff. */
  readonly attendance: AttendanceState;
}

const sight = {
  json: (row: string) => bookingJson(row, 'its_car'),
  joins: (row: string) => `JOIN car its_car ON its_car.id = ${row}.car_id`,
};

const minutes = (row: string) =>
  `(SELECT nullif(sum(each), 0) FROM unnest(${row}.service_minutes) AS each) * interval '1 minute'`;
const staffsOwn = staffProjection({
  json: (row) => `${sight.json(row)} || jsonb_build_object(
    'endsAt', ${instantJson(`coalesce(${row}.date + ${minutes(row)}, ${row}.occupied_until)`)},
    'attendance', ${attendanceOf(row)},
    'emailBounce', CASE WHEN ${hasBounced('its_customer', `${row}.contact_email`)} THEN its_customer.email_bounce END,
    'anywayReason', ${row}.anyway_reason)`,
  joins: (row) => `${sight.joins(row)} JOIN customer its_customer ON its_customer.id = ${row}.customer_id`,
});

export const bookingRecord: RecordType<Booking, WorkshopBooking, 'booking', 'bookings'> = {
  ...{ name: 'booking', plural: 'bookings', noun: 'booking', table: 'booking', list: 'booking' },
  state: { name: 'status', all: bookingStatuses },
  order: 'id',
  hasFeed: true,
  readCode,
  notFound: '060001',
  partner: sight,
  staff: {
    ...staffsOwn,
    filters: {
      partner: idIn('partner_id'),
      customer: idIn('customer_id'),
      ...period('date'),
      rego: { type: 'text', is: (value) => `strpos(its_car.rego, ${value}) > 0` },
      name: { type: 'text', is: (value) => `strpos(lower(row.contact_name), lower(${value})) > 0` },
      phone: { type: 'text', is: (value) => `strpos(row.contact_phone, ${value}) > 0` },
    },
  },
  filters: { workshopId: ofWorkshop, ...period('date'), externalId },
  events: bookingEvents,
  retention: null,
  erasure: {
    rows: ofCustomer,
    phone: 'contact_phone',
    set: () => ({
      ...contactErased,
      ...{ car_vin: 'NULL', notes: 'NULL', job_notes: `'{}'`, product_notes: `'{}'`, cancel_reason: 'NULL' },
      anyway_reason: `CASE WHEN anyway_reason IS NOT NULL THEN 'Erased' END`,
    }),
  },
  people: {
    columns: {
      CODE: ({ code }) => code,
      DATE: ({ date }, { time }) => time(date),
      END: endOf,
      STATUS: ({ status }) => status,
      CAR: ({ car }) => car.rego ?? notGiven,
      CUSTOMER: ({ customer }, { name }) => name(customer.name) ?? notGiven,
      PHONE: ({ customer }, { phone }) => orNotGiven(phone(customer.phone), customer),
      SERVICES: ({ services }) => titlesOf(services),
      PARTNER: ({ partner }) => partner,
    },
    details: (booking, { time, phone, name }) => ({
      bookingId: booking.id,
      code: booking.code,
      status: booking.status,
      attendance: booking.attendance,
      date: time(booking.date),
      endsAt: time(booking.endsAt),
      pickupTime: time(booking.pickupTime),
      customer: name(booking.customer.name) ?? notGiven,
      phone: orNotGiven(phone(booking.customer.phone), booking.customer),
      email: orNotGiven(booking.customer.email, booking.customer),
      emailBounce: booking.emailBounce,
      car: carInWords(booking.car),
      services: titlesOf(booking.services),
      notes: booking.notes,
      ...jobDetails(booking),
      cancelReason: booking.cancelReason,
      anywayReason: booking.anywayReason,
      partner: booking.partner ?? "the workshop's own",
      customerId: booking.customerId,
      workshopId: booking.workshopId,
      createdAt: time(booking.createdAt),
      updatedAt: time(booking.updatedAt),
    }),
  },
};

function jobDetails(booking: WorkshopBooking) {
  const { serviceCategory, servicePackageType, jobNotes, productNotes, tyreQuantities, interval } = booking;
  return {
    ...{ serviceCategory, servicePackageType, jobNotes, productNotes, tyreQuantities, interval },
    ...{ carVin: booking.car.vin, customerCompany: booking.customerCompany, externalId: booking.externalId },
  };
}

/** Only the time when it is on the day of the start. */
function endOf({ date, endsAt }: WorkshopBooking, { time }: DisplayFormat): string | null {
  const [start, end] = [time(date), time(endsAt)];
  const isSameDay = end !== null && start?.slice(0, 10) === end.slice(0, 10);
  return isSameDay ? end.slice(11, 16) : end;
}
