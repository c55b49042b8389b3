/** SQL of the partner report: one statement, so that all counts are from one snapshot. */

import type { Queryable } from '#platform/db/database.ts';
import { callOutcomes } from '#product/leads/schema.ts';
import { leadLinks } from '#product/leads/snapshot.ts';
import { countedIn, messageCounts, number, periods, type Source, type Span } from './counting.ts';
import type { CountName } from './counts.ts';

/** Each has an index on the partner and the instant: docs/decisions/0007-partner-report.md. */
const sources: readonly Source<CountName>[] = [
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
  { table: 'message', at: 'created_at', counts: messageCounts },
];

const own = 'partner_id = $1 AND ($2::uuid IS NULL OR workshop_id = $2)';
const period = periods('$3', '$4');

const byPeriod = `SELECT period.number::text AS key, ${sources.map(({ table }) => `its_${table}.*`).join(', ')}
  FROM ${[period, ...sources.map((source) => countedIn(source, own))].join(' CROSS JOIN ')}`;

const byWorkshop = `SELECT * FROM ${sources
  .map(
    (source) =>
      `(SELECT its_${source.table}.* FROM ${period} CROSS JOIN ${countedIn(source, own, 'workshop_id')}) AS of_${source.table}`,
  )
  .reduce((joined, next) => `${joined} FULL JOIN ${next} USING (key)`)}`;

const texts = { period: byPeriod, workshop: byWorkshop };

export interface CountedOf {
  readonly partnerId: string;
  /** Null: all workshops. */
  readonly workshopId: string | null;
  /** Exactly one when grouping by workshop. */
  readonly spans: readonly Span[];
}

/** The counts for one key: the number of a span, from 1, or the id of a workshop with rows. Numbers are texts. */
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

/** The workshops that the partner is linked to, by id, even if the link is off; only the named one if there is one. */
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
