/** Registers an endpoint: POST /webhooks. */

import { isId, newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Claim } from '#platform/idempotency/once.ts';
import { readGate } from '#product/workshops/access/store.ts';
import type { CreateWebhookBody, Webhook } from './schema.ts';
import { newWebhookSecret } from './sign.ts';
import { holdPartner, insertWebhook } from './store.ts';

/** Of one partner. */
const endpointsAtMost = 20;

export interface CreatedWebhook {
  readonly webhook: Webhook;
  /** Shown this once. */
  readonly secret: string;
}

/** Null when the claim was lost. Throws 404 030001 and 409 110002. */
export async function createWebhook(
  { db, clock, sealing }: Pick<Context, 'db' | 'clock' | 'sealing'>,
  partnerId: string,
  body: CreateWebhookBody,
  claim: Claim | null,
): Promise<CreatedWebhook | null> {
  const { url, actions } = body;
  const workshopId = await linkedWorkshop(db, partnerId, body.workshopId ?? null);
  const [id, secret] = [newId(), newWebhookSecret()];
  const { hasRoom, webhook } = await db.transaction(async (tx) => {
    await holdPartner(tx, partnerId);
    return insertWebhook(tx, {
      ...{ id, partnerId, workshopId, url, actions, description: body.description ?? null },
      ...{ method: body.method ?? 'POST', secretId: newId(), atMost: endpointsAtMost, now: clock.now() },
      sealed: sealing.seal('webhookSecret', secret, id),
      idempotencyKey: claim?.idempotencyKey ?? null,
      claimOwner: claim?.claimOwner ?? null,
    });
  });
  if (!hasRoom)
    throw new Problem('110002', { message: `A partner has at most ${endpointsAtMost} webhook endpoints` });
  return webhook && { webhook, secret };
}

/** The id as it is stored. Throws 404 030001 for a workshop that the partner is not linked to. */
export async function linkedWorkshop(
  db: Context['db'],
  partnerId: string,
  workshopId: string | null,
): Promise<string | null> {
  if (workshopId === null) return null;
  const isLinked = isId(workshopId) && (await readGate(db, partnerId, workshopId)) !== null;
  if (!isLinked) throw new Problem('030001');
  return workshopId.toLowerCase();
}
