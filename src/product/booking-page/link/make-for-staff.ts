/** Makes a link without filled-in values for staff, who name workshop and partner by id. */

import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Context } from '#platform/context.ts';
import { requirePartner } from '#product/partners/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { makeBookingLink } from './make.ts';

export interface StaffLink {
  readonly workshopId: string;
  readonly partnerId: string;
  /** Below the installation's public address. */
  readonly path: string;
}

/** Throws OperatorError for an unknown workshop or partner, when their link is missing or off, and when the page is off. */
export async function makeStaffLink(
  context: Pick<Context, 'db' | 'clock' | 'sealing'>,
  of: { readonly workshopId: string; readonly partnerId: string },
  actor: Actor,
): Promise<StaffLink> {
  const { workshopId } = await requireWorkshop(context.db, of.workshopId);
  const { partnerId } = await requirePartner(context.db, of.partnerId);
  try {
    const { path } = await makeBookingLink(context, { partnerId, workshopId }, {});
    const subject = { kind: 'link', id: partnerId };
    const at = context.clock.now();
    await recordEntry(context.db, {
      actor,
      workshopId,
      partnerId,
      subject,
      action: 'link.bookingLinkShown',
      at,
    });
    return { workshopId, partnerId, path };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const why = error.errorCode === '030001' ? 'the partner is not linked to it' : error.message;
    throw new OperatorError(`there is no link to the booking page of workshop ${workshopId}: ${why}`);
  }
}
