/** SQL of an erasure, over the tables of all domains. */
import type { Queryable } from '#platform/db/database.ts';
import type { WaitingNotice } from '#product/notifications/waiting.ts';
import { kindsThat, sqlList } from '#product/sending/kinds.ts';

/** The kinds of notices and digests, as a list of SQL literals: messages outside conversations. */
const noticeKinds = sqlList(kindsThat(({ kept }) => kept === 'notice'));

/** The messages of their conversation, and all messages to them. Call it while the customer's rows are locked. */
export async function findOwnMessages(tx: Queryable, customerIds: readonly string[]): Promise<string[]> {
  const text = 'SELECT id FROM message WHERE customer_id = ANY($1::uuid[])';
  const rows = await tx.query<{ id: string }>(text, [customerIds]);
  return rows.map(({ id }) => id);
}

export interface MessageTraces {
  readonly workshopId: string;
  readonly customerIds: readonly string[];
  /** The subjects of notices. */
  readonly seriesIds: readonly string[];
  readonly eventIds: readonly string[];
  readonly phones: readonly string[];
}

/** Messages with personal details: the customer's, those to their phones, and notices and digests to the workshop about them. */
export async function findMessages(
  tx: Queryable,
  { workshopId, customerIds, seriesIds, eventIds, phones }: MessageTraces,
): Promise<{ readonly id: string; readonly isNotice: boolean }[]> {
  return tx.query<{ id: string; isNotice: boolean }>(
    `SELECT id, kind IN (${noticeKinds}) AS is_notice FROM message
     WHERE customer_id = ANY($2::uuid[]) OR (workshop_id = $1 AND audience = 'customer' AND recipient = ANY($5::text[]))
       OR (audience = 'workshop' AND (series_id = ANY($3::uuid[]) OR cause_id = ANY($4::uuid[])
         OR cause_id IN (SELECT told_in FROM message WHERE customer_id = ANY($2::uuid[]))))`,
    [workshopId, customerIds, seriesIds, eventIds, phones],
  );
}

/**
 * Removes queued messages to the person; those in flight keep their entry, without its recipient, until they end. Of messages to
 * the workshop only the texts are erased; `replaceText` writes new ones for those that are queued.
 */
export async function eraseMessages(tx: Queryable, messageIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `WITH gone AS (
       DELETE FROM queued_message q USING message m
        WHERE q.message_id = ANY($1::uuid[]) AND m.id = q.message_id AND m.audience = 'customer' AND q.attempt_id IS NULL
       RETURNING q.message_id)
     UPDATE message SET body = 'Erased', subject = CASE WHEN subject IS NOT NULL THEN 'Erased' END, detail = NULL, updated_at = $2,
       recipient = CASE audience WHEN 'customer' THEN '' ELSE recipient END,
       reason = CASE WHEN id IN (SELECT message_id FROM gone) THEN 'erased' ELSE reason END,
       state = CASE WHEN id IN (SELECT message_id FROM gone) THEN 'failed' ELSE state END
     WHERE id = ANY($1::uuid[])`,
    [messageIds, at],
  );
  // A separate statement: it sees entries that were claimed while the statement before waited for their locks.
  await tx.query(
    `UPDATE queued_message q SET recipient = '' FROM message m
      WHERE q.message_id = ANY($1::uuid[]) AND m.id = q.message_id AND m.audience = 'customer'`,
    [messageIds],
  );
  await tx.query(
    `WITH attempt AS (UPDATE message_attempt SET detail = NULL WHERE message_id = ANY($1::uuid[]) RETURNING id)
     UPDATE sms_segment SET detail = NULL FROM attempt WHERE reference = attempt.id`,
    [messageIds],
  );
}

/** Reads which of these messages go to a workshop and are queued, or have a dead letter that can be retried. */
export async function findWaitingNotices(
  tx: Queryable,
  messageIds: readonly string[],
): Promise<WaitingNotice[]> {
  return tx.query<WaitingNotice>(
    `SELECT m.id, m.kind, m.workshop_id, m.channel, m.cause_id
       FROM message m
      WHERE m.id = ANY($1::uuid[]) AND m.audience = 'workshop' AND m.cause_id IS NOT NULL
        AND (EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id)
          OR EXISTS (SELECT FROM dead_letter d WHERE d.job = 'send' AND d.payload = jsonb_build_object('messageId', m.id)))`,
    [messageIds],
  );
}

export interface NewText {
  readonly id: string;
  readonly subject: string | null;
  readonly body: string;
  /** Null for an e-mail. */
  readonly encoding: string | null;
  readonly segments: number | null;
}

/** Replaces the text of a queued message. */
export async function replaceText(tx: Queryable, text: NewText): Promise<void> {
  await tx.query('UPDATE message SET subject = $2, body = $3, encoding = $4, segments = $5 WHERE id = $1', [
    text.id,
    text.subject,
    text.body,
    text.encoding,
    text.segments,
  ]);
}

/** Deletes what came beside these messages; of what is being fetched nothing is stored afterwards. */
export async function deleteAttachments(tx: Queryable, messageIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM message_attachment WHERE message_id = ANY($1::uuid[])', [messageIds]);
}

/** Deletes unmatched inbound SMS from these phones. */
export async function deleteUnmatched(tx: Queryable, phones: readonly string[]): Promise<void> {
  await tx.query(`DELETE FROM unplaced_sms WHERE sender = ANY($1::text[])`, [phones]);
}

export interface StoredEvent {
  readonly id: string;
  readonly payload: unknown;
}

/** Events of these subjects, and those that name the customer, locked until the transaction ends. */
export async function lockEventsAbout(
  tx: Queryable,
  about: {
    readonly workshopId: string;
    readonly customerIds: readonly string[];
    readonly subjectIds: readonly string[];
  },
): Promise<StoredEvent[]> {
  return tx.query<StoredEvent>(
    `SELECT id, payload FROM event
     WHERE subject_id = ANY($2::uuid[])
       OR (workshop_id = $1
           AND jsonb_path_exists(payload, '$.**{0 to 1}.customerId ? (@ == $ids[*])', jsonb_build_object('ids', $3::text[])))
     ORDER BY id FOR UPDATE`,
    [about.workshopId, about.subjectIds, about.customerIds],
  );
}

/** Replaces the payloads. The values that an event keeps for the audit trail go altogether; its author, action and time stay. */
export async function replacePayloads(tx: Queryable, events: readonly StoredEvent[]): Promise<void> {
  await tx.query(
    `UPDATE event SET payload = changed.payload, before = NULL, after = NULL
     FROM unnest($1::uuid[], $2::text[]) AS texts(id, payload), LATERAL (SELECT texts.payload::jsonb) AS changed(payload)
     WHERE event.id = texts.id`,
    [events.map((event) => event.id), events.map((event) => JSON.stringify(event.payload))],
  );
}

export interface KeptResponse {
  readonly partnerId: string;
  readonly key: string;
  readonly body: unknown;
}

/** Responses stored for idempotent replay that name one of these ids anywhere, locked until the transaction ends. */
export async function lockResponsesNaming(
  tx: Queryable,
  workshopId: string,
  ids: readonly string[],
): Promise<KeptResponse[]> {
  return tx.query<KeptResponse>(
    `SELECT partner_id, key, body FROM idempotency
     WHERE partner_id IN (SELECT partner_id FROM link WHERE workshop_id = $1)
       AND jsonb_path_exists(body, '$.** ? (@ == $ids[*])', jsonb_build_object('ids', $2::text[]))
     ORDER BY partner_id, key FOR UPDATE`,
    [workshopId, ids],
  );
}

export async function replaceResponse(tx: Queryable, answer: KeptResponse): Promise<void> {
  await tx.query(`UPDATE idempotency SET body = $3::jsonb WHERE partner_id = $1 AND key = $2`, [
    answer.partnerId,
    answer.key,
    JSON.stringify(answer.body),
  ]);
}

/** Deletes the sandbox's copies of these messages, and of all that went to these phones. */
export async function deleteSandboxCopies(
  tx: Queryable,
  messageIds: readonly string[],
  phones: readonly string[],
): Promise<void> {
  await tx.query(
    `DELETE FROM sandbox_message WHERE message_id = ANY($1::uuid[]) OR recipient = ANY($2::text[])`,
    [messageIds, phones],
  );
}

/** Deletes the rate limit's rows, which hold phones. */
export async function deleteRates(
  tx: Queryable,
  workshopId: string,
  phones: readonly string[],
): Promise<void> {
  await tx.query(`DELETE FROM message_rate WHERE workshop_id = $1 AND person = ANY($2::text[])`, [
    workshopId,
    phones,
  ]);
}

/** Deletes why staff might text these numbers: the words may name the person. */
export async function deleteGrounds(
  tx: Queryable,
  workshopId: string,
  customerIds: readonly string[],
  phones: readonly string[],
): Promise<void> {
  await tx.query(
    `DELETE FROM texting_ground WHERE workshop_id = $1 AND (customer_id = ANY($2::uuid[]) OR phone = ANY($3::text[]))`,
    [workshopId, customerIds, phones],
  );
}

/** Deletes the texts to them that go later. */
export async function deleteScheduled(
  tx: Queryable,
  workshopId: string,
  customerIds: readonly string[],
): Promise<void> {
  await tx.query('DELETE FROM scheduled_text WHERE workshop_id = $1 AND customer_id = ANY($2::uuid[])', [
    workshopId,
    customerIds,
  ]);
}
