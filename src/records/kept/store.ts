/** SQL of how long records are kept. */
import type { Queryable } from '#db/database.ts';
import { deleteInSteps } from '#db/in-steps.ts';
import type { AnyRecord, Retention } from '../record.ts';

const isOld = {
  updated_at: 'updated_at < $1',
  id: 'id < (SELECT first_id($1::timestamptz))',
} as const satisfies Record<Retention['since'], string>;

/** Deletes those that may go and are older than an instant, by the clock of the retention. */
export function deleteOldRecords(
  db: Queryable,
  { table }: AnyRecord,
  { since, where }: Retention,
  before: Date,
): Promise<void> {
  return deleteInSteps(db, table, `${isOld[since]} AND ${where}`, [before]);
}
