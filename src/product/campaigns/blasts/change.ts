/** Pauses, resumes or cancels a blast, at any time before it has ended. */

import { foundById, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { cancel, pause, release } from '#product/sending/hold/store.ts';
import { type FormOf, requireSeen } from '../seen.ts';
import type { BlastStatus } from './schema.ts';
import { type BlastRow, begunBlasts, lockBlast, writeStatus } from './store.ts';
import { newestChange, ofBlast } from './trail.ts';

interface Change {
  readonly from: readonly BlastStatus[];
  to(blast: BlastRow): BlastStatus;
  /** Changes the queued messages. */
  queued(tx: Queryable, blastId: string): Promise<void>;
}

export const blastChanges = {
  /** Messages already handed over are not affected; all others wait. */
  pause: { from: ['scheduled', 'sending'], to: () => 'paused', queued: pause },
  resume: {
    from: ['paused'],
    to: ({ startedAt }) => (startedAt === null ? 'scheduled' : 'sending'),
    queued: (tx, blastId) => release(tx, blastId, 'blast'),
  },
  cancel: {
    from: ['draft', 'scheduled', 'sending', 'paused'],
    to: () => 'cancelled',
    queued: (tx, blastId) => cancel(tx, [blastId]),
  },
} as const satisfies Record<string, Change>;
export type BlastChange = keyof typeof blastChanges;

/** Its status does not allow the change. */
export class BlastNotChanged extends OperatorError {
  readonly status: BlastStatus;

  constructor({ id, status }: BlastRow, name: BlastChange) {
    const can = blastChanges[name].from.join(', ');
    super(`blast ${id} is ${status}; one can ${name} a blast that is ${can}`);
    this.status = status;
  }
}

/**
 * `form`: what the page showed from which a person asks. Throws OperatorError when there is no such blast, BlastNotChanged when its
 * status does not allow the change, and as `requireSeen`.
 */
export async function changeBlast(
  context: ChangeContext,
  id: string,
  name: BlastChange,
  actor: Actor,
  form?: FormOf,
): Promise<BlastRow> {
  const asked: Change = blastChanges[name];
  return change(context, async ({ tx, now: at }) => {
    const blast = await foundById('blast', id, () => lockBlast(tx, id));
    await requireSeen(form, blast, () => newestChange(tx, blast));
    if (!asked.from.includes(blast.status)) throw new BlastNotChanged(blast, name);
    const status = asked.to(blast);
    await writeStatus(tx, blast.id, status, at);
    const changes = { before: { status: blast.status }, after: { status } };
    await recordEntry(tx, { ...ofBlast(blast, actor, 'changed', at), ...changes });
    await asked.queued(tx, blast.id);
    return (await lockBlast(tx, blast.id)) ?? blast;
  });
}

/** Cancels a blast whose job failed, when the operator gives it up, unless it has ended. */
export async function giveUpBlast(tx: Queryable, id: string, now: Date): Promise<void> {
  const blast = await lockBlast(tx, id);
  if (blast === null || !blastChanges.cancel.from.some((status) => status === blast.status)) return;
  await writeStatus(tx, id, 'cancelled', now);
  await cancel(tx, [id]);
}

/** Pauses all blasts that are being sent or are due, for a person to resume or cancel. Returns how many. */
export async function pauseBegun(tx: Queryable, now: Date): Promise<number> {
  const ids = await begunBlasts(tx, now);
  for (const id of ids) {
    await writeStatus(tx, id, 'paused', now);
    await pause(tx, id);
  }
  return ids.length;
}
