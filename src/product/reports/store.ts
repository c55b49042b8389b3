/** SQL of the partner report: one statement, so that all its counts are of one moment. */

import type { Queryable } from '#platform/db/database.ts';
import { columnOf } from '#platform/db/parameters.ts';
import { callOutcomes } from '#product/leads/schema.ts';
import { leadLinks } from '#product/leads/snapshot.ts';
import { isAccepted } from '#product/sending/accepted.ts';
import type { CountName } from './counts.ts';

/** What is counted in one table, by an instant of its rows. */
interface Source {
  readonly table: string;
  /** The table with what it is joined to; absent: the table alone. */
  readonly from?: string;
  /** The column with that instant. */
  readonly at: string;
  /** Aggregates over the partner's rows. */
  readonly counts: Readonly<Partial<Record<CountName, string>>>;
}

const number = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
const sent = `direction = 'outbound' AND ${isAccepted('message')}`;

/** Each has an index on the partner and the instant: docs/decisions/0007-partner-report.md. */
const sources: readonly Source[] = [
  {
    table: 'booking',
    at: 'created_at',
    counts: {
      bookingsCreated: 'count(*)',
      bookingsPending: number(`status = 'pending'`),
      bookingsConfirmed: number(`status = 'confirmed'`),
      bookingsCompleted: number(`status = 'completed'`),
      bookingsCancelled: number(`status = 'cancelled'`),
    },
  },
  {
    table: 'call_lead',
    at: 'called_at',
    from: `unnest(ARRAY['${callOutcomes.join("', '")}']) AS wanted (outcome) JOIN call_lead AS lead ON lead.outcome = wanted.outcome
      ${leadLinks('lead')}`,
    counts: { callLeads: 'count(*)', callLeadsBooked: 'count(booked.id)' },
  },
  {
    table: 'quote',
    at: 'created_at',
    counts: { quotesRequested: 'count(*)', quotesAccepted: number(`status = 'accepted'`) },
  },
  {
    table: 'service_reminder',
    at: 'sent_at',
    counts: { remindersSent: 'count(*)', remindersBooked: number(`status = 'booked'`) },
  },
  {
    table: 'message',
    at: 'created_at',
    counts: {
      messagesSent: number(sent),
      messagesDelivered: number(`state = 'delivered'`),
      messagesFailed: number(`state IN ('failed', 'undelivered', 'expired')`),
      messagesReceived: number(`direction = 'inbound'`),
      smsSegments: `coalesce(sum(segments) FILTER (WHERE ${sent}), 0)`,
    },
  },
];

/**
 * The aggregates of one source, for a row `period` with `since` and `until`. The planner does not know how long a period is, and so
 * takes the index, also where the partner has most of the table: read in full it would cost three times as much.
 */
function countedIn({ table, from = table, at, counts }: Source, by: 'period' | 'workshop'): string {
  const columns = Object.entries(counts).map(([name, sql]) => `${sql} AS ${columnOf(name)}`);
  const [key, group] = by === 'workshop' ? ['workshop_id::text AS key, ', 'GROUP BY workshop_id'] : ['', ''];
  return `LATERAL (SELECT ${key}${columns.join(', ')} FROM ${from}
    WHERE partner_id = $1 AND ${at} >= since AND ${at} < until AND ($2::uuid IS NULL OR workshop_id = $2) ${group}) AS its_${table}`;
}

const period =
  'unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS period (since, until, number)';

const byPeriod = `SELECT period.number::text AS key, ${sources.map(({ table }) => `its_${table}.*`).join(', ')}
  FROM ${[period, ...sources.map((source) => countedIn(source, 'period'))].join(' CROSS JOIN ')}`;

const byWorkshop = `SELECT * FROM ${sources
  .map(
    (source) =>
      `(SELECT its_${source.table}.* FROM ${period} CROSS JOIN ${countedIn(source, 'workshop')}) AS of_${source.table}`,
  )
  .reduce((joined, next) => `${joined} FULL JOIN ${next} USING (key)`)}`;

const texts = { period: byPeriod, workshop: byWorkshop };

/** From its first instant to the first after it. */
export interface Span {
  readonly since: Date;
  readonly until: Date;
}

export interface CountedOf {
  readonly partnerId: string;
  /** Null: in all workshops. */
  readonly workshopId: string | null;
  /** Counts by workshop take one. */
  readonly spans: readonly Span[];
}

/** What was counted for one key: the number of a span, from 1, or the id of a workshop that has rows. Numbers come as texts. */
export type CountedRow = { readonly key: string } & Readonly<Partial<Record<CountName, string | null>>>;

export function readCounts(
  db: Queryable,
  by: 'period' | 'workshop',
  { partnerId, workshopId, spans }: CountedOf,
): Promise<CountedRow[]> {
  return db.query<CountedRow>(texts[by], [
    ...[partnerId, workshopId],
    ...[spans.map(({ since }) => since), spans.map(({ until }) => until)],
  ]);
}

export interface ReportWorkshop {
  readonly id: string;
  readonly timezone: string;
}

/** The workshops that the partner is linked to, by id, also where the link is off; one of them when it is named. */
export function listReportWorkshops(
  db: Queryable,
  partnerId: string,
  workshopId: string | null,
): Promise<ReportWorkshop[]> {
  return db.query<ReportWorkshop>(
    `SELECT w.id, w.timezone FROM link l JOIN workshop w ON w.id = l.workshop_id
      WHERE l.partner_id = $1 AND ($2::uuid IS NULL OR l.workshop_id = $2) ORDER BY w.id`,
    [partnerId, workshopId],
  );
}
