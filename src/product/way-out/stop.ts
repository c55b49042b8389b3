/** A customer stops a workshop's texts to their number by the link of one of them, and takes that back (specification: Opting out 6). */
import type { CustomerActor } from '#base/values/actor.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';
import { lockCustomers } from '#product/customers/merged/store.ts';
import { recordOptOut } from '#product/customers/opt-out.ts';
import { findWayOut } from './store.ts';

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay'>;

/** The version of the customer after it; null: they had opted out before, or the link is over, and nothing was done. */
export async function stopTexts(
  { db, clock, nudgeRelay }: Needed,
  code: string,
  actor: CustomerActor,
): Promise<number | null> {
  const now = clock.now();
  const version = await db.transaction(async (tx) => {
    const found = await findWayOut(tx, code, now);
    if (found === null) return null;
    const { customerId, workshopId } = found;
    const change = { customerId, workshopId, optedOut: true, messageId: null, now, actor };
    if (!(await recordOptOut(tx, change))) return null;
    return (await findWayOut(tx, code, now))?.version ?? null;
  });
  nudgeRelay();
  return version;
}

/** How often an hour it may be taken back with one code: each time makes an event, an entry of the trail and webhooks. */
const limit = { policy: 'texts-again', quota: 3, windowSeconds: 3_600 };

/**
 * Undoes the opt-out that gave the customer this version. False: something has changed since, such as by another STOP. Throws 429.
 */
export async function takeBackStop(
  { db, clock, nudgeRelay }: Needed,
  code: string,
  version: number,
  actor: CustomerActor,
): Promise<boolean> {
  const now = clock.now();
  const isDone = await db.transaction(async (tx) => {
    const found = await findWayOut(tx, code, now);
    if (found === null) return false;
    const { customerId, workshopId } = found;
    const refusal = 'You have changed this several times just now';
    await countAttempt({ db: tx }, { limit, refusal, source: ['texts again', code] });
    await lockCustomers(tx, [customerId]);
    const present = await findWayOut(tx, code, now);
    if (!present?.isOptedOut || present.version !== version) return false;
    const change = { customerId, workshopId, optedOut: false, messageId: null, now, actor };
    return recordOptOut(tx, change);
  });
  nudgeRelay();
  return isDone;
}
