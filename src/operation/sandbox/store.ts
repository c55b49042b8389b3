/** SQL of the table sandbox_message. A message's copy is deleted with it: by `sending/retention` and `erasure`. */
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/values/id.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { filterParameters } from '#platform/db/filters.ts';
import { gather } from '#platform/db/gather.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import type { SandboxEntry, SandboxOutbox } from '#platform/gateways/sandbox-outbox.ts';
import { notFailed } from '#platform/work/failed/store.ts';

export interface SandboxMessage {
  readonly id: string;
  readonly channel: 'sms' | 'email';
  readonly outcome: 'accepted' | 'refused';
  readonly reference: string;
  readonly messageId: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string | null;
  readonly body: string;
  readonly html: string | null;
  readonly calendar: string | null;
  readonly at: Date;
}

export interface SandboxFilter {
  /** Exactly as stored: E.164, or an e-mail address. */
  readonly to?: string | undefined;
  readonly channel?: 'sms' | 'email' | undefined;
  /** Messages from this instant on. */
  readonly since?: Date | undefined;
  readonly outcome: 'accepted' | 'refused';
  readonly limit: number;
  /** The id of the last message of the previous page. */
  readonly before?: string | undefined;
}

export interface DueReport {
  readonly reference: string;
  readonly state: 'undelivered';
}

type Kept = Omit<SandboxEntry, 'to' | 'from'> & { id: string; recipient: string; sender: string; at: Date };

const keepEntry = gather<Kept, { id: string }>({
  columns: {
    ...{
      id: 'uuid',
      reference: 'uuid',
      messageId: 'uuid',
      channel: 'text',
      outcome: 'text',
      recipient: 'text',
      sender: 'text',
    },
    ...{ subject: 'text', body: 'text', html: 'text', calendar: 'text', report: 'text', at: 'timestamptz' },
  },
  build: ({ input }) => `WITH ${input}, kept AS (
      INSERT INTO sandbox_message
        (id, reference, message_id, channel, outcome, recipient, sender, subject, body, html, calendar, report, created_at)
      SELECT id, reference, message_id, channel, outcome, recipient, sender, subject, body, html, calendar, report, at
        FROM input ORDER BY reference, recipient
      ON CONFLICT (reference, recipient) DO UPDATE SET
        outcome = CASE sandbox_message.outcome WHEN 'accepted' THEN 'accepted' ELSE excluded.outcome END,
        report = CASE sandbox_message.outcome WHEN 'accepted' THEN sandbox_message.report ELSE excluded.report END
      RETURNING id, reference, recipient)
    SELECT input.ordinal, kept.id FROM input JOIN kept ON kept.reference = input.reference AND kept.recipient = input.recipient`,
  // The gateway knows no partners.
  partnerOf: () => 'sandbox',
  keyOf: ({ reference, recipient }) => `${reference} ${recipient}`,
});

/** The sandbox gateways' outbox, in the database; `at` is the business clock's. */
export function sandboxOutbox(db: Database, clock: Clock): SandboxOutbox {
  return {
    async keep({ to: recipient, from: sender, ...entry }) {
      const row = await keepEntry(db, { ...entry, recipient, sender, id: newId(), at: clock.now() });
      if (!row) throw new Error('the sandbox kept nothing');
      return row.id;
    },

    async accepted(reference) {
      const rows = await db.query<{ id: string }>(
        `SELECT id FROM sandbox_message WHERE reference = $1 AND outcome = 'accepted' LIMIT 1`,
        [reference],
      );
      return rows[0]?.id ?? null;
    },

    async refusedBefore(messageId) {
      const rows = await db.query(
        `SELECT FROM sandbox_message WHERE message_id = $1 AND outcome = 'refused' LIMIT 1`,
        [messageId],
      );
      return rows.length > 0;
    },
  };
}

const sandboxFilters = {
  outcome: { type: 'text', is: (value: string) => `outcome = ${value}` },
  to: { type: 'text', is: (value: string) => `recipient = ${value}` },
  since: { type: 'timestamptz', is: (value: string) => `created_at >= ${value}` },
  channel: { type: 'text', is: (value: string) => `channel = ${value}` },
};

const columns = `id, channel, outcome, reference, message_id, recipient AS "to", sender AS "from",
            subject, body, html, calendar, created_at AS at`;

/** Null: it does not exist, or is gone. */
export async function readSandboxMessage(db: Queryable, id: string): Promise<SandboxMessage | null> {
  const [row] = await db.query<SandboxMessage>(`SELECT ${columns} FROM sandbox_message WHERE id = $1`, [id]);
  return row ?? null;
}

/** Newest first. */
export function listSandboxMessages(db: Queryable, filter: SandboxFilter): Promise<SandboxMessage[]> {
  const { conditions, values } = filterParameters(sandboxFilters, filter, 3);
  return db.query<SandboxMessage>(
    `SELECT ${columns}
       FROM sandbox_message
      WHERE ${[beforeId('id', '$1'), ...conditions].join(' AND ')}
      ORDER BY id DESC LIMIT $2`,
    [filter.before ?? null, filter.limit, ...values],
  );
}

/** The SMS to a phone, accepted or refused, newest first. */
export function listSmsTo(
  db: Queryable,
  phone: string,
  atMost: number,
): Promise<Pick<SandboxMessage, 'id' | 'outcome' | 'to' | 'from' | 'body' | 'at'>[]> {
  return db.query(
    `SELECT id, outcome, recipient AS "to", sender AS "from", body, created_at AS at
       FROM sandbox_message WHERE recipient = $1 AND channel = 'sms' ORDER BY id DESC LIMIT $2`,
    [phone, atMost],
  );
}

/** The HTML of an e-mail; null when there is no such message, or it is an SMS. */
export async function readSandboxHtml(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.query<{ html: string | null }>('SELECT html FROM sandbox_message WHERE id = $1', [
    id,
  ]);
  return row?.html ?? null;
}

/** Reads the ids of up to `limit` messages whose delivery reports are due and have not failed in this job. */
export async function findDueReports(db: Queryable, job: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    planOnce(
      `SELECT id FROM sandbox_message WHERE report IS NOT NULL AND ${notFailed(job, 'sandbox_message.id')} ORDER BY created_at LIMIT $1`,
    ),
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Takes the delivery reports of these messages; each is handed out once, over all processes. */
export function takeReports(db: Queryable, ids: readonly string[]): Promise<DueReport[]> {
  return db.query<DueReport>(
    `WITH due AS (
       SELECT id, report FROM sandbox_message WHERE id = ANY ($1::uuid[]) AND report IS NOT NULL ORDER BY id FOR UPDATE SKIP LOCKED
     )
     UPDATE sandbox_message SET report = NULL FROM due WHERE sandbox_message.id = due.id
     RETURNING reference, due.report AS state`,
    [ids],
  );
}

/** Deletes the oldest messages over `keep`; returns how many. */
export async function trimSandbox(db: Queryable, keep = 10_000): Promise<number> {
  const rows = await db.query<{ id: string }>(
    `DELETE FROM sandbox_message
      WHERE id <= (SELECT id FROM sandbox_message ORDER BY id DESC OFFSET $1 LIMIT 1)
     RETURNING id`,
    [keep],
  );
  return rows.length;
}

/**
 * Deletes copies that are older (machine clock) and whose message is gone, or kept without its text, in steps: those that a version left
 * behind which did not delete them with their message, and e-mails that are no message's.
 */
export function deleteLeftCopies(db: Queryable, olderThanDays: number): Promise<void> {
  const isLeft = `NOT EXISTS (SELECT FROM message m WHERE m.id = sandbox_message.message_id AND (m.body <> '' OR m.reference_id IS NULL))`;
  const isOld = 'id < (SELECT first_id(clock_timestamp() - make_interval(days => $1)))';
  return deleteInBatches(db, 'sandbox_message', `${isOld} AND ${isLeft}`, [olderThanDays]);
}
