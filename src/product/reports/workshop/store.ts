/** SQL of a workshop's report: one statement for each table, which counts all its periods and groups. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { countedIn, messageCounts, number, periods, type Source, type Span } from '../counting.ts';
import type { BookingCount, QuoteCount, TextCount } from './counts.ts';

const bookings: Source<BookingCount> = {
  table: 'booking',
  // Each row by its key: a join as a set would read those of all workshops.
  from: `booking LEFT JOIN LATERAL (
      SELECT true AS came_not FROM attendance WHERE booking_id = booking.id AND state = 'didNotCome' OFFSET 0) AS absent ON true`,
  at: 'date',
  counts: {
    bookings: 'count(*)',
    pending: number(`status = 'pending'`),
    confirmed: number(`status = 'confirmed'`),
    completed: number(`status = 'completed'`),
    cancelled: number(`status = 'cancelled'`),
    due: number(`came_not OR status <> 'cancelled' AND date < $4`),
    notCome: number('came_not'),
  },
};

const isOver = `(status = 'expired' OR status = 'quoted' AND valid_until <= $4)`;

const quotes: Source<QuoteCount> = {
  table: 'quote',
  at: 'created_at',
  counts: {
    asked: 'count(*)',
    priced: number('total IS NOT NULL'),
    pricedValue: 'coalesce(sum(total), 0)',
    won: number(`status = 'accepted'`),
    wonValue: `coalesce(sum(total) FILTER (WHERE status = 'accepted'), 0)`,
    lost: number(`status = 'declined' AND total IS NOT NULL`),
    expired: number(isOver),
    waiting: number(`status IN ('requested', 'quoted') AND NOT ${isOver}`),
    turnedDown: number(`status = 'declined' AND total IS NULL`),
  },
};

const texts: Source<TextCount> = { table: 'message', at: 'created_at', counts: messageCounts };

/** In groups by `by`; null is the group without a key. */
const counted = <Name extends string>(source: Source<Name>, own: string, by: string): string =>
  planOnce(`SELECT period.number::int AS number, its_${source.table}.*
    FROM ${periods('$2', '$3')} CROSS JOIN ${countedIn(source, own, by)}`);

/** By partner. */
const bookingsText = counted(bookings, 'workshop_id = $1', 'partner_id');
/** All of them. */
const quotesText = counted(quotes, 'workshop_id = $1', 'workshop_id');
/** By kind. */
const textsText = counted(texts, `workshop_id = $1 AND channel = 'sms'`, 'kind');

/** The counts of one period for one key; numbers are texts. A group without rows is missing. */
export type CountedRow<Name extends string> = {
  /** The number of the period, from 1. */
  readonly number: number;
  /** The id of a partner (null: the workshop's own), or the kind of a message. */
  readonly key: string | null;
} & Readonly<Record<Name, string>>;

interface CountedOf {
  readonly workshopId: string;
  readonly spans: readonly Span[];
  /** Business time, which decides what is due and what has expired. */
  readonly now: Date;
}

export interface Counted {
  readonly bookings: readonly CountedRow<BookingCount>[];
  readonly quotes: readonly CountedRow<QuoteCount>[];
  readonly texts: readonly CountedRow<TextCount>[];
}

/** All counts of a workshop in some periods. */
export async function countWorkshop(db: Queryable, { workshopId, spans, now }: CountedOf): Promise<Counted> {
  const values = [workshopId, spans.map(({ since }) => since), spans.map(({ until }) => until)];
  const [ofBookings, ofQuotes, ofTexts] = await Promise.all([
    db.query<CountedRow<BookingCount>>(bookingsText, [...values, now]),
    db.query<CountedRow<QuoteCount>>(quotesText, [...values, now]),
    db.query<CountedRow<TextCount>>(textsText, values),
  ]);
  return { bookings: ofBookings, quotes: ofQuotes, texts: ofTexts };
}

/** Names of partners by id. */
export async function namesOfPartners(
  db: Queryable,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    'SELECT id, name FROM partner WHERE id = ANY ($1::uuid[])',
    [partnerIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
