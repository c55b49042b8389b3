/**
 * SQL for answering a talk: its lock, the workshop's answers since a message, and the number that an answer goes to. A talk is the
 * conversations of all rows of a merged customer.
 */
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
 * Locks the talk until the transaction ends, and creates its conversation if there is none. Of two concurrent senders the second
 * one waits, and then sees the message of the first. Every SMS in staff's own words takes this lock.
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

/** A message of the workshop's side: by its staff, or by a partner in its name. */
export interface SaidMeanwhile {
  readonly messageId: string;
  readonly customerId: string;
  /** Null: the workshop's staff. */
  readonly partner: string | null;
  readonly body: string;
  readonly at: Date;
}

/** The conversations of a talk, as an SQL expression. */
const talks = `SELECT id FROM conversation WHERE workshop_id = $1 AND customer_id = ANY (${idsOf('$2::uuid')})`;

/**
 * The message has reached the customer, may have, or is still to be sent. A message whose dead letter is being retried is still
 * `failed`, but queued.
 */
const isAnswer = (message: string) => `(${message}.state NOT IN ('failed', 'undelivered', 'expired')
              OR EXISTS (SELECT FROM queued_message q WHERE q.message_id = ${message}.id))`;

/** Answers newer than the message `seen` (null: all), newest first, at most 5. Failed ones are left out, since nobody got them. */
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

/** Whether the customer has written after the message `seen`; null: at any time. */
export async function hasWrittenSince(
  db: Queryable,
  { workshopId, customerId }: TalkWith,
  seen: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM (${talks}) AS talk CROSS JOIN LATERAL (
       SELECT FROM message WHERE conversation_id = talk.id AND id > coalesce($3::uuid, '${lowestId}') AND kind = 'inbound'
        LIMIT 1) AS written LIMIT 1`,
    [workshopId, customerId, seen],
  );
  return rows.length > 0;
}

/** The newest message of a talk; null: there is none. */
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
 * The customer row that an answer goes to. For a merged customer it is the row whose number they last wrote from, and never one
 * without a number when another has one. Null: the workshop has no such conversation.
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
