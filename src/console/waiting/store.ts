/** SQL of the work that waits for a workshop's staff. Each query looks back at most two weeks, since older items are not news. */
import type { Clock } from '#base/clock.ts';
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { untaken, waitsForCallBack } from '#product/leads/call-back/store.ts';
import { listed } from '#product/messaging/inbox/desk/talk-sql.ts';

/** The counts, each up to `countedAtMost`. */
export interface Waiting {
  /** Coming bookings that are not confirmed. */
  readonly pending: number;
  /** Conversations that wait for the workshop. */
  readonly answers: number;
  /** Quotes that have no price yet. */
  readonly quotes: number;
  /** Callers who wait to be called back. */
  readonly calls: number;
  /** Texts of the last three days that did not arrive and were not sent again, of the newest 2,000 notices and 2,000 messages. */
  readonly failed: number;
}

export const countedAtMost = 100;

const capped = (select: string) =>
  `(SELECT count(*)::integer FROM (${select} LIMIT ${countedAtMost}) AS waiting)`;

/** The number of newest messages that are read. */
const lookedAtMost = 2_000;

/** The kinds of messages of conversations; other kinds are notices. */
const inConversations = `kind IN ('partnerMessage', 'reply', 'inbound')`;

/** SQL, each of workshop `$1` since an instant. */
export const waitingSql = {
  /** Bookings since then that wait for a confirmation, with their dates. */
  pending: (from: string) =>
    `SELECT id, date FROM booking WHERE workshop_id = $1 AND date >= ${from} AND status = 'pending'`,
  /** The conversations that wait for the workshop, as the inbox lists them. */
  answers: `SELECT last_message_id AS id, conversation_id FROM talk WHERE workshop_id = $1 AND ${listed.waiting('talk')}`,
  /** Quotes without a price, of the partners that the workshop has. */
  quotes: `SELECT quote.id FROM link CROSS JOIN LATERAL (
       SELECT id FROM quote WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND status = 'requested'
        ORDER BY id LIMIT ${countedAtMost}) AS quote
      WHERE link.workshop_id = $1`,
  /** The last call of each caller who waits to be called back, of the partners that the workshop has. */
  calls: (
    since: string,
  ) => `SELECT missed.id FROM link CROSS JOIN unnest('{${untaken}}'::text[]) AS of (outcome) CROSS JOIN LATERAL (
       SELECT id FROM call_lead l
        WHERE workshop_id = link.workshop_id AND partner_id = link.partner_id AND l.outcome = of.outcome AND called_at >= ${since}
          AND ${waitsForCallBack('l')}
        LIMIT ${countedAtMost}) AS missed
      WHERE link.workshop_id = $1`,
  /** Messages to customers that did not arrive and were not sent again, of the newest notices and the newest of conversations: a blast must not make Today slow. */
  failed: (since: string) =>
    [inConversations, `kind NOT IN ('partnerMessage', 'reply', 'inbound')`]
      .map(
        (kinds) => `SELECT id FROM (
         SELECT id, audience, state FROM message
          WHERE workshop_id = $1 AND ${kinds} AND id >= first_id(${since})
          ORDER BY id DESC LIMIT ${lookedAtMost}) AS recent
        WHERE audience = 'customer' AND state IN ('failed', 'undelivered', 'expired', 'unknown')
          AND NOT EXISTS (SELECT FROM message again WHERE again.cause_id = recent.id AND again.kind = 'reply' OFFSET 0)`,
      )
      .join('\n      UNION ALL\n      '),
} as const;

const dayMs = 24 * 60 * 60_000;

/** The start of each query: for calls by the business clock; for texts by the machine's, like the time in their ids. */
export const sinceOf = (clock: Clock) => ({
  twoWeeks: new Date(clock.now().getTime() - 14 * dayMs),
  threeDays: new Date(clock.machineNow().getTime() - 3 * dayMs),
});

export async function countWaiting(db: Queryable, workshopId: string, clock: Clock): Promise<Waiting> {
  const { twoWeeks, threeDays } = sinceOf(clock);
  const [row] = await db.query<Waiting>(
    planOnce(`SELECT ${capped(waitingSql.pending('$2'))} AS pending, ${capped(waitingSql.answers)} AS answers,
            ${capped(waitingSql.quotes)} AS quotes, ${capped(waitingSql.calls('$3'))} AS calls,
            ${capped(waitingSql.failed('$4'))} AS failed`),
    [workshopId, clock.now(), twoWeeks, threeDays],
  );
  if (row === undefined) throw new Error('a count has a row');
  return row;
}

export interface FailedText {
  readonly id: string;
  readonly customerId: string;
  /** The name of the customer. */
  readonly name: string | null;
  readonly optedOut: boolean;
  /** The conversation with the customer; null: there is none, such as with e-mails alone. */
  readonly conversationId: string | null;
  readonly body: string;
  readonly state: string;
  readonly reason: string | null;
  /** In words, where the reason is `heldBack`. */
  readonly detail: string | null;
  readonly createdAt: Date;
}

/** Texts that did not arrive, newest first, up to the number that is counted. */
export async function listFailed(db: Queryable, workshopId: string, since: Date): Promise<FailedText[]> {
  return db.query<FailedText>(
    `SELECT m.id, m.customer_id, kept.name, k.opted_out_at IS NOT NULL AS opted_out,
            coalesce(m.conversation_id, (
              SELECT c.id FROM conversation c WHERE c.customer_id = m.customer_id AND c.workshop_id = $1)) AS conversation_id,
            coalesce(m.subject, m.body) AS body, m.state, m.reason,
            CASE m.reason WHEN 'heldBack' THEN m.detail END AS detail, m.created_at
       FROM (${waitingSql.failed('$2')}) AS failed JOIN message m USING (id)
       JOIN customer k ON k.id = m.customer_id JOIN customer kept ON kept.id = coalesce(k.merged_into, k.id)
      ORDER BY m.id DESC LIMIT ${countedAtMost}`,
    [workshopId, since],
  );
}
