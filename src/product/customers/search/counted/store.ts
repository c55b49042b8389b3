/** SQL that counts the terms which words begin. */
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planInOrder } from '#platform/db/plan-modes.ts';
import { probesAtMost, termsAtMost, type Wanted } from '../found/store.ts';

export interface CountOfWord {
  readonly way: number;
  readonly word: number;
  /** The number of terms with this prefix, up to the limit. */
  readonly count: number;
}

const countText = planInOrder(`WITH probe AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset($2::jsonb) AS p (way integer, word integer, kinds text[], low text, high text)
       LIMIT ${probesAtMost})
  SELECT each.way, each.word, those.count
    FROM (SELECT DISTINCT way, word FROM probe) AS each
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS count FROM (
       SELECT FROM probe CROSS JOIN LATERAL (
         SELECT FROM search_term WHERE workshop_id = $1 AND kind = probe.kinds[1] AND term >= probe.low AND term < probe.high
          ORDER BY term LIMIT ${termsAtMost}) AS t
        WHERE probe.way = each.way AND probe.word = each.word LIMIT $3) AS begun) AS those`);

/** The number of terms with the prefix of each word, counted up to `atMost`. */
export async function countTerms(
  db: Queryable,
  { workshopId, probes }: Pick<Wanted, 'workshopId' | 'probes'>,
  atMost: number,
): Promise<CountOfWord[]> {
  return db.query<CountOfWord>(countText, [workshopId, recordset(probes), atMost]);
}
