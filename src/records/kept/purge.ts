/** Deletes records that have been kept for the days of their setting; two processes may run it at once. */
import type { Context } from '#context.ts';
import { everyStep } from '#db/every-step.ts';
import type { AnyRecord } from '../record.ts';
import { deleteOldRecords } from './store.ts';

const dayMs = 86_400_000;

export function purgeRecords(records: readonly AnyRecord[]) {
  return ({ db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> =>
    everyStep(
      records.flatMap((record) => {
        const { retention } = record;
        if (retention === null) return [];
        const now = retention.since === 'id' ? clock.machineNow() : clock.now();
        const before = new Date(now.getTime() - config[retention.days] * dayMs);
        return [() => deleteOldRecords(db, record, retention, before)];
      }),
    );
}
