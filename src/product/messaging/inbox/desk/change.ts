/** Changes the state of a conversation: locks it, checks the version, and writes the change with its trail entry in one commit. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Fields } from '#platform/audit/changes.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { lockCustomers } from '#product/customers/merged/store.ts';
import { ofCustomer } from '#product/customers/trail.ts';
import { type Desk, findDesk, holdTalk } from './store.ts';

/** Names a conversation. */
export interface Which {
  readonly workshopId: string;
  /** The id of any conversation of the customer. */
  readonly conversationId: string;
  /** The version that the form showed; absent: any version. */
  readonly seen?: number;
}

/** A change. */
export interface Doing {
  /** The action in the trail, such as `talkDone`. */
  readonly done: string;
  /** True when the conversation is already in the wanted state: nothing is written. */
  readonly isSo: (desk: Desk) => boolean;
  readonly write: (tx: Queryable, desk: Desk, at: Date) => Promise<void>;
  /** Further fields of the trail entry. */
  readonly before?: (desk: Desk) => Fields;
  readonly after?: Fields;
}

/**
 * Returns the conversation after the change. When nothing would change, nothing is written, whatever the version. Throws 404 040001
 * for a conversation that is not the workshop's, 412 000010 for another version, OperatorError for a customer who was erased.
 */
export async function changeTalk(
  context: ChangeContext,
  which: Which,
  doing: Doing,
  actor: Actor,
): Promise<Desk> {
  return change(context, async ({ tx, now: at }) => {
    const desk = await holdDesk(tx, which);
    if (doing.isSo(desk)) return desk;
    judgeVersion(which, desk);
    await doing.write(tx, desk, at);
    await recordEntry(tx, {
      ...ofCustomer(desk, actor, doing.done, at),
      ...(doing.before && { before: { ...doing.before(desk), conversationId: null } }),
      after: { ...doing.after, conversationId: desk.conversationId },
    });
    return requireDesk(tx, which);
  });
}

/** Locks the conversation until the transaction ends, against new messages, merges and other changes. */
export async function holdDesk(tx: Queryable, { workshopId, conversationId }: Which): Promise<Desk> {
  const { customerId } = await requireDesk(tx, { workshopId, conversationId });
  await lockCustomers(tx, [customerId]);
  // The customer may have been merged before the lock was taken.
  const { customerId: keptId } = await requireDesk(tx, { workshopId, conversationId });
  await holdTalk(tx, workshopId, keptId);
  const desk = await requireDesk(tx, { workshopId, conversationId });
  if (desk.isErased)
    throw new OperatorError(`customer ${desk.customerId} was erased: there is nothing to do`);
  return desk;
}

function judgeVersion({ seen }: Which, desk: Desk): void {
  if (seen !== undefined && seen !== desk.version) throw new Problem('000010');
}

async function requireDesk(tx: Queryable, { workshopId, conversationId }: Which): Promise<Desk> {
  const desk = isId(conversationId) ? await findDesk(tx, workshopId, conversationId) : null;
  if (desk === null) throw new Problem('040001');
  return desk;
}
