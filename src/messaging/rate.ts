/** The rate limit of messaging: 5 requests a second of one workshop and customer (document, section 8). */
import type { RateLimit } from '#http/rate-limit.ts';

export const messageLimit: RateLimit = { policy: 'messages', quota: 5, windowSeconds: 1 };

/**
 * CTE `passed`: a row when the request passes, with how many of the quota the last second has used. Exact: the stamps
 * of the last five that passed lie in one row, which is locked while one request decides, by the database's clock.
 * `source` is a CTE with `workshop_id, phone`.
 */
export function passedCte(source: string): string {
  const stamp = `greatest(clock_timestamp(), old.passed[cardinality(old.passed)])`;
  return `stamped AS (
    INSERT INTO message_rate AS old (workshop_id, person, passed)
    SELECT workshop_id, phone, ARRAY[clock_timestamp()] FROM ${source}
    ON CONFLICT (workshop_id, person) DO UPDATE
      SET passed = (old.passed || ${stamp})[greatest(1, cardinality(old.passed) - ${messageLimit.quota - 2}):]
    WHERE cardinality(old.passed) < ${messageLimit.quota}
       OR old.passed[cardinality(old.passed) - ${messageLimit.quota - 1}] < clock_timestamp() - interval '1 second'
    RETURNING workshop_id, passed),
  passed AS (
    SELECT (SELECT count(*)::int FROM unnest(stamped.passed) at WHERE at > clock_timestamp() - interval '1 second') AS used
      FROM stamped)`;
}
