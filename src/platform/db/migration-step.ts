/** One step of a migration: in a transaction of its own, again where the next try may succeed, and named where it fails. */
import pRetry from 'p-retry';
import type { PoolClient } from 'pg';
import { MigrationError } from './migration-error.ts';

/**
 * How often one is tried again that met a deadlock or got no lock, and the first pause, in milliseconds; each further one is twice as
 * long. A try that failed has changed nothing; in the pauses the statements that queued behind it go on.
 */
const again = { retries: 4, minTimeout: 1_000 } as const;
/** SQLSTATEs of a try that may succeed the next time, as words. */
const transient: ReadonlyMap<unknown, string> = new Map([
  ['40P01', 'met a deadlock with a statement of a running process'],
  ['55P03', 'got no lock on a table, which a running process holds'],
]);

export interface Patience {
  /** Gets a line for each try that failed and is followed by another. */
  readonly notice?: (line: string) => void;
  /** How often one is tried again, 4 times unless given, and the first pause in milliseconds. */
  readonly retries?: number;
  readonly minTimeout?: number;
}

/** Again after a pause where the next try may succeed; what has failed so has changed nothing. */
export async function patiently(
  name: string,
  { notice = () => undefined, ...patience }: Patience,
  work: () => Promise<void>,
): Promise<void> {
  await pRetry(work, {
    ...again,
    ...patience,
    shouldRetry: ({ error, retryDelay }) => {
      const { code } = Object(error instanceof MigrationError ? error.cause : error) as { code?: unknown };
      const what = transient.get(code);
      if (what === undefined) return false;
      notice(`${name} ${what}. Nothing was changed; it is tried again in ${retryDelay / 1_000} s`);
      return true;
    },
  });
}

/** In one transaction. */
export async function inOne(client: PoolClient, work: () => Promise<void>): Promise<void> {
  try {
    await client.query('BEGIN');
    await work();
    await client.query('COMMIT');
  } catch (error) {
    // Without a connection there is nothing left to roll back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Throws MigrationError, which names `what`. */
export async function named(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new MigrationError(`${what} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
