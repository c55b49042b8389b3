/** SQL of scheduled texts. */
import type { Queryable } from '#platform/db/database.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';

export interface ScheduledText {
  readonly id: string;
  readonly workshopId: string;
  readonly customerId: string;
  /** The author. */
  readonly personId: string;
  /** The booking that it is about; null: none. */
  readonly bookingId: string | null;
  readonly body: string;
  /** The newest message that the author had seen; null: there was none. */
  readonly seen: string | null;
  /** Business time. */
  readonly dueAt: Date;
}

const columns = 'id, workshop_id, customer_id, person_id, booking_id, body, seen, due_at';

export async function insertScheduled(tx: Queryable, text: ScheduledText, now: Date): Promise<void> {
  const { id, workshopId, customerId, personId, bookingId, body, seen, dueAt } = text;
  await tx.query(
    `INSERT INTO scheduled_text (${columns}, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, workshopId, customerId, personId, bookingId, body, seen, dueAt, now],
  );
}

/**
 * How many texts of the workshop wait, and how many of the person over all workshops. Takes locks, so that concurrent counts wait
 * until the transaction ends.
 */
export async function countScheduled(
  tx: Queryable,
  workshopId: string,
  personId: string,
): Promise<{ readonly ofWorkshop: number; readonly ofPerson: number }> {
  for (const one of [personId, workshopId].sort())
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('scheduled text ' || $1, 0))`, [one]);
  const [counts] = await tx.query<{ ofWorkshop: number; ofPerson: number }>(
    `SELECT (SELECT count(*)::integer FROM scheduled_text WHERE workshop_id = $1) AS of_workshop,
            (SELECT count(*)::integer FROM scheduled_text WHERE person_id = $2) AS of_person`,
    [workshopId, personId],
  );
  return counts ?? { ofWorkshop: 0, ofPerson: 0 };
}

export interface WaitingText extends ScheduledText {
  /** The author's name; null: the author was removed. */
  readonly writer: string | null;
  /** The customer has written since the author last saw the talk: the text will be held back. */
  readonly isOvertaken: boolean;
}

/** The scheduled texts for a customer, over all merged rows, the next one first. */
export async function listScheduled(
  db: Queryable,
  workshopId: string,
  customerId: string,
): Promise<WaitingText[]> {
  return db.query<WaitingText>(
    `SELECT ${columns},
            (SELECT name FROM person WHERE person.id = person_id) AS writer, EXISTS (
              SELECT FROM conversation talk JOIN message m ON m.conversation_id = talk.id
               WHERE talk.workshop_id = $1 AND talk.customer_id = ANY (${idsOf('$2::uuid')}) AND m.kind = 'inbound'
                 AND m.id > coalesce(seen, '${lowestId}')) AS is_overtaken
       FROM scheduled_text WHERE workshop_id = $1 AND customer_id = ANY (${idsOf('$2::uuid')}) ORDER BY due_at, id`,
    [workshopId, customerId],
  );
}

/** Deletes a scheduled text of the customer and returns it; null: it does not wait any more. */
export async function takeScheduled(
  tx: Queryable,
  { workshopId, customerId, id }: Pick<ScheduledText, 'workshopId' | 'customerId' | 'id'>,
): Promise<ScheduledText | null> {
  const [taken] = await tx.query<ScheduledText>(
    `DELETE FROM scheduled_text WHERE id = $3 AND workshop_id = $1 AND customer_id = ANY (${idsOf('$2::uuid')}) RETURNING ${columns}`,
    [workshopId, customerId, id],
  );
  return taken ?? null;
}

/** Up to `limit` that are due at `now` (business time), oldest first; without those that have failed in the job `but`. */
export async function findDueTexts(
  db: Queryable,
  now: Date,
  limit: number,
  but: string | null = null,
): Promise<string[]> {
  const counts = but === null ? 'true' : notFailed(but, 'scheduled_text.id');
  const rows = await db.query<{ id: string }>(
    planOnce(`SELECT id FROM scheduled_text WHERE due_at <= $1 AND ${counts} ORDER BY due_at LIMIT $2`),
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/** The recipient and the time; null: it does not wait any more. */
export async function findScheduled(db: Queryable, id: string): Promise<ScheduledText | null> {
  const [found] = await db.query<ScheduledText>(`SELECT ${columns} FROM scheduled_text WHERE id = $1`, [id]);
  return found ?? null;
}
