/** Triggers a blast: POST /workshops/{id}/blasts/{blastId}/trigger (specification: Blasts 2), or the workshop's own command. */

import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Claim } from '#platform/idempotency/once.ts';
import { finishClaim } from '#platform/idempotency/store.ts';
import type { Blast } from './schema.ts';
import { type BlastRow, findBlast, scheduleDraft } from './store.ts';
import { ofBlast } from './trail.ts';
import { wireBlast } from './wire.ts';

export interface TriggerBlast {
  readonly workshopId: string;
  readonly blastId: string;
  readonly actor: Actor;
  /** Null: the workshop itself. */
  readonly partnerId: string | null;
  readonly referenceId: string | null;
  /** Null or past: now. */
  readonly scheduledAt: Date | null;
  readonly claim: Claim | null;
}

/** The same call of the same partner returns the same blast again. */
const isRepeat = (blast: BlastRow, { partnerId, referenceId }: TriggerBlast) =>
  referenceId !== null && blast.partnerId === partnerId && blast.referenceId === referenceId;

/** Throws ClaimLost, 404 090001, and 409 090002 when the blast is no longer a draft. */
export async function triggerBlast(context: ChangeContext, request: TriggerBlast): Promise<Blast> {
  const { clock } = context;
  const { workshopId, blastId, partnerId, claim } = request;
  const now = clock.now();
  const scheduledAt = request.scheduledAt ?? now;
  return change(context, async ({ tx }) => {
    const isScheduled = await scheduleDraft(tx, { ...request, scheduledAt, now });
    const row = await findBlast(tx, workshopId, blastId);
    if (row === null) throw new Problem('090001', { message: 'Blast not found under this workshop' });
    if (!isScheduled && !isRepeat(row, request)) {
      throw new Problem('090002', { message: `The blast is ${row.status}; only a draft can be triggered` });
    }
    if (isScheduled) {
      await recordEntry(tx, { ...ofBlast(row, request.actor, 'triggered', now), after: { scheduledAt } });
    }
    const blast = wireBlast(row);
    await finishClaim(tx, partnerId, claim, 202, { success: true, blast });
    return blast;
  });
}
