/** Revokes a partner's links to a workshop's booking page. */

import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { requirePartner } from '#product/partners/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { countUpVersion } from './store.ts';

export interface Revoked {
  readonly workshopId: string;
  readonly partnerId: string;
}

/** Links that are made later work. Throws OperatorError for an unknown workshop or partner, and when they were never linked. */
export async function revokeBookingLinks(
  context: ChangeContext,
  of: Revoked,
  actor: Actor,
): Promise<Revoked> {
  const { db } = context;
  const { workshopId } = await requireWorkshop(db, of.workshopId);
  const { partnerId } = await requirePartner(db, of.partnerId);
  await change(context, async ({ tx, now: at }) => {
    if (!(await countUpVersion(tx, partnerId, workshopId)))
      throw new OperatorError(`partner ${partnerId} is not linked to workshop ${workshopId}`);
    const subject = { kind: 'link', id: partnerId };
    const action = 'link.bookingLinksRevoked';
    await recordEntry(tx, { actor, workshopId, partnerId, subject, action, at });
  });
  return { workshopId, partnerId };
}
