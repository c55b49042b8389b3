/** Staff decide whether a customer's text asked for no more texts (specification: Opting out 8). */
import type { Actor } from '#base/values/actor.ts';
import type { ChangeContext } from '#platform/change/change.ts';
import { recordOptOut } from '#product/customers/opt-out.ts';
import { changeTalk, type Which } from './change.ts';
import { type Desk, writeMark } from './store.ts';

/** It did: the customer is opted out. No SMS confirms it. Idempotent. Throws what `changeTalk` throws. */
export function optOutAsked(context: ChangeContext, which: Which, actor: Actor): Promise<Desk> {
  const doing = {
    done: 'talkStopMeant',
    isSo: ({ optedOut }: Desk) => optedOut,
    async write(tx, { workshopId, customerId }, now) {
      await recordOptOut(tx, { customerId, workshopId, optedOut: true, messageId: null, now, actor });
    },
  } satisfies Parameters<typeof changeTalk>[2];
  return changeTalk(context, which, doing, actor);
}

/**
 * It did not: campaigns and reminders go on from now; what was skipped meanwhile is not sent. Idempotent, but for a customer who
 * was opted out since: 412. Throws what `changeTalk` throws.
 */
export function stopNotMeant(context: ChangeContext, which: Which, actor: Actor): Promise<Desk> {
  const doing = {
    done: 'talkStopNotMeant',
    isSo: ({ asksToStop, optedOut }: Desk) => !asksToStop && !optedOut,
    write: (tx, { workshopId, customerId }) => writeMark(tx, workshopId, customerId, { asks: false }),
  } satisfies Parameters<typeof changeTalk>[2];
  return changeTalk(context, which, doing, actor);
}
