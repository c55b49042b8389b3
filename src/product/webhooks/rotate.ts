/** Gives an endpoint another secret: POST /webhooks/{id}/rotate-secret. */

import type { Actor } from '#base/values/actor.ts';
import { isId, newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { CreatedWebhook } from './create.ts';
import { newWebhookSecret } from './sign.ts';
import { findWebhook, replaceSecret } from './store.ts';
import { ofWebhook } from './trail.ts';

const overlapHours = 24;
/** A partner that repeats a rotation because the response was lost must not expire the secret that the receiver has. */
const earlierAtMost = 4;

/** Earlier secrets also sign for 24 hours. Throws 404 110001. */
export async function rotateSecret(
  context: ChangeContext & Pick<Context, 'sealing'>,
  partnerId: string,
  id: string,
  actor: Actor,
): Promise<CreatedWebhook> {
  const { sealing } = context;
  if (!isId(id)) throw new Problem('110001');
  const secret = newWebhookSecret();
  const webhook = await change(context, async ({ tx, now }) => {
    const present = await findWebhook(tx, partnerId, id, { lock: true });
    if (present === null) throw new Problem('110001');
    const sealed = sealing.seal('webhookSecret', secret, present.id);
    const times = { overlapHours, earlierAtMost, now };
    await recordEntry(tx, ofWebhook({ ...present, partnerId }, actor, 'secretRotated', now));
    return replaceSecret(tx, { webhookId: present.id, id: newId(), sealed, ...times });
  });
  return { webhook, secret };
}
