/** SQL that tells whether a message was sent. */

/** The states of a message that a gateway has, or may have, as a list of SQL literals. */
export const handedOverStates = `'accepted', 'unknown', 'delivered', 'undelivered'`;

/**
 * An SQL expression over a message row: a gateway accepted it. An expired message counts only if it was handed over; others expire
 * in the queue.
 */
export function isAccepted(m: string): string {
  return `(${m}.state IN ('accepted', 'delivered', 'undelivered') OR ${m}.state = 'expired' AND ${m}.handed_over_at IS NOT NULL)`;
}
