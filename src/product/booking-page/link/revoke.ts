/** Revokes a partner's links to a workshop's booking page. */

import type { Clock } from '#base/clock.ts';
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { requirePartner } from '#product/partners/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { countUpVersion } from './store.ts';

export interface Revoked {
  readonly workshopId: string;
  readonly partnerId: string;
}

/** Links that are made later work. Throws OperatorError for an unknown workshop or partner, and when they were never linked. */
export async function revokeBookingLinks(
  db: Database,
  clock: Pick<Clock, 'now'>,
  of: Revoked,
  actor: Actor,
): Promise<Revoked> {
  const { workshopId } = await requireWorkshop(db, of.workshopId);
  const { partnerId } = await requirePartner(db, of.partnerId);
  await db.transaction(async (tx) => {
    if (!(await countUpVersion(tx, partnerId, workshopId)))
      throw new OperatorError(`partner ${partnerId} is not linked to workshop ${workshopId}`);
    const subject = { kind: 'link', id: partnerId };
    const action = 'link.bookingLinksRevoked';
    await recordEntry(tx, { actor, workshopId, partnerId, subject, action, at: clock.now() });
  });
  return { workshopId, partnerId };
}
