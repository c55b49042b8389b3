/** SQL of what staff do with a conversation: a row for all that was said with one customer, and the notes on it. */
import type { Queryable } from '#platform/db/database.ts';
import { beforeId, lowestId } from '#platform/db/page-bounds.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { hasBounced } from '#product/customers/store.ts';
import { failedOf, stateOf, type TalkState } from './talk-sql.ts';

export interface Assignee {
  readonly personId: string;
  readonly name: string;
}

/** A conversation as staff work through it: all that was said with a customer, whichever of theirs it was asked for. */
export interface Desk {
  /** The one it is shown under and answered in: that of the newest message. */
  readonly conversationId: string;
  readonly workshopId: string;
  /** The one that is kept, of a customer who was merged. */
  readonly customerId: string;
  readonly name: string | null;
  /** Where an answer goes; null: it goes nowhere any more. */
  readonly phone: string | null;
  readonly optedOut: boolean;
  readonly emailBounced: boolean;
  readonly isErased: boolean;
  readonly state: TalkState;
  /** The newest text to them did not arrive, or may not have. */
  readonly failed: boolean;
  readonly assignedTo: Assignee | null;
  /** Changes when the customer writes, when a text fails, and with all that staff do. 0: nothing of that has happened. */
  readonly version: number;
  /** The newest text of a partner, of staff, of the customer, or that failed; null: there is none. */
  readonly lastMessageId: string | null;
}

/** SQL: who has the talk, as JSON. */
export const assigneeOf = (talk: string): string =>
  `(SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = ${talk}.assigned_to)`;

/** Null: the workshop has no such conversation. */
export async function findDesk(
  db: Queryable,
  workshopId: string,
  conversationId: string,
): Promise<Desk | null> {
  const [row] = await db.query<Desk>(
    `SELECT shown.id AS conversation_id, c.workshop_id, kept.id AS customer_id, kept.name, its.phone,
            its.opted_out_at IS NOT NULL AS opted_out, ${hasBounced('its', 'its.email')} AS email_bounced,
            kept.erased_at IS NOT NULL AS is_erased, ${stateOf('t')} AS state,
            ${failedOf('t')} AS failed, ${assigneeOf('t')} AS assigned_to, coalesce(t.version, 0) AS version, t.last_message_id
       FROM conversation c JOIN customer asked ON asked.id = c.customer_id
       JOIN customer kept ON kept.id = coalesce(asked.merged_into, asked.id)
       LEFT JOIN talk t ON t.customer_id = kept.id
       JOIN conversation shown ON shown.id = coalesce(t.conversation_id, c.id)
       JOIN customer its ON its.id = shown.customer_id
      WHERE c.id = $2 AND c.workshop_id = $1`,
    [workshopId, conversationId],
  );
  return row ?? null;
}

/** Holds the row of a customer's talk until the transaction ends, and makes one that is missing. The customer is held. */
export async function holdTalk(tx: Queryable, workshopId: string, customerId: string): Promise<void> {
  await tx.query(
    `INSERT INTO talk (customer_id, workshop_id, version) VALUES ($2, $1, 0)
     ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id`,
    [workshopId, customerId],
  );
}

/** What staff say of a talk. */
export type Mark =
  /** Nobody needs to act. Business time. */
  | { readonly doneAt: Date }
  /** Somebody needs to, until something is sent. */
  | { readonly waits: true }
  | { readonly assignedTo: string | null };

/** Writes it to a row that is held. A conversation without a message that moves it is in the lists from then on. */
export async function writeMark(
  tx: Queryable,
  workshopId: string,
  customerId: string,
  mark: Mark,
): Promise<void> {
  const [set, value] =
    'doneAt' in mark
      ? ['done_at = $3::timestamptz, reopened_id = NULL', mark.doneAt]
      : 'assignedTo' in mark
        ? ['assigned_to = $3::uuid', mark.assignedTo]
        : ['done_at = NULL, reopened_id = coalesce(answer_id, $3::uuid)', lowestId];
  await tx.query(
    `UPDATE talk SET ${set}, version = version + 1 WHERE customer_id = $2 AND workshop_id = $1`,
    [workshopId, customerId, value],
  );
  await tx.query('SELECT read_talks(ARRAY[$1::uuid], false)', [customerId]);
}

/** Keeps a person at the workshop until the transaction ends; false: they are not of its people. */
export async function holdMember(tx: Queryable, workshopId: string, personId: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT FROM membership WHERE person_id = $2 AND workshop_id = $1 FOR KEY SHARE',
    [workshopId, personId],
  );
  return rows.length > 0;
}

export interface Note {
  readonly noteId: string;
  readonly text: string;
  /** Who wrote it, as it is stored (`actorInWords`). */
  readonly actor: string;
  /** Their name; null: nobody of the staff, or somebody who was removed. */
  readonly name: string | null;
  /** Business time. */
  readonly at: Date;
}

export interface NewNote {
  readonly noteId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly text: string;
  readonly actor: string;
  readonly at: Date;
}

export async function insertNote(tx: Queryable, note: NewNote): Promise<void> {
  await tx.query(
    `INSERT INTO talk_note (id, workshop_id, customer_id, text, actor, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [note.noteId, note.workshopId, note.customerId, note.text, note.actor, note.at],
  );
}

export async function countNotes(db: Queryable, workshopId: string, customerId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM talk_note WHERE customer_id = ANY (${idsOf('$2::uuid')}) AND workshop_id = $1`,
    [workshopId, customerId],
  );
  return row?.count ?? 0;
}

export interface NotesPage {
  readonly workshopId: string;
  readonly conversationId: string;
  /** The last note of the page before; absent or null: the newest. */
  readonly before?: string | null;
  readonly limit: number;
}

/** The notes on a conversation and on the others of its customer, newest first. */
export async function listNotes(db: Queryable, page: NotesPage): Promise<Note[]> {
  return db.query<Note>(
    `SELECT note.id AS note_id, note.text, note.actor, note.created_at AS at, (
              SELECT name FROM person WHERE id = CASE WHEN note.actor LIKE 'person %' THEN split_part(note.actor, ' ', 2)::uuid END) AS name
       FROM conversation c CROSS JOIN LATERAL unnest(${idsOf('c.customer_id')}) AS its (id) CROSS JOIN LATERAL (
         SELECT * FROM talk_note WHERE customer_id = its.id AND workshop_id = c.workshop_id AND ${beforeId('talk_note.id', '$3')}
          ORDER BY talk_note.id DESC LIMIT $4) AS note
      WHERE c.id = $2 AND c.workshop_id = $1 ORDER BY note.id DESC LIMIT $4`,
    [page.workshopId, page.conversationId, page.before ?? null, page.limit],
  );
}

/** Notes name the person they are about, in whatever words. */
export async function deleteNotes(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM talk_note WHERE customer_id = ANY ($1::uuid[])', [customerIds]);
}
