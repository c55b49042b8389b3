/** Deletes an endpoint: DELETE /webhooks/{id}. */
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { deleteWebhook, findWebhook } from './store.ts';
import { ofWebhook, settingsOf } from './trail.ts';

/** Throws 404 110001. */
export async function removeWebhook(
  context: ChangeContext,
  partnerId: string,
  id: string,
  actor: Actor,
): Promise<void> {
  if (!isId(id)) throw new Problem('110001');
  await change(context, async ({ tx, now }) => {
    const present = await findWebhook(tx, partnerId, id, { lock: true });
    if (present === null || !(await deleteWebhook(tx, partnerId, id))) throw new Problem('110001');
    const entry = ofWebhook({ ...present, partnerId }, actor, 'deleted', now);
    await recordEntry(tx, { ...entry, before: settingsOf(present) });
  });
}
