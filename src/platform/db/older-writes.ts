/** Waits out the transactions that write a table, after a commit that they may not have seen. */
import pRetry from 'p-retry';
import type { Queryable } from './database.ts';

/** Longer than any statement, and any pause inside a transaction, may last. */
const waitAtMostMs = 40_000;

/**
 * Resolves once every transaction that has begun to write `table` by now has ended: those that begin later read what is committed now.
 * A writer locks the table before it reads, so none is missed. Rejects after 40 seconds.
 */
export async function waitForOlderWrites(db: Queryable, table: string): Promise<void> {
  const writers = () =>
    db.query<{ transaction: string }>(
      `SELECT DISTINCT virtualtransaction AS transaction FROM pg_locks
        WHERE locktype = 'relation' AND relation = $1::regclass
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND mode = 'RowExclusiveLock' AND pid <> pg_backend_pid()`,
      [table],
    );
  const older = new Set((await writers()).map(({ transaction }) => transaction));
  const look = async () => {
    const left = (await writers()).filter(({ transaction }) => older.has(transaction));
    if (left.length > 0)
      throw new Error(`${left.length} transactions have been writing ${table} for too long`);
  };
  if (older.size === 0) return;
  await pRetry(look, {
    ...{ retries: Number.POSITIVE_INFINITY, maxRetryTime: waitAtMostMs },
    ...{ minTimeout: 5, maxTimeout: 100 },
  });
}
