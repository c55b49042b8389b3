/**
 * SQL of wakes: a row says that a queue has something due. It is written in the commit of the messages, so none is missed; and
 * queueing never waits for a claim, nor a claim for queueing.
 */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { fullScan, type Scan, type ScanWindow, scanFromTime } from '#platform/db/scan-window.ts';

/** More rows than any burst writes. */
const atOnce = 10_000;

const beginning = scanFromTime('$1', '$2');

/** The routes of queues with work, due now or later: each is found by the index of those before it. */
const routesCte = `route AS (
       (SELECT route FROM send_queue WHERE next_at IS NOT NULL ORDER BY route LIMIT 1)
       UNION ALL
       SELECT (SELECT q.route FROM send_queue q WHERE q.next_at IS NOT NULL AND q.route > route.route ORDER BY q.route LIMIT 1)
         FROM route WHERE route.route IS NOT NULL)`;

const takeText = planOnce(`WITH RECURSIVE ${routesCte},
     gone AS (
       DELETE FROM send_wake WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM send_wake WHERE queued_at >= ${beginning} ORDER BY queued_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED))
       RETURNING workshop_id, channel, class, due_at, queued_at),
     -- One turn for all wakes of a queue.
     woken AS (
       SELECT workshop_id, channel, class, min(due_at) AS due_at FROM gone GROUP BY workshop_id, channel, class),
     turned AS (
       INSERT INTO send_queue AS q (workshop_id, channel, class, route, next_at)
       SELECT woken.workshop_id, channel, class,
              CASE WHEN channel = 'sms' THEN 'sms' || coalesce(':' || array_to_string(w.sms_gateways, ','), '') ELSE channel END, due_at
         FROM woken JOIN workshop w ON w.id = woken.workshop_id
        ORDER BY woken.workshop_id, woken.channel, woken.class
       ON CONFLICT (workshop_id, channel, class) DO UPDATE
         SET next_at = least(q.next_at, excluded.next_at), route = excluded.route, version = q.version + 1
       RETURNING q.route)
     SELECT (SELECT min(queued_at)::text FROM gone) AS oldest,
       ARRAY(SELECT route FROM route WHERE route IS NOT NULL UNION SELECT route FROM turned ORDER BY route) AS routes`);

/** The statement and its values, for tests that read its plan. */
export const takeStatement = ({ isFull, oldest }: Scan) => ({ text: takeText, values: [isFull, oldest] });

/**
 * Turns wakes into turns of their queues, with the workshop's current route. The version rises, so that a claim with an older
 * snapshot sees that it is outdated. Without `scans` it takes all wakes. Resolves to the routes of queues with work, due now or later:
 * a few, however many queues there are.
 */
export async function takeWakes(db: Queryable, scans?: ScanWindow): Promise<readonly string[]> {
  const { text, values } = takeStatement(scans?.next() ?? fullScan);
  const [taken] = await db.query<{ oldest: string | null; routes: string[] }>(text, values);
  if (taken === undefined) throw new Error('an aggregate returned no row');
  scans?.found(taken.oldest);
  return taken.routes;
}
