/** SQL of background work: events that wait, dead letters, and live workers. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import type { LimiterState } from '#platform/gateways/limiter/limiter.ts';

export interface WorkBacklog {
  readonly eventsWaiting: number;
  /** Seconds since the oldest waiting event was made, or since the time of one that was held was over; 0 when none waits. */
  readonly oldestEventSeconds: number;
  readonly deadLetters: number;
}

/** Held events count from when their time is over. */
const overdue = 'held_event WHERE held_until <= (SELECT clock_timestamp())';

/** The work that is not done yet, for the status command and the metrics. */
export async function workBacklog(db: Queryable): Promise<WorkBacklog> {
  const [backlog] = await db.query<WorkBacklog>(
    // The first 48 bits of an event's id are the machine time of its creation, in milliseconds.
    `SELECT
       (SELECT count(*)::int FROM event WHERE relayed_at IS NULL) + (SELECT count(*)::int FROM ${overdue}) AS events_waiting,
       greatest(0, (
         SELECT extract(epoch FROM clock_timestamp())
           - ('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0
         FROM event WHERE relayed_at IS NULL ORDER BY id LIMIT 1
       ), (SELECT extract(epoch FROM clock_timestamp() - min(held_until)) FROM ${overdue}))::float8 AS oldest_event_seconds,
       (SELECT count(*)::int FROM dead_letter) AS dead_letters`,
  );
  return backlog ?? { eventsWaiting: 0, oldestEventSeconds: 0, deadLetters: 0 };
}

/** Records that the worker lives, and what it sees of its gateways. */
export async function beat(db: Queryable, id: string, gateways: readonly LimiterState[] = []): Promise<void> {
  await db.query(
    planOnce(`INSERT INTO worker (id, started_at, seen_at, gateways) VALUES ($1, clock_timestamp(), clock_timestamp(), $2)
     ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), gateways = excluded.gateways`),
    [id, JSON.stringify(gateways)],
  );
}

export interface GatewayWorkers {
  readonly gateway: string;
  readonly breaker: string;
  readonly workers: number;
}

/** How many live workers see each gateway working or not, by their latest beat. */
export async function gatewayWorkers(db: Queryable): Promise<GatewayWorkers[]> {
  return db.query<GatewayWorkers>(
    `SELECT seen.gateway, seen.breaker, count(*)::int AS workers
     FROM worker, jsonb_to_recordset(gateways) AS seen (gateway text, breaker text)
     WHERE seen_at > (SELECT clock_timestamp() - interval '30 seconds') GROUP BY 1, 2`,
  );
}

/** Deletes a worker that has stopped. */
export async function forgetWorker(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM worker WHERE id = $1', [id]);
}

/**
 * Deletes workers that were silent for longer than `silentMs`, and returns their ids. Their leases let others take over their
 * work.
 */
export async function forgetDeadWorkers(db: Queryable, silentMs: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    planOnce(
      'DELETE FROM worker WHERE seen_at < (SELECT clock_timestamp() - make_interval(secs => $1)) RETURNING id',
    ),
    [silentMs / 1000],
  );
  return rows.map((row) => row.id);
}
