/** Assigns a conversation to one of the workshop's staff. */
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import type { ChangeContext } from '#platform/change/change.ts';
import { findMember } from '#product/people/members/store.ts';
import { may } from '#product/people/permissions.ts';
import { changeTalk, type Which } from './change.ts';
import { type Desk, holdMember, writeMark } from './store.ts';

export interface Assignment extends Which {
  /** Null: nobody. */
  readonly personId: string | null;
}

/**
 * Idempotent. Throws what `changeTalk` throws, and InvalidInput (`personId`) for a person who may not see the workshop's customers.
 */
export function assign(
  context: ChangeContext,
  { personId: asked, ...which }: Assignment,
  actor: Actor,
): Promise<Desk> {
  const personId = asked?.toLowerCase() ?? null;
  const doing = {
    done: personId === null ? 'talkUnassigned' : 'talkAssigned',
    isSo: ({ assignedTo }: Desk) => (assignedTo?.personId ?? null) === personId,
    async write(tx, { workshopId, customerId }) {
      if (personId !== null) await requireMember(tx, workshopId, personId);
      await writeMark(tx, workshopId, customerId, { assignedTo: personId });
    },
    before: ({ assignedTo }: Desk) => ({ assignedTo: assignedTo?.personId ?? null }),
    after: { assignedTo: personId },
  } satisfies Parameters<typeof changeTalk>[2];
  return changeTalk(context, which, doing, actor);
}

async function requireMember(
  tx: Parameters<typeof findMember>[0],
  workshopId: string,
  personId: string,
): Promise<void> {
  const isHeld = isId(personId) && (await holdMember(tx, workshopId, personId));
  const member = isHeld ? await findMember(tx, workshopId, personId) : null;
  if (member === null || !may(member, 'seeCustomers'))
    throw new InvalidInput([{ field: 'personId', message: 'is nobody of this workshop' }]);
}
