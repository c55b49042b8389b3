/** A change of what staff do with a conversation: held, judged, written with its entry in the trail, in one commit. */
import { OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Fields } from '#platform/audit/changes.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { lockCustomers } from '#product/customers/merged/store.ts';
import { ofCustomer } from '#product/customers/trail.ts';
import { type Desk, findDesk, holdTalk } from './store.ts';

export type Needed = Pick<Context, 'db' | 'clock'>;

/** Which conversation. */
export interface Which {
  readonly workshopId: string;
  /** Any of the customer's. */
  readonly conversationId: string;
  /** As the form showed it; absent: any. */
  readonly version?: number;
}

/** What is done with it. */
export interface Doing {
  /** What the trail says was done: `talkDone`. */
  readonly done: string;
  /** What follows holds already: nothing is written. */
  readonly isSo: (desk: Desk) => boolean;
  readonly write: (tx: Queryable, desk: Desk, at: Date) => Promise<void>;
  /** What the trail keeps, beside the conversation. */
  readonly before?: (desk: Desk) => Fields;
  readonly after?: Fields;
}

/**
 * The conversation after the change. What holds already is no second change, whatever version was seen. Throws 404 040001 for a conversation that
 * is not the workshop's, 412 000010 for another version, OperatorError for a customer who was erased.
 */
export async function changeTalk(
  { db, clock }: Needed,
  which: Which,
  doing: Doing,
  actor: Actor,
  alongside?: Alongside<Desk>,
): Promise<Desk> {
  return db.transaction(async (tx) => {
    const at = clock.now();
    const desk = await holdDesk(tx, which);
    if (doing.isSo(desk)) {
      await alongside?.(tx, desk);
      return desk;
    }
    judgeVersion(which, desk);
    await doing.write(tx, desk, at);
    await recordEntry(tx, {
      ...ofCustomer(desk, actor, doing.done, at),
      ...(doing.before && { before: { ...doing.before(desk), conversationId: null } }),
      after: { ...doing.after, conversationId: desk.conversationId },
    });
    const changed = await requireDesk(tx, which);
    await alongside?.(tx, changed);
    return changed;
  });
}

/** Held until the transaction ends: no message, no merge and nobody else changes it meanwhile. */
export async function holdDesk(tx: Queryable, { workshopId, conversationId }: Which): Promise<Desk> {
  const { customerId } = await requireDesk(tx, { workshopId, conversationId });
  await lockCustomers(tx, [customerId]);
  // Merged meanwhile, perhaps.
  const { customerId: keptId } = await requireDesk(tx, { workshopId, conversationId });
  await holdTalk(tx, workshopId, keptId);
  const desk = await requireDesk(tx, { workshopId, conversationId });
  if (desk.isErased)
    throw new OperatorError(`customer ${desk.customerId} was erased: there is nothing to do`);
  return desk;
}

function judgeVersion({ version }: Which, desk: Desk): void {
  if (version !== undefined && version !== desk.version) throw new Problem('000010');
}

async function requireDesk(tx: Queryable, { workshopId, conversationId }: Which): Promise<Desk> {
  const desk = isId(conversationId) ? await findDesk(tx, workshopId, conversationId) : null;
  if (desk === null) throw new Problem('040001');
  return desk;
}
