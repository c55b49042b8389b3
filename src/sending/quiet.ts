/** Quiet hours of queued messages, as SQL (`values/quiet-hours.ts` has the same rule). */

/**
 * An SQL expression: whether a wall clock in the zone shows a quiet time at `now`. `entry` has `quiet_from` and `quiet_until`, both
 * null where no hours are quiet. Where the server does not know the zone, by UTC: one workshop's does not fail those of all.
 */
export function isQuiet(entry: string, now: string, timezone: string): string {
  return `(${entry}.quiet_from IS NOT NULL AND is_quiet(${entry}.quiet_from, ${entry}.quiet_until, ${now}, ${timezone}))`;
}

/** An SQL expression: how long it is from `now`, a quiet time, until the clock in the zone shows the end of the quiet hours; an interval. */
export function untilQuietEnds(entry: string, now: string, timezone: string): string {
  const local = `(${now} AT TIME ZONE ${timezone})`;
  const isTomorrow = `${entry}.quiet_until <= ${local}::time`;
  return `(((${local}::date + CASE WHEN ${isTomorrow} THEN 1 ELSE 0 END) + ${entry}.quiet_until) AT TIME ZONE ${timezone} - ${now})`;
}
