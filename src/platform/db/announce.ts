/**
 * Publishes the text of each statement that goes to the driver, while its caller is still on the stack. A server has no
 * subscriber.
 */
import { channel } from 'node:diagnostics_channel';

/** The test runner subscribes, and makes `statements.sql` from the texts. */
export const texts = channel('pitlane:statement');

export function announce(text: string): void {
  if (texts.hasSubscribers) texts.publish(text);
}

/** The conditions of one set of filters or limits, for statements that have a text for each such set. */
export const sets = channel('pitlane:set');

export function announceSet(conditions: readonly string[]): void {
  if (sets.hasSubscribers) sets.publish(conditions);
}
