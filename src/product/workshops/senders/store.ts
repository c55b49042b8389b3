/** SQL of what a workshop's row says of the senders of its SMS. */
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';
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

export interface WorkshopWithSenders extends WorkshopSenders {
  readonly workshopId: string;
  readonly slug: string;
  /** E.164. */
  readonly phone: string;
  /** ISO 3166. */
  readonly country: string;
  /** The gateways with which its name, in whatever case, is said to be registered. */
  readonly registeredWith: readonly string[];
}

/** The workshops after an id, by id. */
export async function sendersAfter(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<WorkshopWithSenders[]> {
  const rows = await db.query<
    Omit<WorkshopWithSenders, keyof WorkshopSenders> & { senders: WorkshopSenders }
  >(
    `SELECT w.id AS workshop_id, w.slug, w.phone, w.country, ${sendersJson('w')} AS senders,
            ARRAY(SELECT said.gateway FROM sms_name_registered said
                   WHERE said.workshop_id = w.id AND lower(said.name) = lower(w.sms_sender)) AS registered_with
       FROM workshop w WHERE ${afterId('w.id', '$1')} ORDER BY w.id LIMIT $2`,
    [after, limit],
  );
  return rows.map(({ senders, ...row }) => ({ ...row, ...senders }));
}
