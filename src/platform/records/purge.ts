/** Deletes records that have been kept for the days of their setting; two processes may run it at once. */
import type { Context } from '#platform/context.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { runAll } from '#platform/db/run-all.ts';
import type { AnyRecord, Retention } from './record.ts';

const dayMs = 86_400_000;

/** Conditions by the column of the declaration. An id contains the machine time at which its row was created. */
const isOld = {
  updated_at: 'updated_at < $1',
  id: 'id < (SELECT first_id($1::timestamptz))',
} as const satisfies Record<Retention['since'], string>;

export function purgeRecords(records: readonly AnyRecord[]) {
  return ({ db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> =>
    runAll(
      records.map(({ table, retention }) => async () => {
        if (retention === null) return;
        const { days, since, where } = retention;
        const now = since === 'id' ? clock.machineNow() : clock.now();
        const before = new Date(now.getTime() - config[days] * dayMs);
        await deleteInBatches(db, table, `${isOld[since]} AND ${where}`, [before]);
      }),
    );
}
