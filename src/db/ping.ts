/** Asks whether PostgreSQL answers. */
import type { Queryable } from './database.ts';

/** Rejects, with DatabaseUnavailable as a rule, when it does not. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('SELECT 1 AS one');
}
