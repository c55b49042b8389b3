/** SQL of presence. Nothing of it is stored: what one process tells the others goes through PostgreSQL as payloads of NOTIFY, sealed. */
import type { Queryable } from '#platform/db/database.ts';

/** Says it to all processes that listen, this one too. */
export async function notify(db: Queryable, channel: string, payloads: readonly string[]): Promise<void> {
  await db.query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', [channel, payloads]);
}

/** Null: there is no such conversation. */
export async function findWorkshopOf(db: Queryable, conversationId: string): Promise<string | null> {
  const [row] = await db.query<{ workshopId: string }>('SELECT workshop_id FROM conversation WHERE id = $1', [
    conversationId,
  ]);
  return row?.workshopId ?? null;
}
