/** Staff say that nobody needs to act in a conversation, or that somebody does after all. */
import type { Actor } from '#base/values/actor.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { changeTalk, type Needed, type Which } from './change.ts';
import { type Desk, writeMark } from './store.ts';

/**
 * Nobody needs to act, until the customer writes again or a text to them fails. Idempotent. A text that comes at the same time waits: it is
 * written before, which is another version, or after. Throws as `changeTalk`.
 */
export function markDone(
  context: Needed,
  which: Which,
  actor: Actor,
  alongside?: Alongside<Desk>,
): Promise<Desk> {
  const doing = {
    done: 'talkDone',
    isSo: ({ state }: Desk) => state === 'done',
    write: (tx, { workshopId, customerId }, at) => writeMark(tx, workshopId, customerId, { doneAt: at }),
  } satisfies Parameters<typeof changeTalk>[2];
  return changeTalk(context, which, doing, actor, alongside);
}

/** Somebody needs to act, until something is sent that does not fail, or it is marked as done. Idempotent. Throws as `changeTalk`. */
export function markWaiting(
  context: Needed,
  which: Which,
  actor: Actor,
  alongside?: Alongside<Desk>,
): Promise<Desk> {
  const doing = {
    done: 'talkReopened',
    isSo: ({ state }: Desk) => state === 'waiting',
    write: (tx, { workshopId, customerId }) => writeMark(tx, workshopId, customerId, { waits: true }),
  } satisfies Parameters<typeof changeTalk>[2];
  return changeTalk(context, which, doing, actor, alongside);
}
