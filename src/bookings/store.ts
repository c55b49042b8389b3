/** SQL of bookings. */
import { moveCar, upsertCar, upsertCustomer } from '#customers/by-phone/store.ts';
import type { Queryable } from '#db/database.ts';
import { statement } from '#db/statement.ts';
import { eventColumns } from '#events/record.ts';
import { finishClaimCte, heldClaimCte } from '#idempotency/store.ts';
import { gateCte } from '#workshops/access/store.ts';
import type { Booking } from './schema.ts';
import { bookingJson } from './snapshot.ts';

/** The fields that create and update write alike, as columns and their types. */
const content = {
  date: 'timestamptz',
  pickupTime: 'timestamptz',
  serviceCategory: 'text',
  servicePackageType: 'text',
  services: 'jsonb',
  contactName: 'text',
  contactFirstName: 'text',
  contactLastName: 'text',
  contactEmail: 'text',
  contactPhone: 'text',
  contactCompany: 'text',
  notes: 'text',
  jobNotes: 'text[]',
  productNotes: 'text[]',
  tyreQuantities: 'integer',
} as const;

const columnOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const contentNames = Object.keys(content) as (keyof typeof content)[];
const contentColumns = contentNames.map(columnOf).join(', ');

export type BookingContent = {
  date: Date;
  pickupTime: Date | null;
  serviceCategory: string | null;
  servicePackageType: string | null;
  /** JSON text. */
  services: string;
  contactName: string;
  contactFirstName: string | null;
  contactLastName: string | null;
  contactEmail: string;
  contactPhone: string;
  contactCompany: string | null;
  notes: string | null;
  jobNotes: string[];
  productNotes: string[];
  tyreQuantities: number | null;
};

export interface CarDetails {
  carRego: string;
  carYear: number | null;
  carMake: string | null;
  carModel: string | null;
  carBadge: string | null;
  carVin: string | null;
}

const car = {
  carRego: 'text',
  carYear: 'integer',
  carMake: 'text',
  carModel: 'text',
  carBadge: 'text',
  carVin: 'text',
} as const;

const common = {
  ...content,
  ...car,
  partnerId: 'uuid',
  bookingId: 'uuid',
  newCustomerId: 'uuid',
  newCarId: 'uuid',
  eventId: 'uuid',
  notifyCustomer: 'boolean',
  now: 'timestamptz',
} as const;

type CommonName = keyof typeof common;

function customerParameters($: (name: CommonName) => string) {
  return {
    newId: $('newCustomerId'),
    name: $('contactName'),
    firstName: $('contactFirstName'),
    lastName: $('contactLastName'),
    email: $('contactEmail'),
    phone: $('contactPhone'),
    company: $('contactCompany'),
    now: $('now'),
  };
}

function carParameters($: (name: CommonName) => string) {
  return {
    newId: $('newCarId'),
    rego: $('carRego'),
    year: $('carYear'),
    make: $('carMake'),
    model: $('carModel'),
    badge: $('carBadge'),
    vin: $('carVin'),
    now: $('now'),
  };
}

const createParameters = {
  ...common,
  workshopId: 'uuid',
  code: 'text',
  externalId: 'text',
  notifyWorkshop: 'boolean',
} as const;
const claimParameters = { idempotencyKey: 'text', claimOwner: 'uuid' } as const;

function createText($: (name: keyof typeof createParameters) => string, claim: { held: string; finish: string } | null) {
  return `WITH ${gateCte($('partnerId'), $('workshopId'))},
    ${claim ? `${claim.held},` : ''}
    open AS (SELECT workshop_id FROM gate WHERE active ${claim ? 'AND EXISTS (SELECT FROM held_claim)' : ''}),
    the_customer AS (${upsertCustomer('open', customerParameters($))}),
    the_car AS (${upsertCar('the_customer', carParameters($))}),
    made AS (
      INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, external_id, created_at, updated_at, ${contentColumns})
      SELECT ${$('bookingId')}, ${$('code')}, ${$('partnerId')}, workshop_id, customer_id, id, ${$('externalId')}, ${$('now')}, ${$('now')},
             ${contentNames.map($).join(', ')}
        FROM the_car RETURNING *),
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

interface CommonWrite extends BookingContent, CarDetails {
  partnerId: string;
  bookingId: string;
  newCustomerId: string;
  newCarId: string;
  eventId: string;
  notifyCustomer: boolean;
  now: Date;
}

export interface NewBooking extends CommonWrite {
  workshopId: string;
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

const readText = `SELECT ${bookingJson('b', 'c')} AS booking, b.version
  FROM booking b JOIN car c ON c.id = b.car_id WHERE b.id = $1 AND b.partner_id = $2`;

export interface BookingVersion {
  booking: Booking;
  version: number;
}

/** The partner's own booking, whatever its link says by now. */
export async function readBooking(db: Queryable, partnerId: string, bookingId: string): Promise<BookingVersion | null> {
  const [row] = await db.query<BookingVersion>(readText, [bookingId, partnerId]);
  return row ?? null;
}

/** The country of the workshop of the partner's own booking; null when there is no such booking. */
export async function findBookingCountry(db: Queryable, partnerId: string, bookingId: string): Promise<string | null> {
  const [row] = await db.query<{ country: string }>(
    `SELECT w.country FROM booking b JOIN workshop w ON w.id = b.workshop_id WHERE b.id = $1 AND b.partner_id = $2`,
    [bookingId, partnerId],
  );
  return row?.country ?? null;
}

export interface LockedBooking extends BookingVersion {
  linkActive: boolean;
  country: string;
}

/** The partner's own booking, locked together with its car until the transaction ends. */
export async function lockBooking(tx: Queryable, partnerId: string, bookingId: string): Promise<LockedBooking | null> {
  const [row] = await tx.query<LockedBooking>(
    `SELECT ${bookingJson('b', 'c')} AS booking, b.version, l.active AS "linkActive", w.country
       FROM booking b
       JOIN car c ON c.id = b.car_id
       JOIN link l ON l.partner_id = b.partner_id AND l.workshop_id = b.workshop_id
       JOIN workshop w ON w.id = b.workshop_id
      WHERE b.id = $1 AND b.partner_id = $2 FOR UPDATE OF b, c`,
    [bookingId, partnerId],
  );
  return row ?? null;
}

const updateStatement = statement(
  {
    ...common,
    interval: 'integer',
    carId: 'uuid',
    customerId: 'uuid',
    contactChanged: 'boolean',
    regoChanged: 'boolean',
    dateChanged: 'boolean',
  },
  ($) => `WITH present AS (SELECT workshop_id FROM booking WHERE id = ${$('bookingId')} AND ${$('contactChanged')}),
    upserted AS (${upsertCustomer('present', customerParameters($))}),
    the_customer AS (
      SELECT id, workshop_id FROM upserted
      UNION ALL SELECT id, workshop_id FROM customer WHERE id = ${$('customerId')} AND NOT ${$('contactChanged')}),
    stays AS (SELECT id FROM the_customer WHERE NOT ${$('regoChanged')}),
    moved AS (${moveCar('stays', { carId: $('carId'), bookingId: $('bookingId'), now: $('now') })}),
    kept AS (SELECT car.* FROM car JOIN stays ON stays.id = car.customer_id WHERE car.id = ${$('carId')}),
    other AS (SELECT id, workshop_id FROM the_customer WHERE NOT EXISTS (SELECT FROM moved) AND NOT EXISTS (SELECT FROM kept)),
    made AS (${upsertCar('other', carParameters($))}),
    the_car AS (SELECT * FROM moved UNION ALL SELECT * FROM kept UNION ALL SELECT * FROM made),
    changed AS (
      UPDATE booking SET customer_id = the_car.customer_id, car_id = the_car.id, "interval" = ${$('interval')},
             version = version + 1, updated_at = greatest(${$('now')}, booking.updated_at + interval '1 millisecond'),
             ${contentNames.map((name) => `${columnOf(name)} = ${$(name)}`).join(', ')}
        FROM the_car WHERE booking.id = ${$('bookingId')} AND booking.partner_id = ${$('partnerId')} RETURNING booking.*),
    snapshot AS (SELECT b.workshop_id, b.version, ${bookingJson('b', 'c')} AS booking FROM changed b CROSS JOIN the_car c),
    recorded AS (
      INSERT INTO event (${eventColumns})
      SELECT ${$('eventId')}, 'booking.updated', ${$('partnerId')}, workshop_id, ${$('bookingId')}, version,
             jsonb_build_object('booking', booking, 'dateChanged', ${$('dateChanged')}, 'notifyCustomer', ${$('notifyCustomer')}, 'notifyWorkshop', false),
             ${$('now')} FROM snapshot)
    SELECT booking, version FROM snapshot`,
);

export interface BookingChange extends CommonWrite {
  interval: number | null;
  carId: string;
  customerId: string;
  contactChanged: boolean;
  regoChanged: boolean;
  dateChanged: boolean;
}

/** Writes the whole next state of a locked booking, its customer and car, and the event. */
export async function writeBooking(tx: Queryable, change: BookingChange): Promise<BookingVersion> {
  const [row] = await tx.query<BookingVersion>(updateStatement.text, updateStatement.values({ ...change }));
  if (row === undefined) throw new Error('a locked booking could not be written');
  return row;
}
