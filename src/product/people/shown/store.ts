/** SQL of the customers that a person was shown at a workshop within the last hour, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';

export interface ShownCount {
  /** True: with these they have seen at most `atMost`, and they are counted. False: nothing is counted. */
  readonly isLetIn: boolean;
  /** Milliseconds until enough have expired to show these; 0 when they may be shown. */
  readonly resetMs: number;
}

const countText = planOnce(`SELECT is_let_in, reset_ms FROM count_shown($1, $2, $3::uuid[], $4)`);

/** Counts these customers, each once an hour, over all sessions and processes (`count_shown.sql`). */
export async function countShownTo(
  db: Queryable,
  of: {
    readonly personId: string;
    readonly workshopId: string;
    readonly customerIds: readonly string[];
    readonly atMost: number;
  },
): Promise<ShownCount> {
  const { personId, workshopId, customerIds, atMost } = of;
  const [row] = await db.query<ShownCount>(countText, [personId, workshopId, customerIds, atMost]);
  if (row === undefined) throw new Error('a count has a row');
  return row;
}
