/** Reads the marks of e-mails about a customer's answers, by which their quotation is known. */
import type { Mailbox } from '#base/values/mailbox.ts';
import type { Queryable } from '#platform/db/database.ts';
import { nothingKnown, type SentMail } from './sent-mail.ts';

/** The customer's newest texts; an e-mail quotes fewer. */
const answersAtMost = 50;

/** Reads the marks for the conversation's workshop; without recipients where there is no such conversation. `from`: the sender of the installation. */
export async function findSentMail(
  db: Queryable,
  conversationId: string,
  { name, address }: Mailbox,
): Promise<SentMail> {
  const [row] = await db.query<{ workshop: string; recipients: string[]; answers: string[] }>(
    `SELECT w.name AS workshop,
            ARRAY(SELECT lower(unnest(w.email || coalesce(w.notify_emails, '{}')))) AS recipients,
            ARRAY(SELECT body FROM message
                   WHERE conversation_id = c.id AND kind = 'inbound' ORDER BY id DESC LIMIT ${answersAtMost}) AS answers
       FROM conversation c JOIN workshop w ON w.id = c.workshop_id WHERE c.id = $1`,
    [conversationId],
  );
  if (row === undefined) return nothingKnown;
  const { workshop, recipients, answers } = row;
  return { senders: [address.toLowerCase()], names: [workshop, name].filter(Boolean), recipients, answers };
}
