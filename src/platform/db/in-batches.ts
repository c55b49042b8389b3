/** Work on many rows as a series of short statements or transactions. */
import type { Queryable } from './database.ts';
import { planByIndex } from './plan-modes.ts';

/**
 * Repeats a step until it finds fewer rows than it may take; returns how many it took in all. `step` takes `atMost` rows (1,000
 * unless given), commits, and returns how many it took.
 */
export async function inBatches(step: (atMost: number) => Promise<number>, atMost = 1_000): Promise<number> {
  for (let taken = 0; ; ) {
    const count = await step(atMost);
    taken += count;
    if (count < atMost) return taken;
  }
}

const deletedAtOnce = 5_000;

/**
 * Deletes the rows of a table that meet a condition, a thousand or so in each statement, so that no statement takes long. Skips
 * rows that others have locked. `where` is constant SQL over `values`, and an index backs it: the planner, which takes every third row for
 * older than an instant that it does not know, may go by nothing else.
 */
export async function deleteInBatches(
  db: Queryable,
  table: string,
  where: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const text = planByIndex(`WITH gone AS (
      DELETE FROM ${table}
       WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${deletedAtOnce} FOR UPDATE SKIP LOCKED)) RETURNING true)
    SELECT count(*)::int AS count FROM gone`);
  await inBatches(
    async () => (await db.query<{ count: number }>(text, values))[0]?.count ?? 0,
    deletedAtOnce,
  );
}
