/** Suspends a partner, whose tokens are then refused, or activates it again. */

import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { type PartnerStatus, requirePartner, updatePartnerStatus } from './store.ts';
import { ofPartner } from './trail.ts';

/** Idempotent. Throws OperatorError when there is no such partner. */
export async function setPartnerStatus(
  context: ChangeContext,
  partnerId: string,
  status: PartnerStatus,
  actor: Actor,
): Promise<void> {
  await change(context, async ({ tx, now: at }) => {
    const present = await requirePartner(tx, partnerId);
    await updatePartnerStatus(tx, present.partnerId, status, at);
    const entry = ofPartner(actor, present.partnerId, 'statusSet', at);
    await recordEntry(tx, { ...entry, before: { status: present.status }, after: { status } });
  });
}
