/** Rare work whose statements have no index to go by, and may take long. */
import type { Database, Queryable } from './database.ts';

/** For the rest of the transaction. */
export async function allowLongStatements(tx: Queryable): Promise<void> {
  await tx.query(`SET LOCAL statement_timeout = '5min'`);
}

/** Reads in a transaction of its own. */
export function readSlowly<T>(db: Database, read: (tx: Queryable) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await allowLongStatements(tx);
    return read(tx);
  });
}
