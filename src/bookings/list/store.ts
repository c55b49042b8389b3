/** SQL of a partner's bookings: the list, newest first, and the feed of changes. */
import type { Queryable } from '#db/database.ts';
import { type FeedPage, type FeedPosition, feedText, readFeed } from '#feed/store.ts';
import { type Booking, type BookingStatus, bookingStatuses } from '../schema.ts';
import { bookingJson } from '../snapshot.ts';

/** The filters of a list; an absent one filters nothing. */
export interface BookingFilters {
  readonly workshopId?: string;
  readonly status?: BookingStatus;
  /** `date` from this instant on, and before that one. */
  readonly from?: Date;
  readonly to?: Date;
  readonly externalId?: string;
}

/** A list by date sorts up to so many bookings; with more, it searches from the newest. */
const sortedAtMost = 2_000;

type Name = 'workshopId' | 'from' | 'to' | 'externalId';
const types: Readonly<Record<Name, string>> = {
  workshopId: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  externalId: 'text',
};

interface Parameters {
  /** The conditions of the filters on `row`, except the status. */
  readonly conditions: readonly string[];
  readonly values: readonly unknown[];
  $(name: Name): string;
}

/** One statement for each set of filters: absent filters do not appear in it. */
function parametersOf(filters: BookingFilters, first: number): Parameters {
  const names = (Object.keys(types) as Name[]).filter((name) => filters[name] !== undefined);
  const $ = (name: Name) => `$${first + names.indexOf(name)}::${types[name]}`;
  const conditions: Readonly<Record<Name, () => string>> = {
    workshopId: () => `row.workshop_id = ${$('workshopId')}`,
    from: () => `row.date >= ${$('from')}`,
    to: () => `row.date < ${$('to')}`,
    externalId: () => `row.external_id = ${$('externalId')}`,
  };
  return {
    conditions: names.map((name) => conditions[name]()),
    values: names.map((name) => filters[name]),
    $,
  };
}

/** The page's ids for `SELECT … ORDER BY id DESC`: one status after the other, each newest first by its index. */
function newestIds(conditions: readonly string[]): string {
  return `SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT row.id FROM booking AS row
       WHERE ${['row.partner_id = $1::uuid', 'row.status = wanted.status', 'row.id < $3::uuid', ...conditions].join(' AND ')}
       ORDER BY row.id DESC LIMIT $4::integer) AS own`;
}

/** The ids of all bookings of these dates, at most one more than is sorted, by workshop and date. */
function datedIds({ conditions, $ }: Parameters, filters: BookingFilters): string {
  const workshops =
    filters.workshopId === undefined
      ? `(SELECT workshop_id AS id FROM link WHERE partner_id = $1::uuid)`
      : `(SELECT ${$('workshopId')} AS id)`;
  return `SELECT own.id FROM ${workshops} AS workshop CROSS JOIN LATERAL (
      SELECT row.id FROM booking AS row
       WHERE ${['row.workshop_id = workshop.id', 'row.partner_id = $1::uuid', 'row.status = ANY ($2::text[])', ...conditions].join(' AND ')}
       ORDER BY row.date LIMIT ${sortedAtMost + 1}) AS own LIMIT ${sortedAtMost + 1}`;
}

function idsText(filters: BookingFilters, parameters: Parameters): string {
  const { conditions } = parameters;
  if (filters.externalId !== undefined) {
    return `SELECT row.id FROM booking AS row
      WHERE ${['row.partner_id = $1::uuid', 'row.status = ANY ($2::text[])', 'row.id < $3::uuid', ...conditions].join(' AND ')}`;
  }
  if (filters.from === undefined && filters.to === undefined) return newestIds(conditions);
  return `SELECT id FROM dated WHERE (SELECT count(*) FROM dated) <= ${sortedAtMost} AND id < $3::uuid
    UNION ALL SELECT id FROM (${newestIds(conditions)}) AS newest WHERE (SELECT count(*) FROM dated) > ${sortedAtMost}`;
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Exported for tests that read its plan. */
export function listStatement(
  partnerId: string,
  filters: BookingFilters,
  after: string | null,
  limit: number,
): { readonly text: string; readonly values: readonly unknown[] } {
  const parameters = parametersOf(filters, 5);
  const byDate = filters.externalId === undefined && (filters.from !== undefined || filters.to !== undefined);
  const dated = byDate ? `WITH dated AS MATERIALIZED (${datedIds(parameters, filters)}) ` : '';
  const text = `${dated}SELECT page.id, own.booking
    FROM (SELECT id FROM (${idsText(filters, parameters)}) AS found ORDER BY id DESC LIMIT $4::integer) AS page
   CROSS JOIN LATERAL (
     SELECT ${bookingJson('b', 'c')} AS booking FROM booking b JOIN car c ON c.id = b.car_id WHERE b.id = page.id LIMIT 1) AS own
   ORDER BY page.id DESC`;
  const statuses = filters.status === undefined ? bookingStatuses : [filters.status];
  return { text, values: [partnerId, statuses, after ?? lastId, limit, ...parameters.values] };
}

export interface ListedBooking {
  readonly id: string;
  readonly booking: Booking;
}

/** The partner's bookings, newest created first: `limit` of those before the id `after`. */
export function listBookings(
  db: Queryable,
  partnerId: string,
  filters: BookingFilters,
  after: string | null,
  limit: number,
): Promise<ListedBooking[]> {
  const { text, values } = listStatement(partnerId, filters, after, limit);
  return db.query<ListedBooking>(text, values);
}

/** Exported for tests that read its plan. */
export function bookingFeedText(filters: BookingFilters): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const { conditions, values } = parametersOf(filters, 8);
  const text = feedText({
    table: 'booking',
    tenant: 'row.partner_id = $6::uuid',
    matches: ['row.status = ANY ($7::text[])', ...conditions].join(' AND '),
    item: bookingJson('row', 'c'),
    joins: 'JOIN car c ON c.id = row.car_id',
  });
  return { text, values: [filters.status === undefined ? bookingStatuses : [filters.status], ...values] };
}

/** The partner's bookings that have changed since, in the order in which the changes became visible. */
export function readBookingFeed(
  db: Queryable,
  partnerId: string,
  filters: BookingFilters,
  page: { readonly since: Date; readonly position: FeedPosition | null; readonly limit: number },
): Promise<FeedPage<Booking>> {
  const { text, values } = bookingFeedText(filters);
  return readFeed<Booking>(db, text, [page.since, page.position, page.limit], [partnerId, ...values]);
}

/** For `keepFeed`: rewrites a batch of bookings, which gives each the number of this transaction. */
export async function rewriteBookings(db: Queryable, after: string | null): Promise<string | null> {
  const [row] = await db.query<{ last: string | null }>(
    `WITH batch AS (SELECT id FROM booking WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT 1000 FOR NO KEY UPDATE),
       rewritten AS (UPDATE booking SET version = version FROM batch WHERE booking.id = batch.id)
     SELECT max(id::text) AS last FROM batch`,
    [after],
  );
  return row?.last ?? null;
}
