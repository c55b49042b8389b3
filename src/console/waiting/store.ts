/** SQL of what waits for a workshop's staff, each as the newest of a bounded look back: what nobody has dealt with in two weeks is no news. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { listed } from '#product/messaging/inbox/desk/talk-sql.ts';

/** How many wait; each is counted up to `countedAtMost`. */
export interface Waiting {
  /** Bookings ahead that nobody has confirmed. */
  readonly pending: number;
  /** Conversations that wait for the workshop. */
  readonly answers: number;
  /** Quotes that have no price yet. */
  readonly quotes: number;
  /** Calls that nobody took, and no later call of that number was answered. */
  readonly calls: number;
  /** Texts of the last three days that did not arrive, of the newest 2,000 notices and 2,000 messages. */
  readonly failed: number;
}

export const countedAtMost = 100;

const capped = (select: string) =>
  `(SELECT count(*)::integer FROM (${select} LIMIT ${countedAtMost}) AS waiting)`;

/** So many of the newest messages are looked at. */
const lookedAtMost = 2_000;

/** Messages of conversations; the others are notices. */
const inConversations = `kind IN ('partnerMessage', 'reply', 'inbound')`;

/** SQL, each of workshop `$1` since an instant. */
export const waitingSql = {
  /** Bookings from then on that wait for a confirmation, with their dates. */
  pending: (from: string) =>
    `SELECT id, date FROM booking WHERE workshop_id = $1 AND date >= ${from} AND status = 'pending'`,
  /** The conversations that wait for the workshop, as the inbox lists them. */
  answers: `SELECT last_message_id AS id, conversation_id FROM talk WHERE workshop_id = $1 AND ${listed.waiting('talk')}`,
  /** Quotes without a price, of the partners that the workshop has. */
  quotes: `SELECT quote.id FROM link CROSS JOIN LATERAL (
       SELECT id FROM quote WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND status = 'requested'
        ORDER BY id LIMIT ${countedAtMost}) AS quote
      WHERE link.workshop_id = $1`,
  /** Calls that nobody took, with no answered call of the same number after them. */
  calls: (since: string) => `SELECT missed.id, missed.called_at FROM link CROSS JOIN LATERAL (
       SELECT id, caller_phone, called_at FROM call_lead
        WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id
          AND outcome IN ('missed', 'voicemail') AND called_at >= ${since}
        ORDER BY called_at DESC, id DESC LIMIT ${countedAtMost}) AS missed
      WHERE link.workshop_id = $1
        AND NOT EXISTS (SELECT FROM call_lead later
              WHERE later.caller_phone = missed.caller_phone AND later.workshop_id = $1
                AND later.outcome = 'answered' AND later.called_at > missed.called_at)`,
  /** Messages to customers that did not arrive, of the newest notices and the newest of conversations: a blast must not make Today slow. */
  failed: (since: string) =>
    [inConversations, `kind NOT IN ('partnerMessage', 'reply', 'inbound')`]
      .map(
        (kinds) => `SELECT id FROM (
         SELECT id, audience, state FROM message
          WHERE workshop_id = $1 AND ${kinds} AND id >= first_id(${since})
          ORDER BY id DESC LIMIT ${lookedAtMost}) AS recent
        WHERE audience = 'customer' AND state IN ('failed', 'undelivered', 'expired', 'unknown')`,
      )
      .join('\n      UNION ALL\n      '),
} as const;

const dayMs = 24 * 60 * 60_000;

/** Since when what waits is looked for, by the business clock. */
export const sinceOf = (now: Date) => ({
  twoWeeks: new Date(now.getTime() - 14 * dayMs),
  threeDays: new Date(now.getTime() - 3 * dayMs),
});

export async function countWaiting(db: Queryable, workshopId: string, now: Date): Promise<Waiting> {
  const { twoWeeks, threeDays } = sinceOf(now);
  const [row] = await db.query<Waiting>(
    planOnce(`SELECT ${capped(waitingSql.pending('$2'))} AS pending, ${capped(waitingSql.answers)} AS answers,
            ${capped(waitingSql.quotes)} AS quotes, ${capped(waitingSql.calls('$3'))} AS calls,
            ${capped(waitingSql.failed('$4'))} AS failed`),
    [workshopId, now, twoWeeks, threeDays],
  );
  if (row === undefined) throw new Error('a count has a row');
  return row;
}

export interface FailedText {
  readonly id: string;
  readonly customerId: string;
  /** Of the customer. */
  readonly name: string | null;
  readonly optedOut: boolean;
  /** With the customer; null: there is none, as of one who gets e-mails alone. */
  readonly conversationId: string | null;
  readonly body: string;
  readonly state: string;
  readonly reason: string | null;
  readonly createdAt: Date;
}

/** Texts that did not arrive, newest first; as many as are counted. */
export async function listFailed(db: Queryable, workshopId: string, since: Date): Promise<FailedText[]> {
  return db.query<FailedText>(
    `SELECT m.id, m.customer_id, kept.name, k.opted_out_at IS NOT NULL AS opted_out,
            coalesce(m.conversation_id, (
              SELECT c.id FROM conversation c WHERE c.customer_id = m.customer_id AND c.workshop_id = $1)) AS conversation_id,
            coalesce(m.subject, m.body) AS body, m.state, m.reason, m.created_at
       FROM (${waitingSql.failed('$2')}) AS failed JOIN message m USING (id)
       JOIN customer k ON k.id = m.customer_id JOIN customer kept ON kept.id = coalesce(k.merged_into, k.id)
      ORDER BY m.id DESC LIMIT ${countedAtMost}`,
    [workshopId, since],
  );
}
