/** SQL of reading messages. */
import type { Queryable } from '#db/database.ts';
import { attemptJson, messageJson } from '#sending/snapshot.ts';
import type { Message } from './schema.ts';

/** A message that the partner sent, with its attempts in order. */
export async function readMessage(
  db: Queryable,
  partnerId: string,
  workshopId: string,
  messageId: string,
): Promise<Message | null> {
  const [row] = await db.query<{ message: Message }>(
    `SELECT ${messageJson('m')} || jsonb_build_object('attempts', coalesce(
              (SELECT jsonb_agg(${attemptJson('a')} ORDER BY a.number) FROM message_attempt a WHERE a.message_id = m.id), '[]')) AS message
       FROM message m WHERE m.id = $3 AND m.workshop_id = $2 AND m.partner_id = $1 AND m.direction = 'outbound'`,
    [partnerId, workshopId, messageId],
  );
  return row?.message ?? null;
}
