/** Deletes what is old, for which nobody waits, without taking connections from those who do. */
import { type Database, servedAs } from './database.ts';
import { createSemaphore } from './semaphore.ts';

/**
 * The database for jobs that share one connection: their statements take turns, first come, first served, so a job that deletes a
 * lot in small steps, or that fails, holds up none of the others. A job may not run a statement of its own inside a transaction's turn.
 */
export function inTurns(db: Database): Database {
  const turn = createSemaphore(1);
  return servedAs(db, {
    ...db,
    query: (text, values) => turn.run(() => db.query(text, values)),
    transaction: (work) => turn.run(() => db.transaction(work)),
  });
}
