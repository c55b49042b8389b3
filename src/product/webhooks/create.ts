/** Registers an endpoint: POST /webhooks. */

import type { Actor } from '#base/values/actor.ts';
import { isId, newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Claim } from '#platform/idempotency/once.ts';
import { readGate } from '#product/workshops/access/store.ts';
import type { CreateWebhookBody, Webhook } from './schema.ts';
import { newWebhookSecret } from './sign.ts';
import { holdPartner, insertWebhook } from './store.ts';
import { ofWebhook, settingsOf } from './trail.ts';

/** For each partner. */
const endpointsAtMost = 20;

export interface CreatedWebhook {
  readonly webhook: Webhook;
  /** Returned only here. */
  readonly secret: string;
}

/** Null when the idempotency claim was lost. Throws 404 030001 and 409 110002. */
export async function createWebhook(
  context: ChangeContext & Pick<Context, 'sealing'>,
  partnerId: string,
  body: CreateWebhookBody,
  claim: Claim | null,
  actor: Actor,
): Promise<CreatedWebhook | null> {
  const { db, sealing } = context;
  const { url, actions } = body;
  const workshopId = await linkedWorkshop(db, partnerId, body.workshopId ?? null);
  const [id, secret] = [newId(), newWebhookSecret()];
  const { hasRoom, webhook } = await change(context, async ({ tx, now: at }) => {
    await holdPartner(tx, partnerId);
    const made = await insertWebhook(tx, {
      ...{ id, partnerId, workshopId, url, actions, description: body.description ?? null },
      ...{ method: body.method ?? 'POST', secretId: newId(), atMost: endpointsAtMost, now: at },
      sealed: sealing.seal('webhookSecret', secret, id),
      idempotencyKey: claim?.idempotencyKey ?? null,
      claimOwner: claim?.claimOwner ?? null,
    });
    if (made.webhook !== null) {
      const entry = ofWebhook({ ...made.webhook, partnerId }, actor, 'created', at);
      await recordEntry(tx, { ...entry, after: settingsOf(made.webhook) });
    }
    return made;
  });
  if (!hasRoom)
    throw new Problem('110002', { message: `A partner has at most ${endpointsAtMost} webhook endpoints` });
  return webhook && { webhook, secret };
}

/** The workshop's stored id. Throws 404 030001 for a workshop that the partner is not linked to. */
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
