/** SQL of the status command and of the metrics: server, counts, workers, queued messages. */
import type { Queryable } from '#platform/db/database.ts';
import { columnOf } from '#platform/db/parameters.ts';
import type { LimiterState } from '#platform/gateways/limiter/limiter.ts';
import { records } from '#records.ts';

/** Counts stop here, so that they stay quick on large tables. */
export const countAtMost = 100_000;

export interface ServerFacts {
  /** Such as `18.4`. */
  readonly version: string;
  /** The newest applied migration; null on a database without any. */
  readonly migration: string | null;
}

export async function readServer(db: Queryable): Promise<ServerFacts> {
  const [server] = await db.query<{ version: string; migrated: boolean }>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version, to_regclass('migration') IS NOT NULL AS migrated`,
  );
  const version = server?.version ?? '';
  if (!server?.migrated) return { version, migration: null };
  const [newest] = await db.query<{ name: string }>(`SELECT name FROM migration ORDER BY name DESC LIMIT 1`);
  return { version, migration: newest?.name ?? null };
}

type Counted = 'partners' | 'workshops' | (typeof records)[number]['plural'];
export type Counts = Readonly<Record<Counted, number>>;

const countedTables: readonly (readonly [Counted, table: string])[] = [
  ['partners', 'partner'],
  ['workshops', 'workshop'],
  ...records.map(({ plural, table }) => [plural, table] as const),
];
const countsText = `SELECT ${countedTables
  .map(
    ([name, table]) =>
      `(SELECT count(*)::int FROM (SELECT FROM ${table} LIMIT $1) AS found) AS ${columnOf(name)}`,
  )
  .join(', ')}`;

export async function readCounts(db: Queryable): Promise<Counts> {
  const [counts] = await db.query<Counts>(countsText, [countAtMost]);
  if (counts === undefined) throw new Error('a SELECT without FROM has one row');
  return counts;
}

export interface WorkerSeen {
  readonly workerId: string;
  readonly startedAt: Date;
  /** Seconds since its last heartbeat, by the machine clock. */
  readonly silentSeconds: number;
  /** The state of each of its gateways at that heartbeat. */
  readonly gateways: LimiterState[];
}

export async function listWorkers(db: Queryable): Promise<WorkerSeen[]> {
  return db.query<WorkerSeen>(
    `SELECT id AS worker_id, started_at,
       greatest(0, round(extract(epoch FROM clock_timestamp() - seen_at)))::int AS silent_seconds, gateways
     FROM worker ORDER BY started_at, id`,
  );
}

export interface WaitingMessages {
  /** Their route: `email`, `sms` for the installation's SMS gateways, `sms:kannel,twilio` for a workshop's own. */
  readonly route: string;
  /** All queued messages: waiting, to be retried, in flight, or with an unknown outcome. */
  readonly count: number;
  /** Since the oldest was queued; machine clock. */
  readonly oldestSeconds: number;
}

/** One scan of the queue, a table that is small without a backlog; messages that requests are sending are not in it. */
export async function waitingMessages(db: Queryable): Promise<WaitingMessages[]> {
  return db.query<WaitingMessages>(
    `WITH alike AS MATERIALIZED (
       SELECT workshop_id, channel, count(*) AS count, min(created_at) AS since
       FROM queued_message WHERE class IS NOT NULL GROUP BY workshop_id, channel
     )
     SELECT ${routeOf('alike', 'w')} AS route, sum(count)::int AS count,
       greatest(0, extract(epoch FROM clock_timestamp() - min(since)))::float8 AS oldest_seconds
     FROM alike JOIN workshop w ON w.id = workshop_id GROUP BY 1 ORDER BY 1`,
  );
}

export interface WaitingDeliveries {
  /** For enabled endpoints: waiting, to be tried again, or in flight. Stops at 100,000. */
  readonly count: number;
  /** Since the oldest of them was queued; machine clock. */
  readonly oldestSeconds: number;
  readonly disabledEndpoints: number;
}

/** Reads the index of waiting deliveries, endpoint by endpoint. */
export async function waitingDeliveries(db: Queryable): Promise<WaitingDeliveries> {
  const [row] = await db.query<WaitingDeliveries>(
    `SELECT count(waiting.id)::int AS count,
       coalesce(greatest(0, extract(epoch FROM clock_timestamp() - made_at(min(waiting.id::text)::uuid))), 0)::float8 AS oldest_seconds,
       (SELECT count(*)::int FROM webhook WHERE status = 'disabled') AS disabled_endpoints
     FROM (
       SELECT d.id FROM webhook w CROSS JOIN LATERAL (
         SELECT id FROM webhook_delivery WHERE webhook_id = w.id AND due_at IS NOT NULL LIMIT $1) AS d
        WHERE w.status = 'enabled' LIMIT $1) AS waiting`,
    [countAtMost],
  );
  return row ?? { count: 0, oldestSeconds: 0, disabledEndpoints: 0 };
}

export interface UsedUpPages {
  readonly workshopId: string;
  readonly workshop: string;
}

/** The workshops whose pages have used up the SMS of the hour, so that something was withheld within it. */
export async function usedUpPages(db: Queryable): Promise<UsedUpPages[]> {
  return db.query<UsedUpPages>(
    `SELECT w.id AS workshop_id, w.name AS workshop FROM (
       SELECT subject FROM page_use WHERE kind = 'workshop' AND over_at > (SELECT clock_timestamp() - interval '1 hour') OFFSET 0) AS over
       JOIN workshop w ON w.id = over.subject::uuid ORDER BY w.name, w.id`,
  );
}

const routeOf = (message: string, workshop: string) =>
  `CASE WHEN ${message}.channel = 'sms' AND ${workshop}.sms_gateways IS NOT NULL
     THEN 'sms:' || array_to_string(${workshop}.sms_gateways, ',') ELSE ${message}.channel END`;

export interface GatewayError {
  /** The gateway as the attempt names it: a list when it is unknown which of them had the message. */
  readonly gateway: string;
  readonly reason: string;
  readonly detail: string | null;
  readonly at: Date;
}

const recentAttempts = 5_000;

/** The last failure of each gateway that is about the gateway and not about a message, among the latest 5,000 attempts. */
export async function lastGatewayErrors(db: Queryable): Promise<GatewayError[]> {
  return db.query<GatewayError>(
    `WITH recent AS (
       SELECT id, gateway, reason, detail, coalesce(finished_at, started_at) AS at FROM message_attempt ORDER BY id DESC LIMIT $1)
     SELECT DISTINCT ON (gateway) gateway, reason, detail, at FROM recent
      WHERE reason IN ('gatewayUnavailable', 'temporarilyRefused', 'unknownOutcome') ORDER BY gateway, id DESC`,
    [recentAttempts],
  );
}
