/** A blast that the workshop's staff trigger themselves. */

import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { notTyped, parseTypedTime } from '#base/values/typed-time.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { type BlastRow, requireBlast, scheduleDraft } from './store.ts';
import { ofBlast } from './trail.ts';

/** `at` as typed, in the workshop's zone; undefined: now. Throws InvalidInput, and OperatorError when it is not a draft. */
export async function triggerOwnBlast(
  context: ChangeContext,
  id: string,
  at: string | undefined,
  actor: Actor,
): Promise<BlastRow> {
  const { db, clock } = context;
  const { id: blastId, workshopId, status } = await requireBlast(db, id);
  const { timezone } = await requireWorkshop(db, workshopId);
  const now = clock.now();
  const scheduledAt = at === undefined ? now : parseTypedTime(at, timezone, now);
  if (scheduledAt === null) throw new InvalidInput([{ field: 'at', message: notTyped }]);
  const triggering = { workshopId, blastId, partnerId: null, referenceId: null, scheduledAt, now };
  await change(context, async ({ tx }) => {
    if (!(await scheduleDraft(tx, triggering)))
      throw new OperatorError(`blast ${id} is ${status}; only a draft can be triggered`);
    const after = { scheduledAt };
    await recordEntry(tx, { ...ofBlast({ id: blastId, workshopId }, actor, 'triggered', now), after });
  });
  return requireBlast(db, blastId);
}
