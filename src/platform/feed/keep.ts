/** Keeps feeds readable: records the start of the server, writes marks of moments, and begins another epoch when the database continues in another server. */
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { readEpoch, recordStart, renewEpoch, writeMark } from './epoch/store.ts';

/** Rewrites a batch of a table's rows after the id `after`; returns the last id of the batch, or null when no row is left. */
export type Rewrite = (db: Queryable, after: string | null) => Promise<string | null>;

/**
 * Rows that were restored into another server carry the old server's transaction numbers, which may be ahead of the new one's:
 * they are rewritten before the epoch begins. Idempotent, also in several processes at once.
 */
export function keepFeed(rewrites: readonly Rewrite[]) {
  return async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> => {
    const { isOver, isOtherServer } = await readEpoch(db);
    if (isOtherServer) for (const rewrite of rewrites) await rewriteAll(db, rewrite);
    if (isOver) await renewEpoch(db);
    await recordStart(db);
    await writeMark(db, clock.now());
  };
}

async function rewriteAll(db: Queryable, rewrite: Rewrite): Promise<void> {
  let after: string | null = null;
  do after = await rewrite(db, after);
  while (after !== null);
}
