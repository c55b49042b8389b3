/** Opts a customer out of SMS, or in again. Every hand-over checks it, so it takes effect at once. */
import type { Clock } from '#base/clock.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Context } from '#platform/context.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { recordEvent } from '#platform/events/record.ts';
import { findNumberOf } from './apart/store.ts';
import { holdCustomer } from './hold.ts';
import { lockCustomers } from './merged/store.ts';
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
export async function recordOptOut(tx: Queryable, change: OptOutChange): Promise<boolean> {
  const { workshopId, optedOut, messageId, agreement, now, actor } = change;
  // An opt-out by a number holds for its customer; one by staff, of a customer apart, for these alone.
  const number = actor.kind === 'person' ? null : await findNumberOf(tx, workshopId, change.customerId);
  const customerId = number?.customerId ?? change.customerId;
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
  db: Database,
  clock: Clock,
  customerId: string,
  optedOut: boolean,
  actor: Actor,
): Promise<CustomerRecord> {
  return db.transaction(async (tx) => {
    const customer = await requireCustomer(tx, customerId);
    const { workshopId } = customer;
    const change = { customerId, workshopId, optedOut, messageId: null, now: clock.now(), actor };
    await recordOptOut(tx, change);
    return (await findCustomer(tx, customerId)) ?? customer;
  });
}

export interface OptOut {
  readonly workshopId: string;
  readonly customerId: string;
  /** The version that the form showed; absent: any. */
  readonly version?: number;
  readonly actor: Actor;
  /** Not called when the customer has opted out already. */
  readonly alongside?: Alongside<CustomerRecord>;
}

/**
 * Staff opt a customer out at the customer's request; opting in again needs other permissions. Idempotent. Throws 404 040001, and
 * 412 000010 for another version.
 */
export async function optOut(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workshopId, customerId, version, actor, alongside }: OptOut,
): Promise<CustomerRecord> {
  return db.transaction(async (tx) => {
    await holdCustomer(tx, workshopId, customerId, version);
    const change = { customerId, workshopId, optedOut: true, messageId: null, now: clock.now(), actor };
    const isNew = await recordOptOut(tx, change);
    const customer = await requireCustomer(tx, customerId);
    if (isNew) await alongside?.(tx, customer);
    return customer;
  });
}
