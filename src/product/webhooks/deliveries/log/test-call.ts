/** Calls an endpoint inside the request: POST /webhooks/{id}/test. */

import { newId } from '#base/values/id.ts';
import { type Bound, countAttempt } from '#platform/attempts/limit.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';
import { testAction } from '../../actions.ts';
import { requireWebhook } from '../../read.ts';
import { readSealedSecrets } from '../../store.ts';
import { attempt } from '../attempt.ts';
import type { WebhookDelivery } from './schema.ts';
import { insertTestCall } from './store.ts';

type Needed = ChangeContext & Pick<Context, 'sealing' | 'outbound'>;

/** For each partner, over all its endpoints: a partner could register the URL of somebody else's server and flood it. */
const limit: RateLimit = { policy: 'webhook-tests', quota: 20, windowSeconds: 60 };

/** One attempt, which may take 10 seconds, also of a disabled endpoint; it is not retried. Throws 404 110001, and 429. */
export async function testCall(
  context: Needed,
  partnerId: string,
  id: string,
  onLimit?: Bound['onLimit'],
): Promise<WebhookDelivery> {
  const { db } = context;
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
  const done = await attempt(context, target, { deliveryId, attemptId: newId(), event });
  const { delivered } = done;
  return change(context, ({ tx, now }) =>
    insertTestCall(tx, { deliveryId, webhookId, delivered, attempt: done.attempt, now }),
  );
}
