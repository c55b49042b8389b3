/** SQL of the customers that a session was shown within the last hour, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';

export interface FoundCount {
  /** True: with these the session has at most `atMost`, and they are counted. False: nothing is counted. */
  readonly isLetIn: boolean;
  /** Milliseconds until the oldest counted customer expires. */
  readonly resetMs: number;
}

const countText = planOnce(`WITH recent AS MATERIALIZED (
     SELECT customer_id, at FROM session_found WHERE session_id = $1 AND at > (SELECT clock_timestamp() - interval '1 hour')
   ), fresh AS MATERIALIZED (
     SELECT DISTINCT its AS customer_id FROM unnest($2::uuid[]) AS its WHERE its NOT IN (SELECT customer_id FROM recent)
   ), total AS MATERIALIZED (
     SELECT (SELECT count(*) FROM recent) + (SELECT count(*) FROM fresh) <= $3::integer AS is_let_in
   ), counted AS (
     INSERT INTO session_found (session_id, customer_id, at)
     SELECT $1, customer_id, clock_timestamp() FROM fresh WHERE (SELECT is_let_in FROM total) ORDER BY customer_id
     ON CONFLICT (session_id, customer_id) DO UPDATE SET at = excluded.at
   )
   SELECT is_let_in, coalesce(
       (SELECT extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp()) * 1000 FROM recent), 0)::float8 AS reset_ms
     FROM total`);

/**
 * Counts these customers, each once an hour. Concurrent requests of one session do not see each other's customers, so they may
 * exceed the limit once.
 */
export async function countFound(
  db: Queryable,
  of: { readonly sessionId: string; readonly customerIds: readonly string[]; readonly atMost: number },
): Promise<FoundCount> {
  const [row] = await db.query<FoundCount>(countText, [of.sessionId, of.customerIds, of.atMost]);
  if (row === undefined) throw new Error('a count has a row');
  return row;
}
