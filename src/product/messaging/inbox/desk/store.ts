/** SQL of the state of a conversation: one row for all conversations of one customer, and the notes. */
import type { Queryable } from '#platform/db/database.ts';
import { beforeId, lowestId } from '#platform/db/page-bounds.ts';
import { numberOfApart } from '#product/customers/apart/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { hasBounced } from '#product/customers/store.ts';
import { asksOf, failedOf, meantOf, stateOf, type TalkState } from './talk-sql.ts';

export interface Assignee {
  readonly personId: string;
  readonly name: string;
}

/** `date`: an instant, as ISO 8601. */
export interface MeantBooking {
  readonly bookingId: string;
  readonly date: string;
}

/** A conversation as staff work on it: all messages of a customer, over all merged rows. */
export interface Desk {
  /** The conversation that it is shown under and answered in: that of the newest message. */
  readonly conversationId: string;
  readonly workshopId: string;
  /** The kept customer, for a merged one. */
  readonly customerId: string;
  readonly name: string | null;
  /** The number that an answer goes to; null: it can't be answered. */
  readonly phone: string | null;
  readonly optedOut: boolean;
  readonly emailBounced: boolean;
  readonly isErased: boolean;
  readonly state: TalkState;
  /** The newest text to the customer failed, or may have failed. */
  readonly failed: boolean;
  readonly assignedTo: Assignee | null;
  /** A text may have asked for no more texts, and staff have not decided. */
  readonly asksToStop: boolean;
  /** The booking that an opt-out word may have been about; null: none. */
  readonly mayHaveMeant: MeantBooking | null;
  /** Rises when the customer writes, when a text fails, and with every change by staff. 0: none of these has happened. */
  readonly version: number;
  /** The newest message of a partner, staff or the customer, or the newest failed message; null: there is none. */
  readonly lastMessageId: string | null;
}

/** SQL: the assignee of the talk, as JSON. */
export const assigneeOf = (talk: string): string =>
  `(SELECT jsonb_build_object('personId', person.id, 'name', person.name) FROM person WHERE person.id = ${talk}.assigned_to)`;

/** Null: the workshop has no such conversation. */
export async function findDesk(
  db: Queryable,
  workshopId: string,
  conversationId: string,
): Promise<Desk | null> {
  const [row] = await db.query<Desk>(
    `SELECT shown.id AS conversation_id, c.workshop_id, kept.id AS customer_id, kept.name,
            coalesce(its.phone, ${numberOfApart('its.id')}) AS phone,
            its.opted_out_at IS NOT NULL AS opted_out, ${hasBounced('its', 'its.email')} AS email_bounced,
            kept.erased_at IS NOT NULL AS is_erased, ${stateOf('t')} AS state,
            ${failedOf('t')} AS failed, ${assigneeOf('t')} AS assigned_to,
            ${asksOf('t')} AS asks_to_stop, ${meantOf('t')} AS may_have_meant, coalesce(t.version, 0) AS version, t.last_message_id
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

/** Locks the row of a customer's talk until the transaction ends, and creates it if missing. The caller has locked the customer. */
export async function holdTalk(tx: Queryable, workshopId: string, customerId: string): Promise<void> {
  await tx.query(
    `INSERT INTO talk (customer_id, workshop_id, version) VALUES ($2, $1, 0)
     ON CONFLICT (customer_id) DO UPDATE SET customer_id = excluded.customer_id`,
    [workshopId, customerId],
  );
}

/** A mark that staff set on a talk. */
export type Mark =
  /** Done: nobody needs to act. Business time. */
  | { readonly doneAt: Date }
  /** Waiting: somebody needs to act, until a message is sent. */
  | { readonly waits: true }
  | { readonly assignedTo: string | null }
  /** No text has asked for no more texts. */
  | { readonly asks: false };

/** Writes the mark to a locked row. A conversation with notices only is listed from then on. */
export async function writeMark(
  tx: Queryable,
  workshopId: string,
  customerId: string,
  mark: Mark,
): Promise<void> {
  const [set, value] =
    'doneAt' in mark
      ? [
          'done_at = $3::timestamptz, reopened_id = NULL, meant_id = NULL, meant_booking_id = NULL',
          mark.doneAt,
        ]
      : 'assignedTo' in mark
        ? ['assigned_to = $3::uuid', mark.assignedTo]
        : 'asks' in mark
          ? ['asked_id = $3::uuid', null]
          : ['done_at = NULL, reopened_id = coalesce(answer_id, $3::uuid)', lowestId];
  await tx.query(
    `UPDATE talk SET ${set}, version = version + 1 WHERE customer_id = $2 AND workshop_id = $1`,
    [workshopId, customerId, value],
  );
  await tx.query('SELECT read_talks(ARRAY[$1::uuid], false)', [customerId]);
}

/** Locks a person's membership of the workshop until the transaction ends; false: they are not a member. */
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
  /** The author, as stored (`actorInWords`). */
  readonly actor: string;
  /** The author's name; null: the author is not a person, or was removed. */
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
  /** The last note of the previous page; absent or null: start with the newest. */
  readonly before?: string | null;
  readonly limit: number;
}

/** The notes on a conversation and on the customer's other conversations, newest first. */
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

/** Deletes the notes on these customers, because their text may name them. */
export async function deleteNotes(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM talk_note WHERE customer_id = ANY ($1::uuid[])', [customerIds]);
}
