/** Delivers again: POST /webhooks/{id}/deliveries/{deliveryId}/replay, POST /webhooks/{id}/replay. */

import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { invalidFields, Problem } from '#errors.ts';
import { isId } from '#values/id.ts';
import { parseInstant } from '#values/instant.ts';
import { requireWebhook } from '../../require.ts';
import { deliveryStatuses, type ReplayBody } from './schema.ts';
import { replayDeliveries, replayDelivery } from './store.ts';

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeSender'>;

/** How many are queued in one statement. */
const atOnce = 2_000;

/** Returns how many were queued: 1, or 0 for one that is just being delivered. Throws 404 110001. */
export async function replayOne(
  { db, nudgeSender }: Needed,
  partnerId: string,
  id: string,
  deliveryId: string,
): Promise<number> {
  const { id: webhookId } = await requireWebhook(db, partnerId, id);
  const queued = isId(deliveryId) ? await replayDelivery(db, webhookId, deliveryId) : null;
  if (queued === null) throw new Problem('110001');
  nudgeSender();
  return queued;
}

/** Returns how many were queued. Runs in steps, of which each has its own commit. Throws 400 000001 and 404 110001. */
export async function replaySince(
  { db, clock, nudgeSender }: Needed,
  partnerId: string,
  id: string,
  { since, status }: ReplayBody,
): Promise<number> {
  const from = parseInstant(since);
  if (from === null) throw invalidFields([{ field: 'since', message: 'is not an instant' }]);
  const { id: webhookId } = await requireWebhook(db, partnerId, id);
  const statuses = status ? [status] : deliveryStatuses;
  const before = clock.now();
  return inSteps(async (limit) => {
    const queued = await replayDeliveries(db, { webhookId, statuses, since: from, before, limit });
    nudgeSender();
    return queued;
  }, atOnce);
}
