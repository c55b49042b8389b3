/** Queues deliveries again: POST /webhooks/{id}/deliveries/{deliveryId}/replay, POST /webhooks/{id}/replay. */

import { isId } from '#base/values/id.ts';
import { parseInstant } from '#base/values/instant.ts';
import { invalidFields, Problem } from '#errors.ts';
import { type Bound, countAttempt } from '#platform/attempts/limit.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';
import { requireWebhook } from '../../read.ts';
import type { Webhook } from '../../schema.ts';
import { deliveryStatuses, type ReplayBody } from './schema.ts';
import { replayDeliveries, replayDelivery } from './store.ts';

type OnLimit = Bound['onLimit'];

/** The most deliveries that one statement queues. */
const atOnce = 2_000;
/**
 * For each partner, over all its endpoints, since it can create new ones; replays of one delivery and of all since a time count
 * together.
 */
const limit: RateLimit = { policy: 'webhook-replays', quota: 20, windowSeconds: 60 };

/** The endpoint, if its deliveries may be replayed now. Throws 404 110001, and 429. */
async function requireReplay(
  { db }: ChangeContext,
  partnerId: string,
  id: string,
  onLimit: OnLimit,
): Promise<Webhook> {
  const webhook = await requireWebhook(db, partnerId, id);
  const refusal = 'Deliveries can be replayed twenty times a minute; one call replays all since a time';
  await countAttempt({ db }, { limit, refusal, source: ['webhook-replay', partnerId], onLimit });
  return webhook;
}

/**
 * Returns how many were queued: 1, or 0 for a delivery that is in flight, or was replayed within the minute. Throws 404 110001, and
 * 429.
 */
export async function replayOne(
  context: ChangeContext,
  partnerId: string,
  id: string,
  deliveryId: string,
  onLimit?: OnLimit,
): Promise<number> {
  const { id: webhookId } = await requireReplay(context, partnerId, id, onLimit);
  if (!isId(deliveryId)) throw new Problem('110001');
  return change(context, async ({ tx }) => {
    const queued = await replayDelivery(tx, webhookId, deliveryId);
    if (queued === null) throw new Problem('110001');
    return queued;
  });
}

/** Returns how many were queued. Runs in steps, each with its own commit. Throws 400 000001, 404 110001, and 429. */
export async function replaySince(
  context: ChangeContext,
  partnerId: string,
  id: string,
  { since, status }: ReplayBody,
  onLimit?: OnLimit,
): Promise<number> {
  const from = parseInstant(since);
  if (from === null) throw invalidFields([{ field: 'since', message: 'is not an instant' }]);
  const { id: webhookId } = await requireReplay(context, partnerId, id, onLimit);
  const statuses = status ? [status] : deliveryStatuses;
  const before = context.clock.now();
  return inBatches(
    (limit) =>
      change(context, ({ tx }) => replayDeliveries(tx, { webhookId, statuses, since: from, before, limit })),
    atOnce,
  );
}
