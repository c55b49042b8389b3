/** Waits for the work that follows from commits, with a query that costs the database next to nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';

/** Resolves when all events are relayed and no message is queued, or after `atMostMs`. */
export async function untilSent(db: Database, atMostMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(atMostMs);
  while (!deadline.aborted) {
    const [row] = await db.query<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM event WHERE relayed_at IS NULL) OR EXISTS (SELECT FROM queued_message) AS waits`,
    );
    if (!row?.waits) return;
    await sleep(100);
  }
}
