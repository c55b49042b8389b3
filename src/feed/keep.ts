/** Keeps feeds readable: marks where a moment is, and begins another epoch when the database goes on in another server. */
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { readEpoch, renewEpoch, writeMark } from './store.ts';

/** Writes a batch of a table's rows again, after the id `after`; returns the last id of it, or null when there is none left. */
export type Rewrite = (db: Queryable, after: string | null) => Promise<string | null>;

/**
 * Rows that were restored into another server carry that one's transaction numbers, which may lie ahead of its own: they are
 * written again before the epoch begins. Harmless when several processes do it at once.
 */
export function keepFeed(rewrites: readonly Rewrite[]) {
  return async ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> => {
    const { isOver, isOtherServer } = await readEpoch(db);
    if (isOtherServer) for (const rewrite of rewrites) await rewriteAll(db, rewrite);
    if (isOver) await renewEpoch(db);
    await writeMark(db, clock.now());
  };
}

async function rewriteAll(db: Queryable, rewrite: Rewrite): Promise<void> {
  let after: string | null = null;
  do after = await rewrite(db, after);
  while (after !== null);
}
