/** Suspends a partner, whose tokens are then refused, or activates it again. */

import type { Clock } from '#base/clock.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { type PartnerStatus, requirePartner, updatePartnerStatus } from './store.ts';
import { ofPartner } from './trail.ts';

/** Idempotent. Throws OperatorError when there is no such partner. */
export async function setPartnerStatus(
  db: Database,
  clock: Clock,
  partnerId: string,
  status: PartnerStatus,
  actor: Actor,
): Promise<void> {
  const at = clock.now();
  await db.transaction(async (tx) => {
    const present = await requirePartner(tx, partnerId);
    await updatePartnerStatus(tx, present.partnerId, status, at);
    const entry = ofPartner(actor, present.partnerId, 'statusSet', at);
    await recordEntry(tx, { ...entry, before: { status: present.status }, after: { status } });
  });
}
