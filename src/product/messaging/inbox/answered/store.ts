/** SQL of a talk as whoever answers it needs it: held, what the workshop has said since, and to which number an answer goes. A talk is the conversations of all rows of a customer. */
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { conversationsOf, idsOf } from '#product/customers/merged/store.ts';
import type { Addressee } from '../../staff/sms.ts';

export interface TalkWith {
  readonly workshopId: string;
  readonly customerId: string;
}

/**
 * Holds the talk until the transaction ends, and begins it where there is none: of two who write at the same instant the second waits, and
 * then sees what the first has sent. Whatever staff send in words of their own holds it.
 */
export async function lockTalk(
  tx: Queryable,
  { workshopId, customerId }: TalkWith,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO conversation (id, workshop_id, customer_id, created_at) VALUES (${newIdSql}, $1, $2, $3)
     ON CONFLICT (workshop_id, customer_id) DO NOTHING`,
    [workshopId, customerId, now],
  );
  await tx.query(
    `SELECT id FROM conversation WHERE workshop_id = $1 AND customer_id = ANY (${idsOf('$2::uuid')}) ORDER BY id FOR NO KEY UPDATE`,
    [workshopId, customerId],
  );
}

/** What the workshop's side has said: its people, or a partner in its name. */
export interface SaidMeanwhile {
  readonly messageId: string;
  readonly customerId: string;
  /** Null: the workshop's people. */
  readonly partner: string | null;
  readonly body: string;
  readonly at: Date;
}

/** The conversations of a talk, as an SQL expression. */
const talks = `SELECT id FROM conversation WHERE workshop_id = $1 AND customer_id = ANY (${idsOf('$2::uuid')})`;

/** It has reached the customer, or may have, or is still to: one that the operator has tried again stands as failed meanwhile. */
const isAnswer = (message: string) => `(${message}.state NOT IN ('failed', 'undelivered', 'expired')
              OR EXISTS (SELECT FROM queued_message q WHERE q.message_id = ${message}.id))`;

/** Answers that are newer than the message `seen` (null: all), the newest first, 5 at most; not those that failed, which nobody got. */
export async function listAnswersSince(
  db: Queryable,
  { workshopId, customerId }: TalkWith,
  seen: string | null,
): Promise<SaidMeanwhile[]> {
  return db.query<SaidMeanwhile>(
    `SELECT m.id AS message_id, m.customer_id, partner.name AS partner, m.body, m.created_at AS at
       FROM (${talks}) AS talk CROSS JOIN LATERAL (
         SELECT * FROM message WHERE conversation_id = talk.id AND id > coalesce($3::uuid, '${lowestId}')
            AND kind IN ('reply', 'partnerMessage') AND ${isAnswer('message')}
          ORDER BY id DESC LIMIT 5) AS m
       LEFT JOIN partner ON partner.id = m.partner_id
      ORDER BY m.id DESC LIMIT 5`,
    [workshopId, customerId, seen],
  );
}

/** Whether the customer has written after the message `seen`; null: at all. */
export async function hasWrittenSince(
  db: Queryable,
  { workshopId, customerId }: TalkWith,
  seen: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM (${talks}) AS talk CROSS JOIN LATERAL (
       SELECT FROM message WHERE conversation_id = talk.id AND id > coalesce($3::uuid, '${lowestId}') AND direction = 'inbound'
        LIMIT 1) AS written LIMIT 1`,
    [workshopId, customerId, seen],
  );
  return rows.length > 0;
}

/** The newest message of a talk; null: nothing was said yet. */
export async function findLastSaid(
  db: Queryable,
  { workshopId, customerId }: TalkWith,
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT m.id FROM (${talks}) AS talk CROSS JOIN LATERAL (
       SELECT id FROM message WHERE conversation_id = talk.id ORDER BY id DESC LIMIT 1) AS m ORDER BY m.id DESC LIMIT 1`,
    [workshopId, customerId],
  );
  return row?.id ?? null;
}

/**
 * Who gets an answer in a conversation of the workshop: of a customer who was merged the row whose number they wrote from last, and never
 * one without a number where another has one. Null: there is no such conversation.
 */
export async function findAnswered(
  db: Queryable,
  workshopId: string,
  conversationId: string,
): Promise<Addressee | null> {
  const [found] = await db.query<Addressee>(
    `SELECT k.workshop_id, k.id AS customer_id, k.phone, k.opted_out_at IS NOT NULL AS opted_out, k.erased_at IS NOT NULL AS is_erased
       FROM unnest(${conversationsOf('$2::uuid')}) AS talk (id)
       JOIN conversation v ON v.id = talk.id JOIN customer k ON k.id = v.customer_id
       LEFT JOIN LATERAL (
         SELECT id FROM message WHERE conversation_id = talk.id AND direction = 'inbound' ORDER BY id DESC LIMIT 1) AS heard ON true
      WHERE v.workshop_id = $1
      ORDER BY k.phone IS NULL, heard.id DESC NULLS LAST, v.id <> $2, v.id LIMIT 1`,
    [workshopId, conversationId],
  );
  return found ?? null;
}
