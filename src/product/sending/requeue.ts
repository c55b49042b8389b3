/** Queues a message again that was given up, when the operator retries its dead letter. */
import type { Queryable } from '#platform/db/database.ts';
import { classes, kinds, type QueuedKind } from './kinds.ts';
import { requeueMessage } from './queue/store.ts';

/**
 * The earlier attempts are kept; an unknown outcome is reconciled first. False when there is nothing to send: the message was
 * delivered, or its kind is not queued. Runs in the transaction that deletes the dead letter.
 */
export async function requeue(tx: Queryable, messageId: string): Promise<boolean> {
  const rules = Object.entries(kinds).flatMap(([kind, { class: className, waitsAtMostMs, deadLetter }]) =>
    // An earlier release wrote letters of confirmations, which are too late by now.
    className === null || !deadLetter
      ? []
      : [{ kind: kind as QueuedKind, class: classes[className], waits_ms: waitsAtMostMs }],
  );
  return requeueMessage(tx, messageId, rules);
}
