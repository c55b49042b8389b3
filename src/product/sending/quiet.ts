/**
 * Quiet hours of queued messages, as SQL (`values/quiet-hours.ts` has the same rule). Where the server does not know a zone, they are by
 * UTC: one workshop's zone does not fail the statement for all.
 */
const localTime = (now: string, timezone: string) => `(${now} AT TIME ZONE known_zone(${timezone}))`;

/**
 * An SQL expression: whether a wall clock in the zone shows a quiet time at `now`. `entry` has `quiet_from` and `quiet_until`, both
 * null where no hours are quiet.
 */
export function isQuiet(entry: string, now: string, timezone: string): string {
  const local = `${localTime(now, timezone)}::time`;
  return `(${entry}.quiet_from IS NOT NULL AND CASE WHEN ${entry}.quiet_from < ${entry}.quiet_until
    THEN ${local} >= ${entry}.quiet_from AND ${local} < ${entry}.quiet_until
    ELSE ${local} >= ${entry}.quiet_from OR ${local} < ${entry}.quiet_until END)`;
}

/** An SQL expression: how long it is from `now`, a quiet time, until the clock in the zone shows the end of the quiet hours; an interval. */
export function untilQuietEnds(entry: string, now: string, timezone: string): string {
  const local = localTime(now, timezone);
  const isTomorrow = `${entry}.quiet_until <= ${local}::time`;
  return `(((${local}::date + CASE WHEN ${isTomorrow} THEN 1 ELSE 0 END) + ${entry}.quiet_until) AT TIME ZONE known_zone(${timezone}) - ${now})`;
}
