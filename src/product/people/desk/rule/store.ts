/** SQL of a workshop's rule for the sessions of its people. */
import type { Queryable } from '#platform/db/database.ts';

export interface DeskRule {
  /** 1 to 240; null: never. */
  readonly askAgainMinutes: number | null;
  /** 0: never set. */
  readonly version: number;
}

/** Returns defaults for a workshop without a rule. */
export async function findDeskRule(db: Queryable, workshopId: string): Promise<DeskRule> {
  const [row] = await db.query<DeskRule>(
    'SELECT ask_again_minutes, version FROM desk_rule WHERE workshop_id = $1',
    [workshopId],
  );
  return row ?? { askAgainMinutes: null, version: 0 };
}

/** False: the version has changed. */
export async function putDeskRule(
  tx: Queryable,
  workshopId: string,
  { askAgainMinutes, version }: DeskRule,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO desk_rule AS rule (workshop_id, ask_again_minutes) SELECT $1, $2
      WHERE $3::int = 0 OR EXISTS (SELECT FROM desk_rule WHERE workshop_id = $1)
     ON CONFLICT (workshop_id) DO UPDATE SET ask_again_minutes = excluded.ask_again_minutes, version = rule.version + 1
      WHERE rule.version = $3::int
     RETURNING true`,
    [workshopId, askAgainMinutes, version],
  );
  return rows.length > 0;
}
