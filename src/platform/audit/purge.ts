/** Deletes entries that have been kept for the days of the setting; two processes may run it at once. */
import type { Context } from '#platform/context.ts';
import { deleteInSteps } from '#platform/db/in-steps.ts';

const dayMs = 86_400_000;

/** By the machine's clock, which an entry's id tells. */
export async function purgeTrail({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = new Date(clock.machineNow().getTime() - config.auditKeptDays * dayMs);
  await deleteInSteps(db, 'audit_entry', 'id < (SELECT first_id($1::timestamptz))', [before]);
}
