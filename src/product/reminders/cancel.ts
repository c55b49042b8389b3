/** Cancels a scheduled reminder: POST /reminders/services/{id}/cancel (specification: Service reminders 5). */

import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { RecordName } from '#platform/records/store.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import type { ServiceReminder } from './schema.ts';
import { writeCancelled } from './store.ts';

/** Throws 404 080001, for null too, 403 000004 and 409 080002. */
export async function cancelReminder(
  { db, clock, nudgeRelay }: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  partnerId: string,
  name: RecordName | null,
  actor: Actor,
): Promise<ServiceReminder> {
  const row = name && (await writeCancelled(db, partnerId, name, clock.now(), actor));
  if (row === null) throw new Problem('080001');
  requireLink(row);
  if (row.serviceReminder === null) {
    throw new Problem('080002', {
      message: 'Only a scheduled reminder is cancelled, before its SMS is sent',
    });
  }
  nudgeRelay();
  return row.serviceReminder;
}
