/** The entries on webhook endpoints in the audit trail, without their secrets. */
import type { Actor } from '#base/values/actor.ts';
import type { NewEntry } from '#platform/audit/record.ts';
import type { Webhook } from './schema.ts';

/** An entry about a partner's endpoint. `at` is business time. */
export function ofWebhook(
  { id, workshopId, partnerId }: { readonly partnerId: string } & Pick<Webhook, 'id' | 'workshopId'>,
  actor: Actor,
  done: string,
  at: Date,
): NewEntry {
  return { actor, workshopId, partnerId, subject: { kind: 'webhook', id }, action: `webhook.${done}`, at };
}

/** The fields that its partner sets. */
export function settingsOf(webhook: Webhook) {
  const { url, method, actions, workshopId, description, status, maxConcurrent } = webhook;
  return { url, method, actions, workshopId, description, status, maxConcurrent };
}
