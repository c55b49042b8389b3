/** Links a partner with a workshop, and switches the link off and on. */

import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requirePartner } from '#product/partners/store.ts';
import { type ListedLink, listLinks } from './links/store.ts';
import { requireWorkshop, switchLinkOff, upsertLink } from './store.ts';

export interface Link {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly active: boolean;
}

/** Throws OperatorError for an unknown partner or workshop, and when there is no link to switch off. */
export async function setLink(context: ChangeContext, wanted: Link, actor: Actor): Promise<Link> {
  const { db } = context;
  const { partnerId } = await requirePartner(db, wanted.partnerId);
  const { workshopId } = await requireWorkshop(db, wanted.workshopId);
  const link = { partnerId, workshopId, active: wanted.active };
  const [present] = await listLinks(db, { partnerId, workshopId, after: null, limit: 1 });
  await change(context, async ({ tx, now: at }) => {
    if (wanted.active) {
      await upsertLink(tx, link, at);
    } else if (!(await switchLinkOff(tx, partnerId, workshopId))) {
      throw notLinked(partnerId, workshopId);
    }
    await recordEntry(tx, {
      ...{ actor, workshopId, partnerId, subject: { kind: 'link', id: partnerId } },
      ...{ action: 'link.changed', at },
      ...{ before: { active: present?.active ?? false }, after: { active: link.active } },
    });
  });
  return link;
}

export interface ShownLink extends ListedLink {
  readonly partnerStatus: string;
  /** The partner's features, at all workshops. */
  readonly messagingEnabled: boolean;
  readonly campaignsEnabled: boolean;
  /** Whether partners may text the workshop's customers. */
  readonly inboxMessagingEnabled: boolean;
}

/** Throws OperatorError for an unknown partner or workshop, and when the two were never linked. */
export async function showLink(db: Queryable, partner: string, workshop: string): Promise<ShownLink> {
  const {
    partnerId,
    status: partnerStatus,
    messagingEnabled,
    campaignsEnabled,
  } = await requirePartner(db, partner);
  const { workshopId, inboxMessagingEnabled } = await requireWorkshop(db, workshop);
  const [link] = await listLinks(db, { partnerId, workshopId, after: null, limit: 1 });
  if (link === undefined) throw notLinked(partnerId, workshopId);
  return { ...link, partnerStatus, messagingEnabled, campaignsEnabled, inboxMessagingEnabled };
}

function notLinked(partnerId: string, workshopId: string): OperatorError {
  return new OperatorError(`partner ${partnerId} is not linked to workshop ${workshopId}`);
}
