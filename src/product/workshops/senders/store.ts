/** SQL of what a workshop's row says of the senders of its SMS. */
import type { Queryable } from '#platform/db/database.ts';
import type { WorkshopSenders } from './used.ts';

/** A `WorkshopSenders` as JSON, of a workshop row `w`. */
export const sendersJson = (w: string) =>
  `jsonb_build_object('smsSender', ${w}.sms_sender, 'smsGateways', to_jsonb(${w}.sms_gateways),
     'smsAccounts', (SELECT coalesce(jsonb_agg(own.gateway), '[]') FROM sms_account own WHERE own.workshop_id = ${w}.id))`;

export async function findSenders(db: Queryable, workshopId: string): Promise<WorkshopSenders> {
  const [row] = await db.query<{ senders: WorkshopSenders }>(
    `SELECT ${sendersJson('w')} AS senders FROM workshop w WHERE w.id = $1`,
    [workshopId],
  );
  if (row === undefined) throw new Error('a workshop is gone');
  return row.senders;
}
