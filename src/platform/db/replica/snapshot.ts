/** Sessions of a server whose statements run one after the other, and one snapshot of it, in a transaction that can't write. */
import type pg from 'pg';
import { type Queryable, run, withConnection } from '../database.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { oneByOne } from '../one-by-one.ts';
import { forgetPlans } from '../prepared.ts';
import { isPooled } from '../session-settings.ts';
import { limitStatements } from './store.ts';

/** A pooler may send the next statement to another server. */
export class BehindPooler extends Error {}

/** Lends a session; `withinMs` is for each statement. Nothing is run again after a failure. Throws BehindPooler. */
export function inSession<T>(
  pool: pg.Pool,
  withinMs: number,
  work: (server: Queryable, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return withConnection(pool, async (client) => {
    if (isPooled(client)) throw new BehindPooler('a pooler is in between');
    return work(sessionOf(client, withinMs), client);
  });
}

export interface SnapshotOptions {
  /** For each statement. */
  readonly withinMs: number;
  /** For those of `admit`: a server that is gone without a word, on a connection from before, is found out by them. */
  readonly admitWithinMs: number;
  /** Throws where this connection's server is not to be read. The snapshot is taken after it, and has all that it has seen. */
  readonly admit: (server: Queryable) => Promise<void>;
}

/** Throws what `admit` and `work` throw, and the driver's errors. */
export function inSnapshotOf<T>(
  pool: pg.Pool,
  { withinMs, admitWithinMs, admit }: SnapshotOptions,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return inSession(pool, withinMs, async (server, client) => {
    await admit(sessionOf(client, admitWithinMs));
    await server.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    try {
      await limitStatements(server, withinMs);
      const result = await work(server);
      await server.query('COMMIT');
      return result;
    } catch (error) {
      // A connection that is lost is closed by whoever lent it.
      if (!(error instanceof DatabaseUnavailable)) await server.query('ROLLBACK');
      forgetPlans(client);
      throw error;
    }
  });
}

/** Waits a second longer than the server does for each statement. */
function sessionOf(client: pg.PoolClient, withinMs: number): Queryable {
  return oneByOne({ query: (text, values) => run(client, text, values, withinMs + 1_000) });
}
