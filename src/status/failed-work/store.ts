/** SQL of the subject of a dead letter, whose payload holds only an id. */
import type { Queryable } from '#db/database.ts';
import { isId } from '#values/id.ts';

/** For people, and with the ids that other commands take. */
export type WorkSubject = Readonly<Record<string, string | null>>;

/** By the name of the id in the payload. */
const queries: Readonly<Record<string, string>> = {
  messageId: `SELECT w.name AS workshop, m.kind, e.kind AS event, m.audience, m.channel, m.recipient, m.conversation_id AS "conversationId",
      b.code AS booking, m.booking_id AS "bookingId", m.subject, m.body AS text
    FROM message m JOIN workshop w ON w.id = m.workshop_id LEFT JOIN booking b ON b.id = m.booking_id LEFT JOIN event e ON e.id = m.cause_id
    WHERE m.id = $1`,
  unplacedId: `SELECT sender AS "from", recipient AS "to", body AS text FROM unplaced_sms WHERE id = $1`,
};

/** Null for a payload without one of these ids, or when the subject was deleted. */
export async function subjectOf(
  db: Queryable,
  payload: Readonly<Record<string, unknown>>,
): Promise<WorkSubject | null> {
  for (const [name, query] of Object.entries(queries)) {
    const id = payload[name];
    if (typeof id !== 'string' || !isId(id)) continue;
    const [subject] = await db.query<Record<string, string | null>>(query, [id]);
    return subject === undefined ? null : known(subject);
  }
  return null;
}

const known = (subject: Readonly<Record<string, string | null>>): WorkSubject =>
  Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== null));
