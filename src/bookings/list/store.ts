/** SQL of a partner's bookings: the list, newest first, and the feed of changes. */
import type { Queryable } from '#db/database.ts';
import { type FilterParameters, filterParameters, lastId, newestIds } from '#feed/list/store.ts';
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

const columns = {
  workshopId: { type: 'uuid', is: (value: string) => `row.workshop_id = ${value}` },
  from: { type: 'timestamptz', is: (value: string) => `row.date >= ${value}` },
  to: { type: 'timestamptz', is: (value: string) => `row.date < ${value}` },
  externalId: { type: 'text', is: (value: string) => `row.external_id = ${value}` },
} as const;
type Parameters = FilterParameters<keyof typeof columns>;

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
  if (filters.from === undefined && filters.to === undefined) return newestIds('booking', conditions);
  return `SELECT id FROM dated WHERE (SELECT count(*) FROM dated) <= ${sortedAtMost} AND id < $3::uuid
    UNION ALL SELECT id FROM (${newestIds('booking', conditions)}) AS newest WHERE (SELECT count(*) FROM dated) > ${sortedAtMost}`;
}

/** Exported for tests that read its plan. */
export function listStatement(
  partnerId: string,
  filters: BookingFilters,
  after: string | null,
  limit: number,
): { readonly text: string; readonly values: readonly unknown[] } {
  const parameters = filterParameters(columns, filters, 5);
  const byDate = filters.externalId === undefined && (filters.from !== undefined || filters.to !== undefined);
  const dated = byDate ? `WITH dated AS MATERIALIZED (${datedIds(parameters, filters)}) ` : '';
  const text = `${dated}SELECT page.id, own.booking AS item
    FROM (SELECT id FROM (${idsText(filters, parameters)}) AS found ORDER BY id DESC LIMIT $4::integer) AS page
   CROSS JOIN LATERAL (
     SELECT ${bookingJson('b', 'c')} AS booking FROM booking b JOIN car c ON c.id = b.car_id WHERE b.id = page.id LIMIT 1) AS own
   ORDER BY page.id DESC`;
  const statuses = filters.status === undefined ? bookingStatuses : [filters.status];
  return { text, values: [partnerId, statuses, after ?? lastId, limit, ...parameters.values] };
}

export interface ListedBooking {
  readonly id: string;
  readonly item: Booking;
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
  const { conditions, values } = filterParameters(columns, filters, 8);
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
