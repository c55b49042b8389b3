/**
 * Cancels a scheduled reminder: POST /reminders/services/{id}/cancel (specification: Service reminders 5), or a command of the
 * workshop.
 */

import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import type { RecordName } from '#platform/records/store.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import type { ServiceReminder } from './schema.ts';
import { type CancelledRow, writeCancelled, writeStopped } from './store.ts';

/** Throws 404 080001, also for null, 403 000004 and 409 080002. */
export async function cancelReminder(
  { db, clock, nudgeRelay }: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  partnerId: string,
  name: RecordName | null,
  actor: Actor,
): Promise<ServiceReminder> {
  const row = name && (await writeCancelled(db, partnerId, name, clock.now(), actor));
  if (row === null) throw new Problem('080001');
  requireLink(row);
  const cancelled = requireCancelled(row);
  nudgeRelay();
  return cancelled;
}

export interface StopReminder {
  readonly workshopId: string;
  readonly reminderId: string;
  /** The version that staff have seen; absent: any. */
  readonly version?: number;
  readonly actor: Actor;
  readonly alongside?: Alongside<ServiceReminder>;
}

/** The workshop stops a reminder of any partner, even when the link is off. Throws 404 080001, 412 000010 and 409 080002. */
export async function stopReminder(
  { db, clock, nudgeRelay }: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  { workshopId, reminderId, version, actor, alongside }: StopReminder,
): Promise<ServiceReminder> {
  if (!isId(reminderId)) throw new Problem('080001');
  const stopped = await db.transaction(async (tx) => {
    const of = { workshopId, reminderId, version: version ?? null };
    const row = await writeStopped(tx, of, clock.now(), actor);
    if (row === null) throw new Problem('080001');
    if (version !== undefined && row.version !== version) throw new Problem('000010');
    const serviceReminder = requireCancelled(row);
    await alongside?.(tx, serviceReminder);
    return serviceReminder;
  });
  nudgeRelay();
  return stopped;
}

function requireCancelled({ serviceReminder }: CancelledRow): ServiceReminder {
  if (serviceReminder !== null) return serviceReminder;
  throw new Problem('080002', {
    message: 'Only a scheduled reminder is cancelled, before its SMS is sent',
  });
}
