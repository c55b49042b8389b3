/** Queues a message again that was given up: what an operator's retry of its dead letter does. */
import type { Queryable } from '#db/database.ts';
import { classes, kinds, type QueuedKind } from './kinds.ts';
import { requeueMessage } from './queue/store.ts';

/**
 * With all its attempts before it; an unknown outcome is reconciled first. False when there is nothing to send: it arrived, or it is of
 * no kind that is queued. In the transaction that deletes the letter; call `nudgeSender` after it.
 */
export async function requeue(tx: Queryable, messageId: string): Promise<boolean> {
  const rules = Object.entries(kinds).flatMap(([kind, { class: className, waitsAtMostMs }]) =>
    className === null
      ? []
      : [{ kind: kind as QueuedKind, class: classes[className], waits_ms: waitsAtMostMs }],
  );
  return requeueMessage(tx, messageId, rules);
}
