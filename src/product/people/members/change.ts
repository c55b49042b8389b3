/** Changes a member of a workshop: role and switches. */
import { notOf } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Role, Switches } from '../permissions.ts';
import { endAllSessions } from '../sessions/store.ts';
import { ofPerson } from '../trail.ts';
import { refuseMoreThanOwn, refuseOwnRise, requireOwner, requireOwnerLeft, switchesFor } from './rules.ts';
import { findMember, lockOwners, type Member, putMember, standingOf } from './store.ts';

/**
 * An absent field stays; but with a changed role, absent switches get the defaults of the new role, as far as the owner who makes
 * the change has them.
 */
export type MemberChanges = Partial<Switches> & { readonly role?: Role | undefined };

export interface WhichMember {
  readonly workshopId: string;
  readonly personId: string;
}

/**
 * `seen` is the version that the caller has seen; absent: any. A changed role ends all sessions of the person;
 * switches apply from the next request. Throws Problem 403 for a person who is not an owner there, InvalidInput for a forbidden
 * change, OperatorError when the person is not a member.
 */
export function changeMember(
  context: ChangeContext,
  actor: Actor,
  which: WhichMember,
  { seen, ...changes }: MemberChanges & { readonly seen?: number },
): Promise<Member> {
  return change(context, async ({ tx, now }) => {
    const member = await changeWithin(tx, actor, which, changes, now, seen);
    if (member === null) throw noMember(which);
    return member;
  });
}

/** As `changeMember`, in the caller's transaction; null when the person is not a member. */
export async function changeWithin(
  tx: Queryable,
  actor: Actor,
  { workshopId, personId }: WhichMember,
  changes: MemberChanges,
  at: Date,
  seen?: number,
): Promise<Member | null> {
  const owners = await lockOwners(tx, workshopId);
  requireOwner(actor, owners);
  const before = await findMember(tx, workshopId, personId);
  if (before === null) return null;
  if (seen !== undefined && seen !== before.version) throw new Problem('000010');
  const role = changes.role ?? before.role;
  const own = await standingOf(tx, actor, workshopId);
  const present = role === before.role ? before : switchesFor(own, role, before);
  const after: Member = {
    ...before,
    version: before.version + 1,
    role,
    mayText: changes.mayText ?? present.mayText,
    seesPhones: changes.seesPhones ?? present.seesPhones,
  };
  refuseOwnRise(actor, personId, before, after);
  refuseMoreThanOwn(own, before, after);
  if (role !== before.role) {
    requireOwnerLeft(owners, personId);
    await endAllSessions(tx, personId);
  }
  await putMember(tx, { ...after, workshopId }, at);
  await recordEntry(tx, {
    ...ofPerson(personId, actor, 'changed', at, workshopId),
    before: shown(before),
    after: shown(after),
  });
  return after;
}

const shown = ({ role, mayText, seesPhones }: Member) => ({ role, mayText, seesPhones });

export const noMember = ({ workshopId, personId }: WhichMember) =>
  notOf({ what: 'workshop', id: workshopId }, 'person', personId);
