/** A blast that the workshop's staff trigger themselves. */

import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import { notTyped, parseTypedTime } from '#base/values/typed-time.ts';
import type { Context } from '#platform/context.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type BlastRow, requireBlast, scheduleDraft } from './store.ts';

/** `at` as typed, in the workshop's zone; undefined: now. Throws InvalidInput, and OperatorError when it is no draft. */
export async function triggerOwnBlast(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
  at: string | undefined,
): Promise<BlastRow> {
  const { id: blastId, workshopId, status } = await requireBlast(db, id);
  const { timezone } = await requireWorkshop(db, workshopId);
  const now = clock.now();
  const scheduledAt = at === undefined ? now : parseTypedTime(at, timezone, now);
  if (scheduledAt === null) throw new InvalidInput([{ field: 'at', message: notTyped }]);
  const triggering = { workshopId, blastId, partnerId: null, referenceId: null, scheduledAt, now };
  if (!(await scheduleDraft(db, triggering)))
    throw new OperatorError(`blast ${id} is ${status}; only a draft can be triggered`);
  return requireBlast(db, blastId);
}
