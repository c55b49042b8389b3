/** Deletes what is old, for which nobody waits, without taking connections from those who do. */
import { type Database, servedAs } from './database.ts';
import { createSemaphore } from './semaphore.ts';

/** A statement of a lane that was ended did not run: its job goes on when a process is started again. */
export class LaneEnded extends Error {}

export interface Lane {
  /**
   * The database for jobs that share one connection: their statements take turns, first come, first served, so a job that deletes a
   * lot in small steps, or that fails, holds up none of the others. In the turn of its transaction a job may run no other statement of it.
   */
  readonly db: Database;
  /** Statements that wait are refused with LaneEnded from now on; the one that runs ends by itself. */
  end(): void;
}

export function inTurns(db: Database): Lane {
  const turn = createSemaphore(1);
  let isEnded = false;
  const next = <T>(work: () => Promise<T>): Promise<T> =>
    turn.run(() => (isEnded ? Promise.reject(new LaneEnded('the process stops')) : work()));
  return {
    db: servedAs(db, {
      ...db,
      query: (text, values) => next(() => db.query(text, values)),
      transaction: (work) => next(() => db.transaction(work)),
    }),
    end() {
      isEnded = true;
    },
  };
}
