/** Hourly work on the trail; two processes may run it at once. */
import type { Context } from '#platform/context.ts';
import { deleteInBatches, inBatches } from '#platform/db/in-batches.ts';
import { copyMissed } from './store.ts';

const dayMs = 86_400_000;

/** Deletes entries that have been kept for the days of the setting, by the machine's clock, which an entry's id tells. */
export async function purgeTrail({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = new Date(clock.machineNow().getTime() - config.auditKeptDays * dayMs);
  await deleteInBatches(db, 'audit_entry', 'id < (SELECT first_id($1::timestamptz))', [before]);
}

/** Adds events to the trail that a process of an earlier release has relayed without doing so; returns how many. */
export const copyMissedEvents = ({ db }: Pick<Context, 'db'>): Promise<number> =>
  inBatches((atMost) => copyMissed(db, atMost));
