/** SQL of bookings: create and read. What an update writes is in `change/store.ts`. */

import type { Database, Queryable } from '#platform/db/database.ts';
import { gather, type SharedStatement } from '#platform/db/gather.ts';
import { columnOf, type RowValues } from '#platform/db/parameters.ts';
import { actorIn, insertEvents } from '#platform/events/record.ts';
import { claimColumns, finishClaimCte } from '#platform/idempotency/store.ts';
import { ownCar, ownerCtes, ownOwnerCtes } from '#product/customers/owners/store.ts';
import { setupIsCurrent } from '#product/orders/store.ts';
import { linkGateCte, workshopGateCte } from '#product/workshops/access/store.ts';
import {
  common,
  created,
  createdAs,
  createdColumns,
  detailColumns,
  detailsAs,
  placeAs,
  placeColumns,
  placeList,
} from './columns.ts';
import { noCode, withCode } from './reminder-code/store.ts';
import type { AnyBooking } from './schema.ts';
import { bookingJson } from './snapshot.ts';

export const createColumns = {
  ...common,
  ...created,
  ...placeColumns,
  workshopId: 'uuid',
  newCustomerId: 'uuid',
  code: 'text',
  /** Null: the workshop's own. */
  partnerId: 'uuid null',
  notifyWorkshop: 'boolean',
  /** The version of the workshop's set-up that the booking was checked against; null: any. */
  setupVersion: 'integer null',
  ...claimColumns,
} as const;
type CreateColumn = keyof typeof createColumns;

/**
 * The predicate of the index of bookings with details; it must equal the index's own, in the same order, for the planner to use it.
 */
const hasDetails = 'num_nonnulls(car_year, car_make, car_model, car_badge, car_vin) > 0';

/**
 * The details that this partner last sent for the car `car`, as a row `earlier` or none: for the FROM clause after that car.
 * Partners share cars, but not each other's details.
 */
export function earlierDetails(car: string, partnerId: string): string {
  return `LATERAL (
      SELECT ${detailColumns} FROM booking
       WHERE booking.car_id = ${car}.id AND booking.partner_id = ${partnerId} AND ${hasDetails}
       ORDER BY booking.created_at DESC, booking.id DESC LIMIT 1) AS earlier`;
}

/**
 * The statement of POST /bookings over the CTE `input`: exported for `bench/`, which compares the API with it. `gate` selects the
 * calls that may write. `content` is the new rows with the values written beside them: reading them back from the insert would need
 * another join.
 */
export function createText(
  input: string,
  gate = linkGateCte,
  redemption = noCode,
  { ctes, car, status }: Owners = partnersOwners,
): string {
  const given = (name: CreateColumn) => `owner.${columnOf(name)}`;
  return `WITH ${input},
    ${ctes(gate + redemption.gate, `${setupIsCurrent} AND ${redemption.isOpen}`)},
    content AS MATERIALIZED (
      SELECT ordinal, event_id, notify_customer, notify_workshop, actor, request_id, idempotency_key, claim_owner, car_rego AS rego,
             owner.booking_id AS id, code, owner.partner_id, owner.workshop_id, owner.id AS customer_id, the_car.id AS car_id,
             now AS created_at, now AS updated_at, ${status} AS status, 1 AS version,
             NULL::integer AS "interval", NULL::text AS cancel_reason, ${given('anywayReason')} AS anyway_reason,
             ${createdAs(given)}, ${detailsAs(given)}, ${placeAs(given)}
        FROM owner JOIN the_car ON ${car}
        LEFT JOIN ${earlierDetails('the_car', given('partnerId'))} ON true),
    made AS (INSERT INTO booking (${bookingColumns}) SELECT ${bookingColumns} FROM content ORDER BY workshop_id, occupied_from),
    ${redemption.ctes}
    snapshot AS MATERIALIZED (SELECT content.*, ${bookingJson('content', 'content')} AS booking FROM content),
    recorded AS (
      ${insertEvents({
        ...{ from: 'snapshot', id: 'event_id', kind: `'booking.created'`, at: 'created_at' },
        payload: {
          booking: 'booking',
          dateChanged: 'false',
          notifyCustomer: 'notify_customer',
          notifyWorkshop: 'notify_workshop',
        },
        by: actorIn('snapshot'),
      })}),
    ${finishClaimCte('snapshot', 201, `jsonb_build_object('success', true, 'booking', snapshot.booking)`)}
    SELECT ordinal, true AS link_active, true AS setup_is_current, true AS reminder_is_open, booking FROM snapshot
    UNION ALL SELECT ordinal, link_active, ${setupIsCurrent}, ${redemption.isOpen}, NULL
      FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open)`;
}

/** Where the customer and the car of a call come from, and the booking's first status. */
interface Owners {
  readonly ctes: (gate: string, further: string) => string;
  /** Joins `the_car` to `owner`. */
  readonly car: string;
  /** A text expression over `owner`. */
  readonly status: string;
}
const partnersOwners: Owners = {
  ctes: ownerCtes,
  car: 'the_car.customer_id = owner.id AND the_car.rego = owner.car_rego',
  status: `'pending'`,
};
const ownOwners: Owners = { ctes: ownOwnerCtes, car: ownCar, status: 'owner.status' };

const bookingColumns = `id, code, partner_id, workshop_id, customer_id, car_id, status, version, "interval", cancel_reason, anyway_reason,
  created_at, updated_at, ${createdColumns}, ${detailColumns}, ${placeList}`;

/** The key and owner of the claim that the result is kept under; null without one. */
export type NewBooking = RowValues<typeof createColumns>;

export interface CreatedRow {
  linkActive: boolean;
  setupIsCurrent: boolean;
  /** False: the code of the reminder has been used by another booking since. */
  reminderIsOpen: boolean;
  /**
   * Null when the link is off, the set-up has changed since, the idempotency claim was lost to another request, or the customer
   * does not exist.
   */
  booking: AnyBooking | null;
}

/**
 * Customer, car, booking and event, with the stored result of a claim, in one statement for all concurrent calls; null when the
 * partner has no such workshop. Bookings of one customer are made one after the other: each sees the customer and car that the
 * previous one wrote.
 */
const createByPartner: SharedStatement<NewBooking> = {
  columns: createColumns,
  build: ({ input }) => createText(input),
  partnerOf: ({ partnerId }) => partnerId ?? '',
  keyOf: ({ workshopId, customerPhone }) => `${workshopId.toLowerCase()} ${customerPhone}`,
};
export const insertBooking = gather<NewBooking, CreatedRow>(createByPartner);

/** The same for bookings whose slots or limits are enforced. A refused one fails its batch, so they are gathered separately. */
export const insertHeldBooking = gather<NewBooking, CreatedRow>(createByPartner);

const redeemingColumns = { ...createColumns, reminderCode: 'text null' } as const;
export type RedeemingBooking = RowValues<typeof redeemingColumns>;

/** The same with the code of a reminder: one at a time for each workshop, so that no batch has a customer or a code twice. */
export const insertRedeemingBooking = gather<RedeemingBooking, CreatedRow>({
  columns: redeemingColumns,
  build: ({ input }) => createText(input, linkGateCte, withCode),
  partnerOf: ({ partnerId }) => partnerId ?? '',
  keyOf: ({ workshopId }) => workshopId,
});

const ownColumns = {
  ...createColumns,
  customerId: 'uuid null',
  keepsName: 'boolean',
  isApart: 'boolean',
  /** `pending` or `confirmed`. */
  status: 'text',
} as const;
/**
 * `customerId`: a chosen customer of the workshop; null: the customer with the phone, or a new one. `isApart`: the chosen one, whoever
 * has the phone. `keepsName`: the booking alone has the given name where the customer has one.
 */
export type OwnBooking = RowValues<typeof ownColumns>;

/** The same for a workshop's own booking, which needs no link: null when there is no such workshop. */
export const insertOwnBooking = gather<OwnBooking, CreatedRow>({
  columns: ownColumns,
  build: ({ input }) => createText(input, workshopGateCte, noCode, ownOwners),
  partnerOf: () => '',
});

/** The partner's own booking, from expressions or parameters: exported for `bench/`. */
export function findBookingText(bookingId: string, partnerId: string): string {
  return `SELECT ${bookingJson('b', 'c')} AS booking, b.version
  FROM booking b JOIN car c ON c.id = b.car_id WHERE b.id = ${bookingId} AND b.partner_id = ${partnerId}`;
}

export interface BookingVersion {
  booking: AnyBooking;
  version: number;
}

const findColumns = { bookingId: 'uuid', partnerId: 'uuid' } as const;

const findBookings = gather<RowValues<typeof findColumns>, BookingVersion>({
  columns: findColumns,
  build: ({ input }) => `WITH ${input}
    SELECT input.ordinal, found.booking, found.version FROM input
     CROSS JOIN LATERAL (${findBookingText('input.booking_id', 'input.partner_id')} LIMIT 1) AS found`,
  partnerOf: ({ partnerId }) => partnerId,
});

/** GET /bookings/{id}: the partner's own booking, even when its link is off. */
export function readBooking(
  db: Database,
  partnerId: string,
  bookingId: string,
): Promise<BookingVersion | null> {
  return findBookings(db, { bookingId, partnerId });
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
