/** Tells whoever listens of each text that goes to the driver, while its caller is on the stack. In a server nobody listens. */
import { channel } from 'node:diagnostics_channel';

/** The test runner subscribes: `statements.sql` is made of what it hears. */
export const texts = channel('pitlane:statement');

export function announce(text: string): void {
  if (texts.hasSubscribers) texts.publish(text);
}

/** What a text is made of where each set of filters, or of limits, has a text of its own: the conditions of one such set. */
export const sets = channel('pitlane:set');

export function announceSet(conditions: readonly string[]): void {
  if (sets.hasSubscribers) sets.publish(conditions);
}
