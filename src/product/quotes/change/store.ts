/** SQL of changes of a quote: priced, accepted, declined, expired. Rows are locked in the order quote, booking, customer, car. */

import { actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { instantJson } from '#platform/db/json.ts';
import type { Values } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { type Statement, statement } from '#platform/db/statement.ts';
import { actorColumns, actorIs, actorOf } from '#platform/events/record.ts';
import { type ChangeSql, changeCtes } from '#platform/records/change.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { Booking } from '#product/bookings/schema.ts';
import { isOpen } from '#product/workshops/access/conditions.ts';
import { quoteRecord } from '../record.ts';
import { quoteJson } from '../snapshot.ts';
import type { QuoteVersion } from '../store.ts';

export interface LockedQuote extends QuoteVersion {
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
  /** The partner is active, and so is its link to the workshop; always for the workshop's own. */
  readonly linkActive: boolean;
  /** The duration of each of its services. */
  readonly serviceMinutes: readonly number[];
  /** The customer was erased: the quote can't be changed any more. */
  readonly erased: boolean;
}

/**
 * Locks a quote of any partner until the transaction ends. It is read in a second statement after the lock, so that it has the
 * changes of a transaction it waited for.
 */
export async function lockQuote(tx: Queryable, quoteId: string): Promise<LockedQuote | null> {
  await tx.query('SELECT FROM quote WHERE id = $1 FOR NO KEY UPDATE', [quoteId]);
  const [row] = await tx.query<LockedQuote>(
    `SELECT ${quoteJson('q', 'c')} AS quote, q.version, q.partner_id, q.partner_id IS NULL OR ${isOpen('dealing')} AS link_active,
            q.service_minutes, q.contact_phone = '' AS erased
       FROM quote q JOIN car c ON c.id = q.car_id LEFT JOIN partner p ON p.id = q.partner_id
       LEFT JOIN link l ON l.partner_id = q.partner_id AND l.workshop_id = q.workshop_id
      WHERE q.id = $1`,
    [quoteId],
  );
  return row ?? null;
}

/** A change of locked quotes; returns `quote, version`. */
const changeText = (change: ChangeSql) =>
  `WITH ${changeCtes(quoteRecord, change)} SELECT quote, version FROM quote_snapshot`;

const priceColumns = {
  quoteId: 'uuid',
  /** The changed fields before the change. */
  before: 'jsonb',
  lines: 'jsonb',
  /** A decimal. */
  total: 'text',
  message: 'text null',
  validUntil: 'timestamptz',
  url: 'text null',
  notifyCustomer: 'boolean',
  now: 'timestamptz',
  ...actorColumns,
} as const;

/** The fields that a price changes, in their wire form. */
const pricedFields = {
  ...{ status: 'r.status', lines: 'r.lines', total: 'r.total', message: 'r.message' },
  validUntil: instantJson('r.valid_until'),
};
const priceStatement = statement(priceColumns, ($) =>
  changeText({
    kind: `'quote.quoted'`,
    set: `status = 'quoted', lines = ${$('lines')}, total = ${$('total')}::numeric, message = ${$('message')},
       valid_until = ${$('validUntil')}, url = ${$('url')}`,
    where: `r.id = ${$('quoteId')}`,
    before: $('before'),
    after: pricedFields,
    payload: { notifyCustomer: $('notifyCustomer'), notifyWorkshop: 'false' },
    ...{ now: $('now'), by: actorOf($) },
  }),
);

/** Prices a locked quote, or prices it again. */
export function writePrice(tx: Queryable, price: Values<typeof priceColumns>): Promise<QuoteVersion> {
  return writeOne(tx, priceStatement, price);
}

const statusAfter = { status: 'r.status' };

const declineColumns = {
  quoteId: 'uuid',
  previousStatus: 'text',
  notifyWorkshop: 'boolean',
  now: 'timestamptz',
  ...actorColumns,
} as const;
const declineStatement = statement(declineColumns, ($) =>
  changeText({
    kind: `'quote.declined'`,
    set: `status = 'declined'`,
    where: `r.id = ${$('quoteId')}`,
    ...{ before: { status: $('previousStatus') }, after: statusAfter },
    payload: { notifyCustomer: 'false', notifyWorkshop: $('notifyWorkshop') },
    ...{ now: $('now'), by: actorOf($) },
  }),
);

/** Declines a locked quote. */
export function writeDecline(tx: Queryable, decline: Values<typeof declineColumns>): Promise<QuoteVersion> {
  return writeOne(tx, declineStatement, decline);
}

const acceptColumns = {
  quoteId: 'uuid',
  booking: 'jsonb',
  notifyWorkshop: 'boolean',
  now: 'timestamptz',
  ...actorColumns,
} as const;
const acceptStatement = statement(acceptColumns, ($) =>
  changeText({
    kind: `'quote.accepted'`,
    set: `status = 'accepted', booking_id = (${$('booking')} ->> 'id')::uuid`,
    where: `r.id = ${$('quoteId')}`,
    before: { status: `'quoted'`, bookingId: 'NULL' },
    after: { ...statusAfter, bookingId: 'r.booking_id' },
    payload: { booking: $('booking'), notifyCustomer: 'false', notifyWorkshop: $('notifyWorkshop') },
    ...{ now: $('now'), by: actorOf($) },
  }),
);

/** Accepts a locked quote, whose booking this transaction has made. The event of the booking notifies the customer. */
export function writeAcceptance(
  tx: Queryable,
  accepted: Values<typeof acceptColumns> & { readonly booking: Booking },
): Promise<QuoteVersion> {
  return writeOne(tx, acceptStatement, accepted);
}

async function writeOne<P extends Parameters<typeof statement>[0]>(
  tx: Queryable,
  { text, values }: Statement<P>,
  input: Values<P>,
): Promise<QuoteVersion> {
  const [row] = await tx.query<QuoteVersion>(text, values(input));
  if (row === undefined) throw new Error('a locked quote could not be written');
  return row;
}

const isOver = `status = 'quoted' AND valid_until <= $1::timestamptz`;
const expireText = changeText({
  kind: `'quote.expired'`,
  set: `status = 'expired'`,
  where: `r.id IN (SELECT id FROM quote WHERE id = ANY ($2::uuid[]) AND ${isOver} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`,
  ...{ before: { status: `'quoted'` }, after: statusAfter },
  payload: { notifyCustomer: 'false', notifyWorkshop: 'false' },
  ...{ now: '$1::timestamptz', by: actorIs(actors.schedule) },
});

/** Up to `limit` quotes that are no longer valid at `now` (business time) and that have not failed in this job. */
export async function findExpired(db: Queryable, job: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    planOnce(
      `SELECT id FROM quote WHERE ${isOver} AND ${notFailed(job, 'quote.id')} ORDER BY valid_until LIMIT $2`,
    ),
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Expires those of these quotes that are no longer valid at `now` (business time), and returns how many. Rows that others have
 * locked are skipped.
 */
export async function expireQuotes(db: Queryable, now: Date, ids: readonly string[]): Promise<number> {
  return (await db.query(expireText, [now, ids])).length;
}
