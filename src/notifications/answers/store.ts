/** SQL of the notices that tell a workshop of its customers' answers: one row for each round, recipient and channel. */
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import type { Sending } from '#work/flags.ts';
import {
  type Claim,
  type Claimed,
  type ClaimRow,
  claimColumns,
  claimedOf,
  claimSet,
  claimValues,
  claimWhere,
  dueColumns,
  type NewNotice,
} from '../attempts/store.ts';

/**
 * Gathers the answers that are to be told of, of each workshop that was told of none in the last five minutes (machine
 * clock), and returns the notices. Of two that run at once, the second waits and finds the time gone.
 */
export async function startRounds(tx: Queryable, at: Date): Promise<NewNotice[]> {
  return tx.query<NewNotice>(
    `WITH due AS (
       UPDATE workshop SET answers_told_at = clock_timestamp()
        WHERE id IN (SELECT workshop_id FROM message WHERE notice_due)
          AND (answers_told_at IS NULL OR answers_told_at < clock_timestamp() - interval '5 minutes')
       RETURNING workshop.*, ${newIdSql} AS round
     ), told AS (
       UPDATE message SET notice_due = false, told_in = due.round
       FROM due WHERE message.workshop_id = due.id AND message.notice_due
     ), made AS (
       INSERT INTO answer_notice (id, round, workshop_id, channel, recipient, created_at, updated_at)
       SELECT ${newIdSql}, due.round, due.id, contact.channel, contact.recipient, $1, $1
       FROM due, LATERAL (
         SELECT 'sms', unnest(coalesce(notify_phones, ARRAY[phone])) WHERE inbox_notices IN ('sms', 'both')
         UNION SELECT 'email', unnest(coalesce(notify_emails, ARRAY[email])) WHERE inbox_notices IN ('email', 'both')
       ) AS contact (channel, recipient)
       RETURNING id, channel, workshop_id
     )
     SELECT made.id, channel, workshop_id AS "workshopId", sms_gateways AS "smsGateways"
     FROM made JOIN due ON due.id = workshop_id`,
    [at],
  );
}

export interface ClaimedAnswerNotice extends Sending {
  readonly id: string;
  readonly round: string;
  readonly recipient: string;
  readonly workshop: string;
  readonly smsSender: string | null;
}

/**
 * Starts an attempt; an SMS whose latest attempt is in doubt is not claimed before that one was asked about. Null when
 * there is nothing left to do: the notice was accepted, or is not there.
 */
export async function claimAnswerNotice(
  db: Queryable,
  claim: Claim,
): Promise<Claimed<ClaimedAnswerNotice> | null> {
  const [row] = await db.query<ClaimedAnswerNotice & ClaimRow>(
    `WITH due AS (
       SELECT ${dueColumns} FROM answer_notice n
       WHERE n.id = $1 AND n.state IN ('pending', 'sending', 'unknown', 'failed')
       FOR UPDATE
     ), claimed AS (
       UPDATE answer_notice AS n SET ${claimSet} FROM due WHERE ${claimWhere} RETURNING n.*
     )
     SELECT ${claimColumns}, due.id, claimed.workshop_id AS "workshopId", round, channel, recipient, workshop.name AS workshop,
       workshop.sms_sender AS "smsSender", workshop.sms_gateways AS "smsGateways"
     FROM due LEFT JOIN claimed ON true LEFT JOIN workshop ON workshop.id = claimed.workshop_id`,
    claimValues(claim),
  );
  return claimedOf(row);
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
