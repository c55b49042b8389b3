/** SQL of inbox digests: which answers of customers each one reports to the workshop. The digest's SMS and e-mails are messages (`#sending`). */
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { Channel } from '#product/sending/kinds.ts';
import { workshopContacts } from '../store.ts';

/** The workshop that a digest is for. */
export interface DigestWorkshop {
  readonly name: string;
  /** ISO 3166; phones are shown in the notation of this country. */
  readonly country: string;
  /** `#rrggbb`; null: the default. */
  readonly colour: string | null;
}

export interface StartedDigest {
  readonly digestId: string;
  readonly workshopId: string;
  readonly workshop: DigestWorkshop;
  readonly recipients: readonly { readonly channel: Channel; readonly recipient: string }[];
}

const isTime = `(answers_told_at IS NULL OR answers_told_at < (SELECT clock_timestamp() - interval '5 minutes'))`;

/** Up to `limit` workshops with unreported answers that got no digest in the last five minutes (machine clock) and have not failed in this job. */
export async function findUnreported(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    planOnce(`SELECT id FROM workshop
      WHERE id = ANY (ARRAY(SELECT DISTINCT workshop_id FROM message WHERE notice_due))
        AND ${isTime} AND ${notFailed(job, 'workshop.id')}
      ORDER BY answers_told_at NULLS FIRST, id LIMIT $1`),
    [limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Starts a digest of the unreported answers of each of these workshops that is due, and returns each digest's recipients. Of two
 * concurrent calls one starts it: the second waits for the workshop's row and then finds that it is too soon.
 */
export async function startDigests(tx: Queryable, workshopIds: readonly string[]): Promise<StartedDigest[]> {
  return tx.query<StartedDigest>(
    `WITH
     -- in the order of their ids, so that two calls meet in no deadlock
     held AS MATERIALIZED (SELECT id FROM workshop WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE),
     -- asked again behind the lock: another call may have started one
     due AS (
       UPDATE workshop SET answers_told_at = clock_timestamp()
         FROM held WHERE workshop.id = held.id AND ${isTime} AND EXISTS (SELECT FROM message WHERE workshop_id = held.id AND notice_due)
       RETURNING workshop.*, ${newIdSql} AS digest_id
     ),
     -- the answers that each digest reports
     told AS (
       UPDATE message SET notice_due = false, told_in = due.digest_id
       FROM due WHERE message.workshop_id = due.id AND message.notice_due
     )
     SELECT due.digest_id, due.id AS workshop_id,
       jsonb_build_object('name', due.name, 'country', due.country, 'colour', due.colour) AS workshop,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'recipient', recipient)), '[]')
          FROM ${workshopContacts('due', "due.inbox_notices IN ('sms', 'both')", "due.inbox_notices IN ('email', 'both')")}) AS recipients
     FROM due`,
    [workshopIds],
  );
}

/** Marks the unreported answers of this workshop as not to be reported: the operator gives up a digest whose job failed. */
export async function skipUnreportedOf(tx: Queryable, workshopId: string): Promise<void> {
  await tx.query('UPDATE message SET notice_due = false WHERE notice_due AND workshop_id = $1', [workshopId]);
}

/** Marks all unreported answers as not to be reported. Returns how many. */
export async function skipUnreported(tx: Queryable): Promise<number> {
  const rows = await tx.query('UPDATE message SET notice_due = false WHERE notice_due RETURNING true');
  return rows.length;
}

export async function readDigestWorkshop(db: Queryable, workshopId: string): Promise<DigestWorkshop> {
  const [row] = await db.query<DigestWorkshop>('SELECT name, country, colour FROM workshop WHERE id = $1', [
    workshopId,
  ]);
  if (row === undefined) throw new Error('the workshop of a digest has disappeared');
  return row;
}

export interface Answer {
  readonly name: string;
  /** Null when the person has been erased since. */
  readonly phone: string | null;
  readonly conversationId: string;
  readonly body: string;
}

export interface InboxDigest {
  /** The number of all answers that it reports. */
  readonly count: number;
  readonly people: number;
  /** The first answers, oldest first. */
  readonly answers: Answer[];
}

/** The answers that a digest reports, as stored now: without the details of people who were erased since. */
export async function readDigest(db: Queryable, digestId: string, atMost: number): Promise<InboxDigest> {
  const answers = await db.query<Answer & { count: number }>(
    `SELECT k.name, k.phone, m.conversation_id, m.body, count(*) OVER ()::int AS count
     FROM message m JOIN customer k ON k.id = m.customer_id WHERE m.told_in = $1 ORDER BY m.id LIMIT $2`,
    [digestId, atMost],
  );
  const [all] = await db.query<{ people: number }>(
    'SELECT count(DISTINCT customer_id)::int AS people FROM message WHERE told_in = $1',
    [digestId],
  );
  return { count: answers[0]?.count ?? 0, people: all?.people ?? 0, answers };
}
