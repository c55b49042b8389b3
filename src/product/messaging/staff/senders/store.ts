/** SQL of who sent a text of the workshop's people: the audit trail knows. */
import { trailTable } from '#platform/audit/read/store.ts';
import type { Queryable } from '#platform/db/database.ts';
import { textedAction } from '../sms.ts';

/** The actor of each message, as it is stored, by the message's id; those of whom the trail knows nothing are left out. */
export async function findSenders(
  db: Queryable,
  workshopId: string,
  messages: readonly { readonly messageId: string; readonly customerId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ messageId: string; actor: string }>(
    `SELECT asked.message_id, e.actor
       FROM unnest($2::uuid[], $3::uuid[]) AS asked (message_id, customer_id) CROSS JOIN LATERAL (
         SELECT actor FROM ${trailTable} WHERE subject_id = asked.customer_id AND workshop_id = $1
            AND action = $4 AND after ->> 'messageId' = asked.message_id::text
          ORDER BY id DESC LIMIT 1) AS e`,
    [
      ...[
        workshopId,
        messages.map(({ messageId }) => messageId),
        messages.map(({ customerId }) => customerId),
      ],
      textedAction.action,
    ],
  );
  return new Map(rows.map(({ messageId, actor }) => [messageId, actor]));
}
