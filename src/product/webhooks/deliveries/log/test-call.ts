/** Calls an endpoint while the partner waits: POST /webhooks/{id}/test. */

import { newId } from '#base/values/id.ts';
import { type Bound, countAttempt } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';
import { testAction } from '../../actions.ts';
import { requireWebhook } from '../../read.ts';
import { readSealedSecrets } from '../../store.ts';
import { attempt } from '../attempt.ts';
import type { WebhookDelivery } from './schema.ts';
import { insertTestCall } from './store.ts';

type Needed = Pick<Context, 'db' | 'clock' | 'sealing' | 'outbound' | 'nudgeSender'>;

/** Of one partner, whose endpoints come and go: whoever registers the URL of another's server must not flood it. */
const limit: RateLimit = { policy: 'webhook-tests', quota: 20, windowSeconds: 60 };

/** One attempt, which may take 10 seconds, of a disabled endpoint too; it is not repeated. Throws 404 110001, and 429. */
export async function testCall(
  context: Needed,
  partnerId: string,
  id: string,
  onLimit?: Bound['onLimit'],
): Promise<WebhookDelivery> {
  const { db, clock, nudgeSender } = context;
  const { id: webhookId, url, method } = await requireWebhook(db, partnerId, id);
  await countAttempt(context, {
    limit,
    refusal: 'Endpoints can be tested twenty times a minute',
    source: ['webhook-test', partnerId],
    onLimit,
  });
  const target = { partnerId, webhookId, url, method, sealedSecrets: await readSealedSecrets(db, webhookId) };
  const deliveryId = newId();
  const event = { id: deliveryId, action: testAction, version: 1, payload: {} };
  const now = clock.now();
  const done = await attempt(context, target, { deliveryId, attemptId: newId(), event });
  const { delivered } = done;
  const delivery = await insertTestCall(db, { deliveryId, webhookId, delivered, attempt: done.attempt, now });
  if (delivered) nudgeSender();
  return delivery;
}
