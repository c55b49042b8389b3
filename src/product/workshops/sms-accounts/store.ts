/** SQL of the accounts of workshops at SMS providers. */
import type { Queryable } from '#platform/db/database.ts';

export interface SmsAccountRow {
  readonly workshopId: string;
  readonly gateway: string;
  readonly account: string;
}

/** All accounts: a row for each workshop with its own account. */
export async function listSmsAccounts(db: Queryable): Promise<SmsAccountRow[]> {
  return db.query<SmsAccountRow>(
    'SELECT workshop_id, gateway, account FROM sms_account ORDER BY workshop_id, gateway',
  );
}

export async function putSmsAccount(
  db: Queryable,
  { workshopId, gateway, account }: SmsAccountRow,
): Promise<void> {
  await db.query(
    `INSERT INTO sms_account (workshop_id, gateway, account) VALUES ($1, $2, $3)
     ON CONFLICT (workshop_id, gateway) DO UPDATE SET account = excluded.account`,
    [workshopId, gateway, account],
  );
}

export async function deleteSmsAccount(db: Queryable, workshopId: string, gateway: string): Promise<void> {
  await db.query('DELETE FROM sms_account WHERE workshop_id = $1 AND gateway = $2', [workshopId, gateway]);
}
