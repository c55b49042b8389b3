/**
 * Cancels a scheduled reminder: POST /reminders/services/{id}/cancel (specification: Service reminders 5), or a command of the
 * workshop.
 */

import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { type ChangeContext, change, changeAtOnce } from '#platform/change/change.ts';
import type { RecordName } from '#platform/records/store.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import type { ServiceReminder } from './schema.ts';
import { type CancelledRow, writeCancelled, writeStopped } from './store.ts';

/** Throws 404 080001, also for null, 403 000004 and 409 080002. */
export async function cancelReminder(
  context: ChangeContext,
  partnerId: string,
  name: RecordName | null,
  actor: Actor,
): Promise<ServiceReminder> {
  return changeAtOnce(context, async () => {
    const { db, clock } = context;
    const row = name && (await writeCancelled(db, partnerId, name, clock.now(), actor));
    if (row === null) throw new Problem('080001');
    requireLink(row);
    return requireCancelled(row);
  });
}

export interface StopReminder {
  readonly workshopId: string;
  readonly reminderId: string;
  /** The version that staff have seen; absent: any. */
  readonly seen?: number;
  readonly actor: Actor;
}

/** The workshop stops a reminder of any partner, even when the link is off. Throws 404 080001, 412 000010 and 409 080002. */
export async function stopReminder(
  context: ChangeContext,
  { workshopId, reminderId, seen, actor }: StopReminder,
): Promise<ServiceReminder> {
  if (!isId(reminderId)) throw new Problem('080001');
  return change(context, async ({ tx, now }) => {
    const of = { workshopId, reminderId, version: seen ?? null };
    const row = await writeStopped(tx, of, now, actor);
    if (row === null) throw new Problem('080001');
    if (seen !== undefined && row.version !== seen) throw new Problem('000010');
    return requireCancelled(row);
  });
}

function requireCancelled({ serviceReminder }: CancelledRow): ServiceReminder {
  if (serviceReminder !== null) return serviceReminder;
  throw new Problem('080002', {
    message: 'Only a scheduled reminder is cancelled, before its SMS is sent',
  });
}
