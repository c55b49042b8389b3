/** SQL of the subject of a dead letter, whose payload holds only an id. */

import { isId } from '#base/values/id.ts';
import type { Queryable } from '#platform/db/database.ts';

/** For people, and with the ids that other commands take. */
export type WorkSubject = Readonly<Record<string, string | null>>;

/** By the name of the id in the payload. */
const queries: Readonly<Record<string, string>> = {
  messageId: `SELECT w.name AS workshop, m.kind, e.kind AS event, m.audience, m.channel, m.recipient, m.conversation_id,
      b.code AS booking, m.booking_id, m.subject, m.body AS text
    FROM message m JOIN workshop w ON w.id = m.workshop_id LEFT JOIN booking b ON b.id = m.booking_id LEFT JOIN event e ON e.id = m.cause_id
    WHERE m.id = $1`,
  eventId: `SELECT w.name AS workshop, e.kind AS event, e.subject_id::text AS subject
    FROM event e JOIN workshop w ON w.id = e.workshop_id WHERE e.id = $1`,
  reminderId: `SELECT w.name AS workshop, r.code AS reminder, r.status
    FROM service_reminder r JOIN workshop w ON w.id = r.workshop_id WHERE r.id = $1`,
  runId: `SELECT w.name AS workshop, a.name AS automation, r.status FROM automation_run r JOIN workshop w ON w.id = r.workshop_id
      JOIN automation a ON a.id = r.automation_id WHERE r.id = $1`,
  blastId: `SELECT w.name AS workshop, b.name AS blast, b.status FROM blast b JOIN workshop w ON w.id = b.workshop_id WHERE b.id = $1`,
  quoteId: `SELECT w.name AS workshop, q.code AS quote, q.status FROM quote q JOIN workshop w ON w.id = q.workshop_id WHERE q.id = $1`,
  attachmentId: `SELECT w.name AS workshop, a.gateway, a.state, a.message_id::text AS message_id FROM message_attachment a
      JOIN workshop w ON w.id = a.workshop_id WHERE a.id = $1`,
  workshopId: `SELECT name AS workshop FROM workshop WHERE id = $1`,
  webhookId: `SELECT p.name AS partner, d.status FROM webhook d JOIN partner p ON p.id = d.partner_id WHERE d.id = $1`,
  longSmsId: `SELECT gateway, sender AS "from", recipient AS "to" FROM long_sms WHERE id = $1`,
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
