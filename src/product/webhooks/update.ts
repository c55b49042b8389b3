/** Changes an endpoint: PATCH /webhooks/{id}, and the operator's commands. */

import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { linkedWorkshop } from './create.ts';
import type { UpdateWebhookBody, Webhook } from './schema.ts';
import { findWebhook, writeWebhook } from './store.ts';
import { ofWebhook, settingsOf } from './trail.ts';

/** Only sent fields change. Throws 404 110001, 404 030001, and 403 000003 when a partner enables what the operator has disabled. */
export async function updateWebhook(
  context: ChangeContext,
  partnerId: string,
  id: string,
  body: UpdateWebhookBody,
  actor: Actor,
): Promise<Webhook> {
  const { db } = context;
  if (!isId(id)) throw new Problem('110001');
  const workshopId = await linkedWorkshop(db, partnerId, body.workshopId ?? null);
  return change(context, async ({ tx, now }) => {
    const present = await findWebhook(tx, partnerId, id, { lock: true });
    if (present === null) throw new Problem('110001');
    const status = body.status ?? present.status;
    const isEnabled = status === 'enabled' && present.status === 'disabled';
    if (isEnabled && present.disabledReason === 'operator')
      throw new Problem('000003', { message: 'The operator has disabled this endpoint' });
    const url = body.url ?? present.url;
    const next = await writeWebhook(tx, {
      id: present.id,
      url,
      method: body.method === undefined ? present.method : (body.method ?? 'POST'),
      actions: body.actions ?? present.actions,
      workshopId: body.workshopId === undefined ? present.workshopId : workshopId,
      description: body.description === undefined ? present.description : body.description,
      status,
      disabledReason: status === 'enabled' ? null : (present.disabledReason ?? 'partner'),
      maxConcurrent: body.maxConcurrent ?? present.maxConcurrent,
      afresh: isEnabled || url !== present.url,
      now,
    });
    const entry = ofWebhook({ ...next, partnerId }, actor, 'changed', now);
    await recordEntry(tx, { ...entry, before: settingsOf(present), after: settingsOf(next) });
    return next;
  });
}
