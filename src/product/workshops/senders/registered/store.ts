/** SQL of what was said of names that workshops send under: with which gateway each is registered. */
import type { Queryable } from '#platform/db/database.ts';

export interface RegisteredName {
  readonly workshopId: string;
  readonly gateway: string;
  readonly name: string;
}

/** In the order of the gateways. */
export async function listRegistered(db: Queryable, workshopId: string): Promise<RegisteredName[]> {
  return db.query<RegisteredName>(
    'SELECT workshop_id, gateway, name FROM sms_name_registered WHERE workshop_id = $1 ORDER BY gateway',
    [workshopId],
  );
}

export async function putRegistered(db: Queryable, row: RegisteredName, at: Date): Promise<void> {
  await db.query(
    `INSERT INTO sms_name_registered (workshop_id, gateway, name, said_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workshop_id, gateway) DO UPDATE SET name = excluded.name, said_at = excluded.said_at`,
    [row.workshopId, row.gateway, row.name, at],
  );
}

export async function deleteRegistered(db: Queryable, workshopId: string, gateway: string): Promise<void> {
  await db.query('DELETE FROM sms_name_registered WHERE workshop_id = $1 AND gateway = $2', [
    workshopId,
    gateway,
  ]);
}
