/** SQL of the pages of campaigns: their texts, whom runs are for, and why recipients of a blast got nothing. */
import type { Queryable } from '#platform/db/database.ts';

export interface CampaignText {
  /** The blast or automation. */
  readonly id: string;
  /** The template's. */
  readonly name: string;
  /** With its placeholders. Of a blast that has begun: as it was fixed then. */
  readonly body: string;
  readonly isPublished: boolean;
}

const ofBlasts = `SELECT b.id, t.name, coalesce(v.body, t.body) AS body, t.status = 'published' OR v.body IS NOT NULL AS is_published
   FROM blast b JOIN template t ON t.id = b.template_id
   LEFT JOIN template_version v ON v.template_id = b.template_id AND v.number = b.template_version
  WHERE b.workshop_id = $1 AND b.id = ANY ($2::uuid[])`;
const ofAutomations = `SELECT a.id, t.name, t.body, t.status = 'published' AS is_published
   FROM automation a JOIN template t ON t.id = a.template_id WHERE a.workshop_id = $1 AND a.id = ANY ($2::uuid[])`;

const readTexts =
  (text: string) =>
  async (
    db: Queryable,
    workshopId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, CampaignText>> => {
    const rows = await db.query<CampaignText>(text, [workshopId, ids]);
    return new Map(rows.map((row) => [row.id, row]));
  };

/** By the blast's id. */
export const textsOfBlasts = readTexts(ofBlasts);
/** By the automation's id. */
export const textsOfAutomations = readTexts(ofAutomations);

export interface RunCustomer {
  /** As the run names them. */
  readonly id: string;
  /** The customer; of merged ones, the one that was kept. */
  readonly keptId: string;
  readonly name: string | null;
}

/** By the id that the run names. */
export async function customersOfRuns(
  db: Queryable,
  workshopId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RunCustomer>> {
  const rows = await db.query<RunCustomer>(
    `SELECT own.id, k.id AS kept_id, k.name FROM customer own JOIN customer k ON k.id = coalesce(own.merged_into, own.id)
      WHERE own.workshop_id = $1 AND own.id = ANY ($2::uuid[])`,
    [workshopId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/**
 * How many recipients of a blast got nothing, by reason, the most frequent first; of a stopped one, those who had it no more are
 * `stopped`. It reads all its recipients, and is empty once they are deleted.
 */
export async function reasonsOfBlast(
  db: Queryable,
  { workshopId, id }: { readonly workshopId: string; readonly id: string },
): Promise<ReasonCount[]> {
  return db.query<ReasonCount>(
    `SELECT CASE WHEN b.status = 'cancelled' AND (r.state = 'waiting' OR r.reason = 'cancelled') THEN 'stopped'
            ELSE coalesce(r.reason, r.state) END AS reason, count(*)::int AS count
       FROM blast b JOIN blast_recipient r ON r.blast_id = b.id
      WHERE b.id = $2 AND b.workshop_id = $1
        AND (r.state IN ('failed', 'unknown', 'skipped') OR r.state = 'waiting' AND b.status = 'cancelled')
      GROUP BY 1 ORDER BY 2 DESC, 1`,
    [workshopId, id],
  );
}
