/** SQL of the rate limit (decisions, section 5): exact over all processes, by the database's clock. */
import type { Queryable } from '#db/database.ts';
import { messageLimit } from './limit.ts';

/**
 * The stamps of `old` that count, oldest first. A stamp may lie a second ahead, after a small step back of the
 * database's clock; one further ahead is of another time, and would shut the person out until the clock is there again.
 */
const recent = `SELECT at FROM unnest(old.passed) AS at
    WHERE at BETWEEN clock_timestamp() - interval '1 second' AND clock_timestamp() + interval '1 second'`;

/**
 * CTE `passed`: a row (`workshop_id, phone, used`) for each request that passes, with how many of the quota the last second has used.
 * Exact: the stamps of those that passed lie in one row, which is locked while one request decides, by the database's clock.
 * `source` is a CTE with `workshop_id, phone`, no person twice; rows are held in one order.
 */
export function passedCte(source: string): string {
  return `stamped AS (
    INSERT INTO message_rate AS old (workshop_id, person, passed)
    SELECT workshop_id, phone, ARRAY[clock_timestamp()] FROM ${source} ORDER BY workshop_id, phone
    ON CONFLICT (workshop_id, person) DO UPDATE
      SET passed = (SELECT stamps || greatest(clock_timestamp(), stamps[cardinality(stamps)])
                      FROM (SELECT ARRAY(${recent}) AS stamps) AS kept)
    WHERE (SELECT count(*) FROM (${recent}) AS counted) < ${messageLimit.quota}
    RETURNING workshop_id, person, passed),
  passed AS (SELECT workshop_id, person AS phone, cardinality(passed) AS used FROM stamped)`;
}

/** Deletes windows of the rate limit that are long over, or of a time that the clock has left. */
export async function purgeRates(db: Queryable): Promise<void> {
  await db.query(
    `DELETE FROM message_rate WHERE passed[cardinality(passed)]
       NOT BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp() + interval '1 minute'`,
  );
}
