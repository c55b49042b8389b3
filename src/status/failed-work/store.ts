/** SQL of what a piece of failed work was for: the payload of a job holds an id alone. */
import type { Queryable } from '#db/database.ts';
import { isId } from '#values/id.ts';

/** For people, and with the ids that other commands take. */
export type WorkSubject = Readonly<Record<string, string | null>>;

/** By the name of the id in the payload. */
const queries: Readonly<Record<string, string>> = {
  notificationId: `SELECT w.name AS workshop, e.kind AS event, n.audience, n.channel, n.recipient, b.code AS booking, b.id AS "bookingId"
    FROM notification n JOIN workshop w ON w.id = n.workshop_id JOIN booking b ON b.id = n.booking_id LEFT JOIN event e ON e.id = n.event_id
    WHERE n.id = $1`,
  messageId: `SELECT w.name AS workshop, 'sms' AS channel, m.recipient, m.conversation_id AS "conversationId", m.body AS text
    FROM message m JOIN workshop w ON w.id = m.workshop_id WHERE m.id = $1`,
  answerNoticeId: `SELECT w.name AS workshop, 'workshop' AS audience, n.channel, n.recipient
    FROM answer_notice n JOIN workshop w ON w.id = n.workshop_id WHERE n.id = $1`,
  unplacedId: `SELECT sender AS "from", recipient AS "to", body AS text FROM unplaced_sms WHERE id = $1`,
};

/** Null for work that is about nobody, or whose subject is gone. */
export async function subjectOf(
  db: Queryable,
  payload: Readonly<Record<string, unknown>>,
): Promise<WorkSubject | null> {
  for (const [name, query] of Object.entries(queries)) {
    const id = payload[name];
    if (typeof id === 'string' && isId(id)) return (await db.query<WorkSubject>(query, [id]))[0] ?? null;
  }
  return null;
}
