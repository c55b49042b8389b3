/** The operator enables or disables a partner's endpoint. */

import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { type Endpoint, requireEndpoint, setEndpointStatus } from './store.ts';

/** Throws OperatorError when there is no such endpoint. A partner can't enable what the operator has disabled. */
export async function changeEndpointStatus(
  context: ChangeContext,
  webhookId: string,
  status: 'enabled' | 'disabled',
  actor: Actor,
): Promise<Endpoint> {
  return change(context, async ({ tx, now: at }) => {
    const present = await requireEndpoint(tx, webhookId);
    await setEndpointStatus(tx, present.webhookId, status, at);
    const { partnerId, workshopId, webhookId: id } = present;
    await recordEntry(tx, {
      ...{ actor, workshopId, partnerId, subject: { kind: 'webhook', id }, action: 'webhook.changed', at },
      ...{ before: { status: present.status }, after: { status } },
    });
    return requireEndpoint(tx, id);
  });
}
