/** Staff mark a conversation as done, or as waiting again. */
import type { Actor } from '#base/values/actor.ts';
import type { ChangeContext } from '#platform/change/change.ts';
import { changeTalk, type Which } from './change.ts';
import { type Desk, writeMark } from './store.ts';

/**
 * Marks as done: nobody needs to act until the customer writes again or a text to them fails. Idempotent. A concurrent message
 * waits for the lock, or changes the version first. Throws what `changeTalk` throws.
 */
export function markDone(context: ChangeContext, which: Which, actor: Actor): Promise<Desk> {
  const doing = {
    done: 'talkDone',
    isSo: ({ state }: Desk) => state === 'done',
    write: (tx, { workshopId, customerId }, at) => writeMark(tx, workshopId, customerId, { doneAt: at }),
  } satisfies Parameters<typeof changeTalk>[2];
  return changeTalk(context, which, doing, actor);
}

/**
 * Marks as waiting: somebody needs to act until a message is sent successfully, or it is marked as done. Idempotent. Throws what
 * `changeTalk` throws.
 */
export function markWaiting(context: ChangeContext, which: Which, actor: Actor): Promise<Desk> {
  const doing = {
    done: 'talkReopened',
    isSo: ({ state }: Desk) => state === 'waiting',
    write: (tx, { workshopId, customerId }) => writeMark(tx, workshopId, customerId, { waits: true }),
  } satisfies Parameters<typeof changeTalk>[2];
  return changeTalk(context, which, doing, actor);
}
