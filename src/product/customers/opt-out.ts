/** Opts a customer out of SMS, or in again. Every hand-over checks it, so it takes effect at once. */
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { recordEvent } from '#platform/events/record.ts';
import { findNumberOf } from './apart/store.ts';
import { holdCustomer } from './hold.ts';
import { lockCustomers } from './merged/store.ts';
import { insertProviderOptIns } from './provider-opt-in/store.ts';
import { type CustomerRecord, changeOptOut, countStop, findCustomer, requireCustomer } from './store.ts';
import { ofCustomer } from './trail.ts';

/** How a customer who had opted out agreed to SMS again. */
export interface Agreement {
  /** A description: 3 to 255 characters. */
  readonly how: string;
  /** `YYYY-MM-DD`, local. */
  readonly on: string;
}

export interface OptOutChange {
  readonly customerId: string;
  readonly workshopId: string;
  readonly optedOut: boolean;
  /** The inbound SMS with the opt-out word; null when staff made the change, or the provider reported it. */
  readonly messageId: string | null;
  /** For an opt-in by staff; stored in the trail. */
  readonly agreement?: Agreement | undefined;
  readonly now: Date;
  readonly actor: Actor;
}

/**
 * Opts a customer out or in, with the event, in the caller's transaction, for all merged rows; false when nothing changes. A
 * repeated STOP still raises the version, so that a form for an opt-in shown before it is refused.
 */
export async function recordOptOut(tx: Queryable, asked: OptOutChange): Promise<boolean> {
  const { workshopId, optedOut, messageId, agreement, now, actor } = asked;
  // An opt-out by a number holds for its customer; one by staff, of a customer apart, for these alone.
  const number = actor.kind === 'person' ? null : await findNumberOf(tx, workshopId, asked.customerId);
  const customerId = number?.customerId ?? asked.customerId;
  const held = await lockCustomers(tx, [customerId]);
  const phone = await changeOptOut(tx, customerId, optedOut, now);
  if (phone === undefined) {
    if (optedOut && messageId !== null && (await countStop(tx, held))) {
      const subject = { kind: 'customer', id: customerId };
      await recordEntry(tx, { actor, workshopId, subject, action: 'customer.optedOutAgain', at: now });
    }
    return false;
  }
  const before = { optedOut: !optedOut };
  const after = { optedOut, ...(agreement && { agreement: agreement.how, agreedOn: agreement.on }) };
  await recordEvent(tx, {
    id: newId(),
    kind: optedOut ? 'customer.optedOut' : 'customer.optedIn',
    partnerId: null,
    workshopId,
    subjectId: customerId,
    version: 1,
    payload: { customerId, messageId, customer: { id: customerId, phone, workshopId } },
    ...{ before, after },
    occurredAt: now,
    actor,
  });
  // By an SMS the customer has told the provider as well.
  if (!optedOut && messageId === null) await insertProviderOptIns(tx, held, agreement?.on ?? null, now);
  const done = optedOut ? 'optedOut' : 'optedIn';
  for (const id of held.filter((each) => each !== customerId.toLowerCase()))
    await recordEntry(tx, {
      ...ofCustomer({ customerId: id, workshopId }, actor, done, now),
      ...{ before, after },
    });
  return true;
}

/**
 * The operator opts a customer out or in; idempotent, and no SMS confirms it. Throws OperatorError when there is no such customer.
 */
export async function setOptedOut(
  context: ChangeContext,
  customerId: string,
  optedOut: boolean,
  actor: Actor,
): Promise<CustomerRecord> {
  return change(context, async ({ tx, now }) => {
    const customer = await requireCustomer(tx, customerId);
    const { workshopId } = customer;
    await recordOptOut(tx, { customerId, workshopId, optedOut, messageId: null, now, actor });
    return (await findCustomer(tx, customerId)) ?? customer;
  });
}

export interface OptOut {
  readonly workshopId: string;
  readonly customerId: string;
  /** The version that the form showed; absent: any. */
  readonly seen?: number;
  readonly actor: Actor;
}

/**
 * Staff opt a customer out at the customer's request; opting in again needs other permissions. Idempotent. Throws 404 040001, and
 * 412 000010 for another version.
 */
export async function optOut(
  context: ChangeContext,
  { workshopId, customerId, seen, actor }: OptOut,
): Promise<CustomerRecord> {
  return change(context, async ({ tx, now }) => {
    await holdCustomer(tx, workshopId, customerId, seen);
    await recordOptOut(tx, { customerId, workshopId, optedOut: true, messageId: null, now, actor });
    return requireCustomer(tx, customerId);
  });
}
