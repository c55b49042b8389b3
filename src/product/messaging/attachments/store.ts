/** SQL of attachments: pictures that customers send beside an SMS (table `message_attachment`). */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import { conversationsOf } from '#product/customers/merged/store.ts';
import type { Refusal } from './rules.ts';

/**
 * Stores the attachments of the message that the CTE `received` has inserted, if any; `rows` is the JSON of `rows.ts`, with the
 * names of columns. Attachments to be fetched are due at once, by the machine clock.
 */
export function insertAttachments(received: string, rows: string): string {
  return `INSERT INTO message_attachment (id, message_id, workshop_id, ordinal, gateway, content_type, size_bytes, content, state, reason,
        source_url, due_at, created_at)
      SELECT a.id, ${received}.id, ${received}.workshop_id, a.ordinal, ${received}.gateway, a.content_type, a.size_bytes,
             decode(a.content, 'base64'), a.state, a.reason, a.source_url, CASE a.state WHEN 'waiting' THEN clock_timestamp() END,
             ${received}.created_at
        FROM ${received} CROSS JOIN jsonb_to_recordset(${rows}) AS a (id uuid, ordinal integer, content_type text, size_bytes integer,
             content text, state text, reason text, source_url text)`;
}

export interface ClaimedAttachment {
  readonly id: string;
  readonly gateway: string;
  readonly contentType: string;
  readonly sourceUrl: string;
  /** Including this one. A result with an older number changes nothing. */
  readonly attempts: number;
  /** False when the previous attempt was the last one allowed and recorded no result: the attachment is given up. */
  readonly mayFetch: boolean;
}

export interface ClaimAttachments {
  readonly leaseSeconds: number;
  readonly attemptsAtMost: number;
  /** One attachment, due or not; or up to `limit` that are due and have not failed in this job. */
  readonly which: { readonly id: string } | { readonly limit: number; readonly job: string };
}

/** Claims waiting attachments with a lease each; rows that another process has locked are skipped. */
export async function claimAttachments(
  db: Queryable,
  { leaseSeconds, attemptsAtMost, which }: ClaimAttachments,
): Promise<ClaimedAttachment[]> {
  const found =
    'id' in which
      ? 'id = $3'
      : `due_at <= (SELECT clock_timestamp()) AND ${notFailed(which.job, 'message_attachment.id')} ORDER BY due_at LIMIT $3`;
  return db.query<ClaimedAttachment>(
    planOnce(`WITH due AS (
       SELECT id FROM message_attachment WHERE state = 'waiting' AND ${found} FOR UPDATE SKIP LOCKED)
     UPDATE message_attachment a SET attempts = a.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
       FROM due WHERE a.id = due.id
     RETURNING a.id, a.gateway, a.content_type, a.source_url, a.attempts, a.attempts <= $2 AS may_fetch`),
    [leaseSeconds, attemptsAtMost, 'id' in which ? which.id : which.limit],
  );
}

/** Marks an attachment as failed, when the operator gives it up. */
export async function failAttachment(db: Queryable, id: string): Promise<void> {
  await db.query(
    `UPDATE message_attachment SET state = 'failed', reason = 'error', due_at = NULL WHERE id = $1 AND state = 'waiting'`,
    [id],
  );
}

export type Ended = (
  | { readonly state: 'stored'; readonly content: Buffer }
  | { readonly state: 'refused'; readonly reason: Refusal; readonly sizeBytes: number | null }
  | { readonly state: 'failed'; readonly reason: string }
) & {
  /** The type of the bytes; absent without bytes. */
  readonly contentType?: string;
};

/** Records the result of the attempt that holds the claim; false when another attempt holds it, or the attachment was erased. */
export async function endAttachment(
  db: Queryable,
  { id, attempts }: Pick<ClaimedAttachment, 'id' | 'attempts'>,
  ended: Ended,
): Promise<boolean> {
  const content = ended.state === 'stored' ? ended.content : null;
  const sizeBytes = ended.state === 'refused' ? ended.sizeBytes : (content?.length ?? null);
  const rows = await db.query(
    `UPDATE message_attachment SET state = $3, reason = $4, size_bytes = $5, content = $6,
      content_type = coalesce($7, content_type), due_at = NULL
      WHERE id = $1 AND attempts = $2 AND state = 'waiting' RETURNING id`,
    [
      ...[id, attempts, ended.state, ended.state === 'stored' ? null : ended.reason, sizeBytes, content],
      ended.contentType ?? null,
    ],
  );
  return rows.length > 0;
}

/** Makes it due again later; `reason` says why this attempt failed. */
export async function deferAttachment(
  db: Queryable,
  { id, attempts }: Pick<ClaimedAttachment, 'id' | 'attempts'>,
  { reason, inSeconds }: { readonly reason: string; readonly inSeconds: number },
): Promise<void> {
  await db.query(
    `UPDATE message_attachment SET reason = $3, due_at = clock_timestamp() + make_interval(secs => $4)
      WHERE id = $1 AND attempts = $2 AND state = 'waiting'`,
    [id, attempts, reason, inSeconds],
  );
}

export interface Attachment {
  readonly attachmentId: string;
  readonly contentType: string;
  readonly sizeBytes: number | null;
  /** `waiting` (to be fetched), `stored`, `refused` or `failed`. */
  readonly state: string;
  /** Why it is not stored. */
  readonly reason: string | null;
}

/** The attachments of the message with this id, in order, as JSON: `Attachment[]`. */
export const attachmentsJson = (messageId: string) =>
  `coalesce((SELECT jsonb_agg(jsonb_build_object(
    'attachmentId', a.id, 'contentType', a.content_type, 'sizeBytes', a.size_bytes, 'state', a.state,
     'reason', a.reason) ORDER BY a.ordinal) FROM message_attachment a WHERE a.message_id = ${messageId}), '[]')`;

/** Null when the attachment does not exist; `content` is null unless it is stored. */
export async function findAttachment(
  db: Queryable,
  id: string,
): Promise<(Attachment & { readonly content: Buffer | null }) | null> {
  const [found] = await db.query<Attachment & { readonly content: Buffer | null }>(
    `SELECT id AS attachment_id, content_type, size_bytes, state, reason, content
       FROM message_attachment WHERE id = $1`,
    [id],
  );
  return found ?? null;
}

/** Like `findAttachment`, limited to attachments that the customer of one conversation of the workshop sent. */
export async function findAttachmentOf(
  db: Queryable,
  of: { readonly workshopId: string; readonly conversationId: string; readonly attachmentId: string },
): Promise<(Attachment & { readonly content: Buffer | null }) | null> {
  const [found] = await db.query<Attachment & { readonly content: Buffer | null }>(
    `SELECT a.id AS attachment_id, a.content_type, a.size_bytes, a.state, a.reason, a.content
       FROM message_attachment a JOIN message m ON m.id = a.message_id
      WHERE a.id = $3 AND a.workshop_id = $1 AND m.workshop_id = $1 AND m.conversation_id = ANY (${conversationsOf('$2::uuid')})`,
    [of.workshopId, of.conversationId, of.attachmentId],
  );
  return found ?? null;
}
