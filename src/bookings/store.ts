/** SQL of bookings: create and read. What an update writes is in `change/store.ts`. */
import { upsertCar, upsertCustomer } from '#customers/by-phone/store.ts';
import type { Queryable } from '#db/database.ts';
import { statement } from '#db/statement.ts';
import { eventColumns } from '#events/record.ts';
import { finishClaimCte, heldClaimCte } from '#idempotency/store.ts';
import { gateCte } from '#workshops/access/store.ts';
import {
  type CommonWrite,
  carParameters,
  common,
  contentColumns,
  contentNames,
  detailColumns,
  detailValues,
} from './columns.ts';
import type { Booking } from './schema.ts';
import { bookingJson } from './snapshot.ts';

export const createParameters = {
  ...common,
  workshopId: 'uuid',
  newCustomerId: 'uuid',
  code: 'text',
  externalId: 'text',
  notifyWorkshop: 'boolean',
} as const;
const claimParameters = { idempotencyKey: 'text', claimOwner: 'uuid' } as const;

/**
 * The details that the partner itself sent last of the car `car`, as a row `earlier` or none: for the FROM clause after
 * that car. Partners share cars, and none learns of another's details.
 */
export function earlierDetails(car: string, partnerId: string): string {
  return `LATERAL (
      SELECT ${detailColumns} FROM booking
       WHERE booking.car_id = ${car}.id AND booking.partner_id = ${partnerId} AND num_nonnulls(${detailColumns}) > 0
       ORDER BY booking.created_at DESC, booking.id DESC LIMIT 1) AS earlier`;
}

/** The statement of POST /bookings without a key: exported for `bench/`, which holds the API against it. */
export function createText(
  $: (name: keyof typeof createParameters) => string,
  claim: { held: string; finish: string } | null,
) {
  return `WITH ${gateCte($('partnerId'), $('workshopId'))},
    ${claim ? `${claim.held},` : ''}
    open AS (SELECT workshop_id FROM gate WHERE active ${claim ? 'AND EXISTS (SELECT FROM held_claim)' : ''}),
    the_customer AS (${upsertCustomer('open', {
      newId: $('newCustomerId'),
      name: $('contactName'),
      firstName: $('contactFirstName'),
      lastName: $('contactLastName'),
      email: $('contactEmail'),
      phone: $('contactPhone'),
      company: $('contactCompany'),
      partnerId: $('partnerId'),
      now: $('now'),
    })}),
    the_car AS (${upsertCar('the_customer', carParameters($))}),
    made AS (
      INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, external_id, created_at, updated_at,
        ${contentColumns}, ${detailColumns})
      SELECT ${$('bookingId')}, ${$('code')}, ${$('partnerId')}, workshop_id, customer_id, id, ${$('externalId')}, ${$('now')}, ${$('now')},
             ${contentNames.map($).join(', ')}, ${detailValues($)}
        FROM the_car LEFT JOIN ${earlierDetails('the_car', $('partnerId'))} ON true RETURNING *),
    snapshot AS (SELECT b.workshop_id, ${bookingJson('b', 'c')} AS booking FROM made b CROSS JOIN the_car c),
    recorded AS (
      INSERT INTO event (${eventColumns})
      SELECT ${$('eventId')}, 'booking.created', ${$('partnerId')}, workshop_id, ${$('bookingId')}, 1,
             jsonb_build_object('booking', booking, 'dateChanged', false, 'notifyCustomer', ${$('notifyCustomer')}, 'notifyWorkshop', ${$('notifyWorkshop')}),
             ${$('now')} FROM snapshot)
    ${claim ? `, ${claim.finish}` : ''}
    SELECT gate.active AS "linkActive", snapshot.booking FROM gate LEFT JOIN snapshot ON true`;
}

const createPlain = statement(createParameters, ($) => createText($, null));
const createClaimed = statement({ ...createParameters, ...claimParameters }, ($) => {
  const claim = { partnerId: $('partnerId'), key: $('idempotencyKey'), owner: $('claimOwner') };
  const body = `jsonb_build_object('success', true, 'booking', snapshot.booking)`;
  return createText($, { held: heldClaimCte(claim), finish: finishClaimCte(claim, 201, body, 'snapshot') });
});

export interface NewBooking extends CommonWrite {
  workshopId: string;
  newCustomerId: string;
  code: string;
  externalId: string | null;
  notifyWorkshop: boolean;
}

export interface CreatedRow {
  linkActive: boolean;
  /** Null when the link is off, or when the idempotency claim was lost to another request. */
  booking: Booking | null;
}

/** Customer, car, booking and event in one statement; null when the partner has no such workshop. */
export async function insertBooking(
  db: Queryable,
  booking: NewBooking,
  claim: { idempotencyKey: string; claimOwner: string } | null,
): Promise<CreatedRow | null> {
  const [row] = claim
    ? await db.query<CreatedRow>(createClaimed.text, createClaimed.values({ ...booking, ...claim }))
    : await db.query<CreatedRow>(createPlain.text, createPlain.values({ ...booking }));
  return row ?? null;
}

/** GET /bookings/{id}: exported for `bench/`. */
export const readText = `SELECT ${bookingJson('b', 'c')} AS booking, b.version
  FROM booking b JOIN car c ON c.id = b.car_id WHERE b.id = $1 AND b.partner_id = $2`;

export interface BookingVersion {
  booking: Booking;
  version: number;
}

/** The partner's own booking, whatever its link says by now. */
export async function readBooking(
  db: Queryable,
  partnerId: string,
  bookingId: string,
): Promise<BookingVersion | null> {
  const [row] = await db.query<BookingVersion>(readText, [bookingId, partnerId]);
  return row ?? null;
}

/** The country of the workshop of the partner's own booking; null when there is no such booking. */
export async function findBookingCountry(
  db: Queryable,
  partnerId: string,
  bookingId: string,
): Promise<string | null> {
  const [row] = await db.query<{ country: string }>(
    `SELECT w.country FROM booking b JOIN workshop w ON w.id = b.workshop_id WHERE b.id = $1 AND b.partner_id = $2`,
    [bookingId, partnerId],
  );
  return row?.country ?? null;
}
