/** Merges two rows of one customer: the older is kept, the other keeps its id. A merge can't be undone. */
import { InvalidInput, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { lockCustomers } from '../merged/store.ts';
import { noteChanged } from '../search/store.ts';
import { type CustomerRecord, findCustomer } from '../store.ts';
import { ofCustomer } from '../trail.ts';
import { writeMerge } from './store.ts';

/** One of the two. */
export interface MergeSide {
  readonly customerId: string;
  /** The version that the form showed; absent: any. */
  readonly seen?: number;
}

export interface Merge {
  readonly workshopId: string;
  /** In any order. */
  readonly both: readonly [MergeSide, MergeSide];
  readonly actor: Actor;
}

export interface Merged {
  readonly kept: CustomerRecord;
  /** The other row, which now refers to the kept one. */
  readonly merged: CustomerRecord;
}

/**
 * One commit. Bookings, quotes, reminders and messages keep their customer's id and version, so partners read the same as before.
 * Throws 404 040001 for a customer that is not the workshop's, 412 000010 for another version, InvalidInput for merging a customer
 * with itself, OperatorError for a customer who was erased, or merged before.
 */
export async function mergeCustomers(
  context: ChangeContext,
  { workshopId, both, actor }: Merge,
): Promise<Merged> {
  const [one, other] = both.map(({ customerId }) => (isId(customerId) ? customerId.toLowerCase() : null));
  if (!one || !other) throw new Problem('040001');
  if (one === other) throw new InvalidInput([{ field: 'with', message: 'is this customer themselves' }]);
  const [keptId, goneId] = one < other ? [one, other] : [other, one];
  return change(context, async ({ tx, now }) => {
    await lockCustomers(tx, [keptId, goneId]);
    const before = { kept: await findCustomer(tx, keptId), merged: await findCustomer(tx, goneId) };
    for (const { customerId, seen } of both)
      judge(workshopId, customerId.toLowerCase() === keptId ? before.kept : before.merged, seen);
    await writeMerge(tx, { workshopId, keptId, goneId, now });
    const after = { kept: await read(tx, keptId), merged: await read(tx, goneId) };
    await noteChanged(tx, [keptId, goneId]);
    for (const side of ['kept', 'merged'] as const)
      await recordEntry(tx, {
        ...ofCustomer(after[side], actor, 'merged', now),
        before: { ...shownOf(before[side]), mergedFrom: null },
        after: { ...shownOf(after[side]), mergedFrom: side === 'kept' ? goneId : null },
      });
    return after;
  });
}

async function read(tx: Queryable, id: string): Promise<CustomerRecord> {
  const customer = await findCustomer(tx, id);
  if (customer === null) throw new Error('a locked customer has disappeared');
  return customer;
}

function judge(workshopId: string, customer: CustomerRecord | null, seen: number | undefined): void {
  if (customer?.workshopId !== workshopId) throw new Problem('040001');
  const { customerId, erasedAt, mergedInto } = customer;
  if (erasedAt !== null)
    throw new OperatorError(`customer ${customerId} was erased: nobody is merged with them`);
  if (mergedInto !== null)
    throw new OperatorError(`customer ${customerId} was merged into ${mergedInto} before: merge that one`);
  if (seen !== undefined && seen !== customer.version) throw new Problem('000010');
}

/** The fields of a side for the trail. */
function shownOf(customer: CustomerRecord | null) {
  if (customer === null) return {};
  const { name, email, company, address, postcode, suburb, tags, optedOutAt, mergedInto } = customer;
  const details = { name, email, company, address, postcode, suburb };
  return { ...details, tags, optedOut: optedOutAt !== null, mergedInto };
}
