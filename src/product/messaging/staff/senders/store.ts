/** SQL of the authors of texts by staff, from the audit trail. */
import { timeOfId } from '#base/values/id.ts';
import { trailTable } from '#platform/audit/read/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { textedAction } from '../sms.ts';

export interface Sent {
  readonly messageId: string;
  /** The customer row of the message. */
  readonly customerId: string;
}

/**
 * A message's id has the time of the process's clock, its trail entry that of the database's. The entry is looked for within this
 * many seconds of the id's time, not among all entries of the customer.
 */
const apartAtMostSeconds = 3_600;

/** The stored actor of each message, by message id; messages without a trail entry are left out. */
export async function findSenders(
  db: Queryable,
  workshopId: string,
  messages: readonly Sent[],
): Promise<ReadonlyMap<string, string>> {
  if (messages.length === 0) return new Map();
  const rows = await db.query<{ messageId: string; actor: string }>(
    `SELECT asked.message_id, e.actor
       FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) AS asked (message_id, customer_id, made_at) CROSS JOIN LATERAL (
         SELECT actor FROM ${trailTable} WHERE subject_id = asked.customer_id AND workshop_id = $1
            AND id BETWEEN first_id(asked.made_at - make_interval(secs => $6)) AND first_id(asked.made_at + make_interval(secs => $6))
            AND action = $5 AND after ->> 'messageId' = asked.message_id::text
          ORDER BY id DESC LIMIT 1) AS e`,
    [
      workshopId,
      messages.map(({ messageId }) => messageId),
      messages.map(({ customerId }) => customerId),
      messages.map(({ messageId }) => timeOfId(messageId)),
      textedAction.action,
      apartAtMostSeconds,
    ],
  );
  return new Map(rows.map(({ messageId, actor }) => [messageId, actor]));
}
