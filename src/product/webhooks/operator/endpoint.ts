/** The operator enables or disables a partner's endpoint. */

import type { Clock } from '#base/clock.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { type Endpoint, requireEndpoint, setEndpointStatus } from './store.ts';

/** Throws OperatorError when there is no such endpoint. A partner can't enable what the operator has disabled. */
export async function changeEndpointStatus(
  db: Database,
  clock: Clock,
  webhookId: string,
  status: 'enabled' | 'disabled',
  actor: Actor,
): Promise<Endpoint> {
  return db.transaction(async (tx) => {
    const present = await requireEndpoint(tx, webhookId);
    const at = clock.now();
    await setEndpointStatus(tx, present.webhookId, status, at);
    const { partnerId, workshopId, webhookId: id } = present;
    await recordEntry(tx, {
      ...{ actor, workshopId, partnerId, subject: { kind: 'webhook', id }, action: 'webhook.changed', at },
      ...{ before: { status: present.status }, after: { status } },
    });
    return requireEndpoint(tx, id);
  });
}
