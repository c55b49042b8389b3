/** SQL of tables that other domains own, here because erasing a person crosses every domain by nature. */
import type { Queryable } from '#db/database.ts';

/** The scans below have no index to go by: an erasure is rare, and may take its time. */
export async function allowLongStatements(tx: Queryable): Promise<void> {
  await tx.query(`SET LOCAL statement_timeout = '5min'`);
}

export interface Traces {
  readonly bookingIds: string[];
  readonly messageIds: string[];
  /** That the customer's bookings were made with. */
  readonly phones: string[];
}

/** Read it before anything is overwritten, and while the customer's row is held. */
export async function findTraces(tx: Queryable, customerId: string): Promise<Traces> {
  const [traces] = await tx.query<Traces>(
    `SELECT ARRAY(SELECT id::text FROM booking WHERE customer_id = $1) AS "bookingIds",
       ARRAY(SELECT id::text FROM message WHERE customer_id = $1) AS "messageIds",
       ARRAY(SELECT DISTINCT contact_phone FROM booking WHERE customer_id = $1 AND contact_phone <> '') AS phones`,
    [customerId],
  );
  return traces ?? { bookingIds: [], messageIds: [], phones: [] };
}

/** `updated_at` rises strictly, and the version with it: a partner's `If-Match` must not hold any more. */
export async function eraseBookings(tx: Queryable, bookingIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `UPDATE booking SET contact_name = 'Erased', contact_first_name = NULL, contact_last_name = NULL, contact_email = '',
       contact_phone = '', contact_company = NULL, car_vin = NULL, notes = NULL, job_notes = '{}', product_notes = '{}', cancel_reason = NULL,
       version = version + 1, updated_at = greatest($2, updated_at + interval '1 millisecond')
     WHERE id = ANY($1::uuid[])`,
    [bookingIds, at],
  );
}

/** A text that waits to be sent has nobody to go to any more. */
export async function eraseMessages(tx: Queryable, messageIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `UPDATE message SET body = 'Erased', recipient = '', detail = NULL, updated_at = $2,
       reason = CASE WHEN state = 'sending' AND attempt_id IS NULL THEN 'erased' ELSE reason END,
       state = CASE WHEN state = 'sending' AND attempt_id IS NULL THEN 'failed' ELSE state END
     WHERE id = ANY($1::uuid[])`,
    [messageIds, at],
  );
  await tx.query(
    `WITH attempt AS (UPDATE message_attempt SET detail = NULL WHERE message_id = ANY($1::uuid[]) RETURNING id)
     UPDATE sms_segment SET detail = NULL FROM attempt WHERE reference = attempt.id`,
    [messageIds],
  );
}

export interface NoticeTraces {
  readonly workshopId: string;
  readonly bookingIds: readonly string[];
  readonly eventIds: readonly string[];
  readonly phones: readonly string[];
}

/** Notices of the person's bookings, of events that named them (the booking may be another's by now), to their phones. */
export async function findNotifications(tx: Queryable, traces: NoticeTraces): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM notification
     WHERE booking_id = ANY($2::uuid[]) OR event_id = ANY($3::uuid[]) OR (workshop_id = $1 AND recipient = ANY($4::text[]))`,
    [traces.workshopId, traces.bookingIds, traces.eventIds, traces.phones],
  );
  return rows.map((row) => row.id);
}

/** A customer's notice that has not gone out has nobody to go to any more. */
export async function eraseNotifications(
  tx: Queryable,
  notificationIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE notification SET
       recipient = CASE WHEN audience = 'customer' THEN 'erased' ELSE recipient END,
       reason = CASE WHEN audience = 'customer' AND state = 'pending' THEN 'erased' ELSE reason END,
       state = CASE WHEN audience = 'customer' AND state = 'pending' THEN 'failed' ELSE state END,
       detail = NULL, updated_at = $2
     WHERE id = ANY($1::uuid[])`,
    [notificationIds, at],
  );
  await tx.query(
    `UPDATE sms_segment SET detail = NULL FROM notification n WHERE n.id = ANY($1::uuid[]) AND reference = n.attempt_id`,
    [notificationIds],
  );
}

/** What told their workshop of their answers; the rows hold nothing of the person, the sandbox's copies do. */
export async function findAnswerNotices(tx: Queryable, customerId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM answer_notice WHERE round IN (SELECT told_in FROM message WHERE customer_id = $1)`,
    [customerId],
  );
  return rows.map((row) => row.id);
}

/** Texts of theirs that had found no place. */
export async function deleteUnplaced(tx: Queryable, phones: readonly string[]): Promise<void> {
  await tx.query(`DELETE FROM unplaced_sms WHERE sender = ANY($1::text[])`, [phones]);
}

export interface StoredEvent {
  readonly id: string;
  readonly payload: unknown;
}

/** Events of these subjects, and those that name the customer, held until the transaction ends. */
export async function lockEventsAbout(
  tx: Queryable,
  about: { readonly workshopId: string; readonly customerId: string; readonly subjectIds: readonly string[] },
): Promise<StoredEvent[]> {
  return tx.query<StoredEvent>(
    `SELECT id, payload FROM event
     WHERE subject_id = ANY($2::uuid[])
       OR (workshop_id = $1
           AND jsonb_path_exists(payload, '$.**{0 to 1}.customerId ? (@ == $id)', jsonb_build_object('id', $3::text)))
     ORDER BY id FOR UPDATE`,
    [about.workshopId, about.subjectIds, about.customerId],
  );
}

export async function replacePayloads(tx: Queryable, events: readonly StoredEvent[]): Promise<void> {
  await tx.query(
    `UPDATE event SET payload = changed.payload
     FROM unnest($1::uuid[], $2::text[]) AS texts(id, payload), LATERAL (SELECT texts.payload::jsonb) AS changed(payload)
     WHERE event.id = texts.id`,
    [events.map((event) => event.id), events.map((event) => JSON.stringify(event.payload))],
  );
}

export interface KeptAnswer {
  readonly partnerId: string;
  readonly key: string;
  readonly body: unknown;
}

/** Answers kept for the workshop's partners that name the customer anywhere, held until the transaction ends. */
export async function lockAnswersNaming(
  tx: Queryable,
  workshopId: string,
  customerId: string,
): Promise<KeptAnswer[]> {
  return tx.query<KeptAnswer>(
    `SELECT partner_id AS "partnerId", key, body FROM idempotency
     WHERE partner_id IN (SELECT partner_id FROM link WHERE workshop_id = $1)
       AND jsonb_path_exists(body, '$.** ? (@ == $id)', jsonb_build_object('id', $2::text))
     ORDER BY partner_id, key FOR UPDATE`,
    [workshopId, customerId],
  );
}

export async function replaceAnswer(tx: Queryable, answer: KeptAnswer): Promise<void> {
  await tx.query(`UPDATE idempotency SET body = $3::jsonb WHERE partner_id = $1 AND key = $2`, [
    answer.partnerId,
    answer.key,
    JSON.stringify(answer.body),
  ]);
}

/** Gateways put numbers and addresses into what they answer. */
export async function eraseDeadLetters(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE dead_letter SET detail = NULL
     WHERE jsonb_path_exists(payload, '$.** ? (@ == $ids[*])', jsonb_build_object('ids', $1::text[]))`,
    [ids],
  );
}

/** What the sandbox shows of the person: its copies of their messages and notices, and all that went to their phones. */
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

/** The rate limit knows people by their phone. */
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
