/** SQL of bounces: the attempt that a bounce is about, the mark on the customer's address, and counts for the metrics. */
import type { Queryable } from '#platform/db/database.ts';

/** The states of an attempt that a bounce can still change. */
const open = `('sending', 'unknown', 'accepted')`;

export interface EmailAttempt {
  readonly gateway: string;
  /** False when the outcome of the attempt is final. */
  readonly isOpen: boolean;
}

/** The attempt of an e-mail; null when it does not exist, or was deleted. */
export async function findEmailAttempt(db: Queryable, attemptId: string): Promise<EmailAttempt | null> {
  const [row] = await db.query<EmailAttempt>(
    `SELECT a.gateway, a.state IN ${open} AS is_open FROM message_attempt a JOIN message m ON m.id = a.message_id
      WHERE a.id = $1 AND m.channel = 'email'`,
    [attemptId],
  );
  return row ?? null;
}

export interface InvalidAddress {
  readonly attemptId: string;
  /**
   * The addresses that the report names, in lower case. The customer's address is marked when it is among them, or when the report
   * names none.
   */
  readonly recipients: readonly string[];
  /** The reason, without addresses. */
  readonly why: string;
}

/**
 * Marks the recipient's address of an attempt as invalid on the customer. A settled attempt marks nothing: staff may have removed
 * the mark since. `now` is business time.
 */
export async function markInvalidAddress(db: Queryable, invalid: InvalidAddress, now: Date): Promise<void> {
  await db.query(
    `UPDATE customer AS c SET bounced_email = m.recipient, email_bounced_at = $4, email_bounce = $3, updated_at = $4
       FROM message_attempt a JOIN message m ON m.id = a.message_id
      WHERE a.id = $1 AND a.state IN ${open} AND m.channel = 'email' AND m.audience = 'customer' AND m.recipient <> ''
        AND (c.workshop_id, c.id) = (m.workshop_id, m.customer_id) AND c.erased_at IS NULL
        AND (cardinality($2::text[]) = 0 OR lower(m.recipient) = ANY($2::text[]))`,
    [invalid.attemptId, invalid.recipients, invalid.why, now],
  );
}

export async function countBounce(db: Queryable, outcome: string): Promise<void> {
  await db.query(
    `INSERT INTO bounce_count AS c (outcome, count) VALUES ($1, 1) ON CONFLICT (outcome) DO UPDATE SET count = c.count + 1`,
    [outcome],
  );
}

export interface Bounces {
  readonly byOutcome: readonly { readonly outcome: string; readonly count: number }[];
  /** Customers whose address has a permanent bounce. */
  readonly addresses: number;
}

/** Counts for the metrics. */
export async function bounceCounts(db: Queryable): Promise<Bounces> {
  const [row] = await db.query<Bounces>(
    `SELECT coalesce((SELECT jsonb_agg(jsonb_build_object('outcome', outcome, 'count', count)) FROM bounce_count), '[]') AS by_outcome,
       (SELECT count(*)::int FROM customer WHERE bounced_email IS NOT NULL AND lower(email) = lower(bounced_email)) AS addresses`,
  );
  return row ?? { byOutcome: [], addresses: 0 };
}
