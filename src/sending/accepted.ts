/** Whether a message was sent, in SQL. */

/** An expression over a message row: a gateway has accepted it. One that expired may also have waited for its gateway in vain. */
export function isAccepted(m: string): string {
  return `(${m}.state IN ('accepted', 'delivered', 'undelivered') OR ${m}.state = 'expired' AND ${m}.handed_over_at IS NOT NULL)`;
}
