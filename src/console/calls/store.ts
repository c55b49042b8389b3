/** SQL of the page of calls: the last call of each number represents its earlier ones, over all partners of the workshop. */
import type { Queryable } from '#platform/db/database.ts';
import { highestId } from '#platform/db/page-bounds.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import {
  type CallBackState,
  isCalledBack,
  isLastOfCaller,
  untaken,
  waitsForCallBack,
} from '#product/leads/call-back/store.ts';
import { type CallLead, callOutcomes } from '#product/leads/schema.ts';
import { leadLinks } from '#product/leads/snapshot.ts';

export interface Call {
  readonly id: string;
  /** The version of the partner's record. */
  readonly leadVersion: number;
  readonly calledAt: Date;
  readonly outcome: CallLead['outcome'];
  /** E.164; null: the caller was erased. */
  readonly phone: string | null;
  readonly durationSeconds: number | null;
  readonly source: string | null;
  readonly recordingUrl: string | null;
  readonly notes: string | null;
  readonly partner: string;
  /** The name that a partner registered with this call, or with another of the number's last 20. */
  readonly callerName: string | null;
  /** The customer who has the number, the kept one of merged ones; null: none is known. */
  readonly customerId: string | null;
  readonly customer: string | null;
  readonly optedOut: boolean;
  /** The first booking after the call by the partner that registered it; null: there is none. */
  readonly bookingId: string | null;
  /** How often the number called in the two weeks up to this call, 100 at most. */
  readonly times: number;
  readonly state: CallBackState;
  /** The version of the call-back; 0: not marked yet. */
  readonly version: number;
  readonly note: string | null;
  /** The person who marked it, in the form of `storedActor`, and the time; null: it is not marked. */
  readonly actor: string | null;
  readonly at: Date | null;
}

/** The filters: callers who wait, finished ones, and all. A missed call waits for two weeks. */
export type CallFilter = 'waiting' | 'done' | 'all';

const countedAtMost = 100;

const columns = `l.id, l.version AS lead_version, l.called_at, l.outcome, nullif(l.caller_phone, '') AS phone, l.duration_seconds, l.source,
       l.recording_url, l.notes, p.name AS partner, coalesce(l.customer_name, (
         SELECT customer_name FROM (
           SELECT customer_name FROM call_lead named WHERE named.caller_phone = nullif(l.caller_phone, '')
              AND named.workshop_id = l.workshop_id ORDER BY named.called_at DESC, named.id DESC LIMIT 20) AS lately
          WHERE customer_name IS NOT NULL LIMIT 1)) AS caller_name, k.id AS customer_id, k.name AS customer,
       k.opted_out_at IS NOT NULL AS opted_out, booked.id AS booking_id,
       CASE WHEN l.caller_phone = '' THEN 1 ELSE (SELECT count(*)::integer FROM (
         SELECT FROM call_lead other WHERE other.caller_phone = l.caller_phone AND other.workshop_id = l.workshop_id
            AND other.called_at > l.called_at - interval '14 days' AND other.called_at <= l.called_at
          LIMIT ${countedAtMost}) AS counted) END AS times,
       coalesce(b.state, 'waiting') AS state, coalesce(b.version, 0) AS version, b.note,
       CASE WHEN b.version > 0 THEN b.actor END AS actor, CASE WHEN b.version > 0 THEN b.at END AS at`;

/** After a FROM of call leads `l`. */
const joins = `JOIN partner p ON p.id = l.partner_id ${leadLinks('l')}
       LEFT JOIN customer own ON own.id = caller.customer_id LEFT JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
       LEFT JOIN call_back b ON b.call_lead_id = l.id`;

const isLast = `(l.caller_phone = '' OR ${isLastOfCaller('l')})`;
const filters: Readonly<
  Record<CallFilter, { readonly outcomes: readonly string[]; readonly where: string }>
> = {
  waiting: { outcomes: untaken, where: waitsForCallBack('l') },
  done: { outcomes: callOutcomes, where: `${isLast} AND (l.outcome = 'answered' OR ${isCalledBack('l')})` },
  all: { outcomes: callOutcomes, where: isLast },
};

/** As many rows of each partner and outcome as a page has, by an index; then the newest of them. */
const listText = ({ outcomes, where }: (typeof filters)[CallFilter]) =>
  planEachTime(`WITH shown AS MATERIALIZED (
       SELECT its.* FROM link CROSS JOIN unnest('{${outcomes}}'::text[]) AS of (outcome) CROSS JOIN LATERAL (
         SELECT l.* FROM call_lead l
          WHERE l.workshop_id = link.workshop_id AND l.partner_id = link.partner_id AND l.outcome = of.outcome AND l.called_at >= $3
            AND (l.called_at, l.id) < ($2::timestamptz, $5::uuid)
            AND ${where}
          ORDER BY l.called_at DESC, l.id DESC LIMIT $4) AS its
        WHERE link.workshop_id = $1 ORDER BY its.called_at DESC, its.id DESC LIMIT $4)
     SELECT ${columns} FROM shown l ${joins} ORDER BY l.called_at DESC, l.id DESC`);
const listTexts: Readonly<Record<CallFilter, string>> = {
  ...{ waiting: listText(filters.waiting), done: listText(filters.done), all: listText(filters.all) },
};

export interface CallPage {
  readonly workshopId: string;
  readonly filter: CallFilter;
  /** Calls from then on; null: all that are kept. */
  readonly since: Date | null;
  /** The last call of the previous page; null: the first page. */
  readonly before: string | null;
  readonly limit: number;
}

/** For a test that reads its plan. `at`: of the call `before`, as PostgreSQL writes it. */
export const listCallsStatement = (
  { workshopId, filter, since, before, limit }: CallPage,
  at: string | null,
) => ({
  text: listTexts[filter],
  values: [workshopId, at ?? 'infinity', since ?? new Date(0), limit, before ?? highestId],
});

/** The last call of each number, newest first; a `before` of another workshop gives an empty page. */
export async function listCallers(db: Queryable, page: CallPage): Promise<Call[]> {
  const at = page.before === null ? null : await findInstant(db, page.workshopId, page.before);
  if (page.before !== null && at === null) return [];
  const { text, values } = listCallsStatement(page, at);
  return db.query<Call>(text, values);
}

async function findInstant(db: Queryable, workshopId: string, id: string): Promise<string | null> {
  const [row] = await db.query<{ at: string }>(
    'SELECT called_at::text AS at FROM call_lead WHERE id = $2 AND workshop_id = $1',
    [workshopId, id],
  );
  return row?.at ?? null;
}

/** One call of the workshop, or null. */
export async function findCall(db: Queryable, workshopId: string, id: string): Promise<Call | null> {
  const [row] = await db.query<Call>(
    `SELECT ${columns} FROM call_lead l ${joins} WHERE l.id = $2 AND l.workshop_id = $1`,
    [workshopId, id],
  );
  return row ?? null;
}

const ofNumberText = `SELECT ${columns} FROM call_lead l ${joins}
      WHERE l.caller_phone = $2 AND l.workshop_id = $1
      ORDER BY l.called_at DESC, l.id DESC LIMIT $3`;

/** The calls of a number (E.164), the newest first. */
export async function listCallsOf(
  db: Queryable,
  {
    workshopId,
    phone,
    limit,
  }: { readonly workshopId: string; readonly phone: string; readonly limit: number },
): Promise<Call[]> {
  return db.query<Call>(ofNumberText, [workshopId, phone, limit]);
}
