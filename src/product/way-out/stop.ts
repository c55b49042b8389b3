/** A customer stops a workshop's texts to their number by the link of one of them, and takes that back (specification: Opting out 6). */
import type { CustomerActor } from '#base/values/actor.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { lockCustomers } from '#product/customers/merged/store.ts';
import { recordOptOut } from '#product/customers/opt-out.ts';
import { findWayOut } from './store.ts';

/** The version of the customer after it; null: they had opted out before, or the link is over, and nothing was done. */
export function stopTexts(
  context: ChangeContext,
  code: string,
  actor: CustomerActor,
): Promise<number | null> {
  return change(context, async ({ tx, now }) => {
    const found = await findWayOut(tx, code, now);
    if (found === null) return null;
    const { customerId, workshopId } = found;
    const optOut = { customerId, workshopId, optedOut: true, messageId: null, now, actor };
    if (!(await recordOptOut(tx, optOut))) return null;
    return (await findWayOut(tx, code, now))?.version ?? null;
  });
}

/** How often an hour it may be taken back with one code: each time makes an event, an entry of the trail and webhooks. */
const limit = { policy: 'texts-again', quota: 3, windowSeconds: 3_600 };

/**
 * Undoes the opt-out that gave the customer this version. False: something has changed since, such as by another STOP. Throws 429.
 */
export function takeBackStop(
  context: ChangeContext,
  code: string,
  version: number,
  actor: CustomerActor,
): Promise<boolean> {
  return change(context, async ({ tx, now }) => {
    const found = await findWayOut(tx, code, now);
    if (found === null) return false;
    const { customerId, workshopId } = found;
    const refusal = 'You have changed this several times just now';
    await countAttempt({ db: tx }, { limit, refusal, source: ['texts again', code] });
    await lockCustomers(tx, [customerId]);
    const present = await findWayOut(tx, code, now);
    if (!present?.isOptedOut || present.version !== version) return false;
    return recordOptOut(tx, { customerId, workshopId, optedOut: false, messageId: null, now, actor });
  });
}
