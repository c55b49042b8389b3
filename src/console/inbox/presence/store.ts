/** SQL of presence. Nothing of it is stored: processes send each other sealed payloads of NOTIFY. */
import type { Queryable } from '#platform/db/database.ts';

/** Notifies all processes that listen, this one too. */
export async function notify(db: Queryable, channel: string, payloads: readonly string[]): Promise<void> {
  await db.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [channel, payloads]);
}

/** Null: the conversation does not exist. */
export async function findWorkshopOf(db: Queryable, conversationId: string): Promise<string | null> {
  const [row] = await db.query<{ workshopId: string }>('SELECT workshop_id FROM conversation WHERE id = $1', [
    conversationId,
  ]);
  return row?.workshopId ?? null;
}
