/** Whether a message was sent, in SQL. */

/** The states of a message that a gateway got, or may have got, as a list of SQL literals. */
export const handedOverStates = `'accepted', 'unknown', 'delivered', 'undelivered'`;

/** An expression over a message row: a gateway has accepted it. One that expired may also have waited for its gateway in vain. */
export function isAccepted(m: string): string {
  return `(${m}.state IN ('accepted', 'delivered', 'undelivered') OR ${m}.state = 'expired' AND ${m}.handed_over_at IS NOT NULL)`;
}
