/** SQL of bounces: the attempt that one is about, the mark on its customer, and how many came. */
import type { Queryable } from '#platform/db/database.ts';

/** The states of an attempt on which a bounce says something new. */
const open = `('sending', 'unknown', 'accepted')`;

export interface EmailAttempt {
  readonly gateway: string;
  /** False: what became of it is known. */
  readonly isOpen: boolean;
}

/** The attempt of an e-mail; null: there is none, or not any more. */
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
  /** Whom the report names, in lower case: the mark is set when the e-mail's recipient is among them, or none is named. */
  readonly recipients: readonly string[];
  /** Why, without addresses. */
  readonly why: string;
}

/**
 * Marks the address of an attempt's e-mail on its customer; not once the attempt is settled, since somebody may have taken the mark
 * away by then. `now` is business time.
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
  /** Customers whose address bounced for good. */
  readonly addresses: number;
}

/** For the metrics. */
export async function bounceCounts(db: Queryable): Promise<Bounces> {
  const [row] = await db.query<Bounces>(
    `SELECT coalesce((SELECT jsonb_agg(jsonb_build_object('outcome', outcome, 'count', count)) FROM bounce_count), '[]') AS by_outcome,
       (SELECT count(*)::int FROM customer WHERE bounced_email IS NOT NULL AND lower(email) = lower(bounced_email)) AS addresses`,
  );
  return row ?? { byOutcome: [], addresses: 0 };
}
