/** SQL of the notices that tell a workshop of its customers' answers: one row for each round, recipient and channel. */
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import type { AttemptRecord, Claim } from '../store.ts';

/**
 * Gathers the answers that are to be told of, of each workshop that was told of none in the last five minutes (machine
 * clock), and returns the ids of the notices. Of two that run at once, the second waits and finds the time gone.
 */
export async function startRounds(tx: Queryable, at: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `WITH due AS (
       UPDATE workshop SET answers_told_at = clock_timestamp()
        WHERE id IN (SELECT workshop_id FROM message WHERE notice_due)
          AND (answers_told_at IS NULL OR answers_told_at < clock_timestamp() - interval '5 minutes')
       RETURNING workshop.*, ${newIdSql} AS round
     ), told AS (
       UPDATE message SET notice_due = false, told_in = due.round
       FROM due WHERE message.workshop_id = due.id AND message.notice_due
     )
     INSERT INTO answer_notice (id, round, workshop_id, channel, recipient, created_at, updated_at)
     SELECT ${newIdSql}, due.round, due.id, contact.channel, contact.recipient, $1, $1
     FROM due, LATERAL (
       SELECT 'sms', unnest(coalesce(notify_phones, ARRAY[phone])) WHERE inbox_notices IN ('sms', 'both')
       UNION SELECT 'email', unnest(coalesce(notify_emails, ARRAY[email])) WHERE inbox_notices IN ('email', 'both')
     ) AS contact (channel, recipient)
     RETURNING id`,
    [at],
  );
  return rows.map((row) => row.id);
}

export interface ClaimedAnswerNotice {
  readonly id: string;
  readonly round: string;
  readonly channel: 'sms' | 'email';
  readonly recipient: string;
  /** An earlier attempt that may have arrived: it was handed over, and no answer was recorded. */
  readonly doubtfulAttemptId: string | null;
  /** Which gateway had that one, or the list where it is not known which. */
  readonly doubtfulGateway: string | null;
  readonly workshop: string;
  readonly smsSender: string | null;
  readonly smsGateways: readonly string[] | null;
}

/** Starts an attempt. Null when there is nothing left to do: the notice was accepted, or is not there. */
export async function claimAnswerNotice(db: Queryable, claim: Claim): Promise<ClaimedAnswerNotice | null> {
  const [claimed] = await db.query<ClaimedAnswerNotice>(
    `WITH due AS (
       SELECT id, state, attempt_id, gateway FROM answer_notice
       WHERE id = $1 AND state IN ('pending', 'sending', 'unknown', 'failed')
       FOR UPDATE
     ), claimed AS (
       UPDATE answer_notice AS n SET state = 'sending', attempt_id = $2, attempts = attempts + 1, updated_at = $5,
         gateway = CASE channel WHEN 'sms' THEN $3 ELSE $4 END
       FROM due WHERE n.id = due.id
       RETURNING n.*, due.gateway AS earlier_gateway,
         CASE WHEN due.state IN ('sending', 'unknown') THEN due.attempt_id END AS doubtful
     )
     SELECT claimed.id, round, channel, recipient, doubtful AS "doubtfulAttemptId",
       earlier_gateway AS "doubtfulGateway", workshop.name AS workshop,
       workshop.sms_sender AS "smsSender", workshop.sms_gateways AS "smsGateways"
     FROM claimed JOIN workshop ON workshop.id = claimed.workshop_id`,
    [claim.id, claim.attemptId, claim.smsGateway, claim.emailGateway, claim.at],
  );
  return claimed ?? null;
}

/** Records the outcome of an attempt; false when another attempt has begun since, whose outcome counts instead. */
export async function recordAnswerAttempt(
  db: Queryable,
  claim: Pick<Claim, 'id' | 'attemptId'>,
  record: AttemptRecord,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE answer_notice SET state = $3, reason = $4, detail = $5, gateway_id = $6, attempt_id = $7, updated_at = $8,
       gateway = coalesce($9, gateway)
     WHERE id = $1 AND attempt_id = $2 AND state = 'sending'
     RETURNING id`,
    [
      claim.id,
      claim.attemptId,
      record.state,
      record.reason,
      record.detail,
      record.gatewayId,
      record.attemptId,
      at,
      record.gateway ?? null,
    ],
  );
  return rows.length > 0;
}

export interface Answer {
  readonly name: string;
  /** Null when the person was erased since. */
  readonly phone: string | null;
  readonly body: string;
}

export interface Round {
  /** All of the round. */
  readonly count: number;
  readonly people: number;
  /** The first of them, oldest first. */
  readonly answers: Answer[];
}

/** What a round tells of, as it is now: of a person who was erased since, nothing. */
export async function readRound(db: Queryable, round: string, atMost: number): Promise<Round> {
  const answers = await db.query<Answer & { count: number }>(
    `SELECT k.name, k.phone, m.body, count(*) OVER ()::int AS count
     FROM message m JOIN customer k ON k.id = m.customer_id WHERE m.told_in = $1 ORDER BY m.id LIMIT $2`,
    [round, atMost],
  );
  const [all] = await db.query<{ people: number }>(
    'SELECT count(DISTINCT customer_id)::int AS people FROM message WHERE told_in = $1',
    [round],
  );
  return { count: answers[0]?.count ?? 0, people: all?.people ?? 0, answers };
}
