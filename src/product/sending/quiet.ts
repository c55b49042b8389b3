/**
 * Quiet hours of queued messages, as SQL (`values/quiet-hours.ts` has the same rule). A zone that PostgreSQL does not know is read
 * as UTC (`known_zone.sql`), so that one workshop's zone does not fail the statement for all.
 */
const localTime = (now: string, timezone: string) => `(${now} AT TIME ZONE known_zone(${timezone}))`;

/**
 * An SQL expression: whether `now` is in quiet hours by the local time of the zone. `entry` has `quiet_from` and `quiet_until`,
 * both null when there are no quiet hours.
 */
export function isQuiet(entry: string, now: string, timezone: string): string {
  const local = `${localTime(now, timezone)}::time`;
  return `(${entry}.quiet_from IS NOT NULL AND CASE WHEN ${entry}.quiet_from < ${entry}.quiet_until
    THEN ${local} >= ${entry}.quiet_from AND ${local} < ${entry}.quiet_until
    ELSE ${local} >= ${entry}.quiet_from OR ${local} < ${entry}.quiet_until END)`;
}

/** An SQL expression: the interval from `now`, a time in quiet hours, to their end by the local time of the zone. */
export function untilQuietEnds(entry: string, now: string, timezone: string): string {
  const local = localTime(now, timezone);
  const isTomorrow = `${entry}.quiet_until <= ${local}::time`;
  return `(((${local}::date + CASE WHEN ${isTomorrow} THEN 1 ELSE 0 END) + ${entry}.quiet_until) AT TIME ZONE known_zone(${timezone}) - ${now})`;
}
