/** Removes a person from a workshop or a partner, or completely. The sessions end in the same commit. */
import { notOf, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { noMember } from './members/change.ts';
import { requireOwner, requireOwnerLeft } from './members/rules.ts';
import { deleteMember, lockOnlyOwned, lockOwners } from './members/store.ts';
import { endAllSessions } from './sessions/store.ts';
import { deleteDeveloper, deletePerson, lockPerson } from './store.ts';
import { ofPerson } from './trail.ts';

type From = { readonly workshopId: string } | { readonly partnerId: string };

/**
 * The person's name stays, since the trail refers to it; without another place they can see nothing. Throws Problem 403 for a
 * person who is not an owner of the workshop, InvalidInput for its last owner, OperatorError when they are not a member.
 */
export function removeFrom(
  context: ChangeContext,
  actor: Actor,
  personId: string,
  from: From,
): Promise<void> {
  return change(context, async ({ tx, now }) => {
    if ('workshopId' in from) await removeMember(tx, actor, from.workshopId, personId);
    else if (!(await deleteDeveloper(tx, personId, from.partnerId)))
      throw notOf({ what: 'partner', id: from.partnerId }, 'person', personId);
    await endAllSessions(tx, personId);
    const workshopId = 'workshopId' in from ? from.workshopId : null;
    const partnerId = 'partnerId' in from ? from.partnerId : null;
    await recordEntry(tx, { ...ofPerson(personId, actor, 'removed', now, workshopId), partnerId });
  });
}

async function removeMember(
  tx: Queryable,
  actor: Actor,
  workshopId: string,
  personId: string,
): Promise<void> {
  const owners = await lockOwners(tx, workshopId);
  requireOwner(actor, owners);
  requireOwnerLeft(owners, personId);
  if (!(await deleteMember(tx, workshopId, personId))) throw noMember({ workshopId, personId });
}

/**
 * The operator deletes the person with everything that is only theirs, such as sessions and codes. The trail keeps their actions
 * with the id. Throws OperatorError for the only owner of a workshop.
 */
export function removePerson(context: ChangeContext, actor: Actor, personId: string): Promise<void> {
  return change(context, async ({ tx, now }) => {
    await lockPerson(tx, personId);
    const owned = await lockOnlyOwned(tx, personId);
    if (owned.length > 0)
      throw new OperatorError(
        `a workshop keeps one owner: make somebody else one of ${owned.join(', ')} first`,
      );
    await deletePerson(tx, personId);
    await recordEntry(tx, ofPerson(personId, actor, 'erased', now));
  });
}
