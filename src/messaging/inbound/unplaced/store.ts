/** SQL of answers that belong nowhere yet. */
import type { Queryable } from '#db/database.ts';

export interface UnplacedSms {
  readonly id: string;
  readonly gateway: string;
  readonly gatewayId: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Business time. */
  readonly receivedAt: Date;
}

const columns = `id, gateway, gateway_message_id AS "gatewayId", sender AS "from", recipient AS "to", body, created_at AS "receivedAt"`;

/** False when it is kept already. */
export async function insertUnplaced(db: Queryable, sms: UnplacedSms): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO unplaced_sms (id, gateway, gateway_message_id, sender, recipient, body, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (gateway, gateway_message_id) DO NOTHING RETURNING id`,
    [sms.id, sms.gateway, sms.gatewayId, sms.from, sms.to, sms.body, sms.receivedAt],
  );
  return rows.length > 0;
}

export async function findUnplaced(db: Queryable, id: string): Promise<UnplacedSms | null> {
  const [sms] = await db.query<UnplacedSms>(`SELECT ${columns} FROM unplaced_sms WHERE id = $1`, [id]);
  return sms ?? null;
}

/** The newest first; `before` is the id of the last one of the page before. */
export async function listUnplaced(
  db: Queryable,
  page: { readonly before: string | null; readonly limit: number },
): Promise<UnplacedSms[]> {
  return db.query<UnplacedSms>(
    `SELECT ${columns} FROM unplaced_sms WHERE ($1::uuid IS NULL OR id < $1) ORDER BY id DESC LIMIT $2`,
    [page.before, page.limit],
  );
}

export async function deleteUnplaced(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM unplaced_sms WHERE id = $1', [id]);
}
