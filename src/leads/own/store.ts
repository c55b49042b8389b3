/** SQL of the workshop's side: the calls to a workshop, of any partner. */
import type { Queryable } from '#db/database.ts';
import { highestId } from '#db/page-bounds.ts';
import type { CallLead, CallOutcome } from '../schema.ts';
import { callLeadJson, leadLinks } from '../snapshot.ts';

/** A call lead as its workshop sees it. */
export interface WorkshopCall extends CallLead {
  readonly partnerId: string;
  readonly partner: string;
  /** The workshop's time zone; IANA name. */
  readonly timezone: string;
  /** The workshop's, ISO 3166. */
  readonly country: string;
}

const columns = `${callLeadJson('lead', 'workshop')} || jsonb_build_object('partnerId', lead.partner_id, 'partner', p.name, 'timezone', w.timezone, 'country', w.country) AS call`;
const joins = `${leadLinks('lead')} JOIN workshop w ON w.id = lead.workshop_id JOIN partner p ON p.id = lead.partner_id`;

export async function findWorkshopCall(db: Queryable, id: string): Promise<WorkshopCall | null> {
  const [row] = await db.query<{ call: WorkshopCall }>(
    `SELECT ${columns} FROM call_lead lead ${joins} WHERE lead.id = $1`,
    [id],
  );
  return row?.call ?? null;
}

export interface WorkshopCalls {
  readonly workshopId: string;
  /** Null: of all. */
  readonly partnerId: string | null;
  readonly outcomes: readonly CallOutcome[];
  /** Called from this instant on, and before that one; null: at any time. */
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface WorkshopCallPage extends WorkshopCalls {
  /** The last call of the page before; nothing follows one that is not there. */
  readonly before: string | null;
  readonly limit: number;
}

/** Each partner's calls with each outcome by their index, then together. Exported for tests that read its plan. */
export const workshopCallsText = `WITH last AS MATERIALIZED (
    SELECT CASE WHEN $6::uuid IS NULL THEN 'infinity'
             ELSE coalesce((SELECT called_at FROM call_lead WHERE id = $6::uuid AND workshop_id = $1::uuid), '-infinity') END AS called_at,
           coalesce($6::uuid, '${highestId}') AS id),
  page AS MATERIALIZED (
    SELECT own.id, own.called_at FROM last CROSS JOIN link l CROSS JOIN unnest($2::text[]) AS wanted (outcome) CROSS JOIN LATERAL (
      SELECT row.id, row.called_at FROM call_lead AS row
       WHERE row.workshop_id = $1::uuid AND row.partner_id = l.partner_id AND row.outcome = wanted.outcome
         AND row.called_at >= $3::timestamptz AND row.called_at < $4::timestamptz AND (row.called_at, row.id) < (last.called_at, last.id)
       ORDER BY row.called_at DESC, row.id DESC LIMIT $7) AS own
     WHERE l.workshop_id = $1::uuid AND l.partner_id = coalesce($5::uuid, l.partner_id)
     ORDER BY own.called_at DESC, own.id DESC LIMIT $7)
  SELECT own.call FROM page CROSS JOIN LATERAL (
    SELECT ${columns} FROM call_lead lead ${joins} WHERE lead.id = page.id LIMIT 1) AS own
   ORDER BY page.called_at DESC, page.id DESC`;

/** The calls to a workshop, the newest call first. */
export async function listWorkshopCalls(db: Queryable, of: WorkshopCallPage): Promise<WorkshopCall[]> {
  const rows = await db.query<{ call: WorkshopCall }>(workshopCallsText, [
    ...[of.workshopId, of.outcomes, of.from ?? '-infinity', of.to ?? 'infinity'],
    ...[of.partnerId, of.before, of.limit],
  ]);
  return rows.map(({ call }) => call);
}
