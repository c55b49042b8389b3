/** Instants on the wire: RFC 3339 in, UTC with milliseconds out (specification: Times). */

/** RFC 3339 without leap seconds. Temporal takes further forms, which are refused. */
const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

const earliest = Date.UTC(1900, 0, 1);
const end = Date.UTC(2200, 0, 1);

/**
 * The instant that the text names, or null. Refused: a missing zone, days and times that do not exist (24:00 and leap
 * seconds too), and instants outside 1900 to 2199 in UTC. Digits below the millisecond are dropped; there are nine at most.
 */
export function parseInstant(text: string): Date | null {
  if (!form.test(text)) return null;
  let time: number;
  try {
    time = Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    // A day, a time or an offset that does not exist.
    return null;
  }
  return time >= earliest && time < end ? new Date(time) : null;
}

/** `2026-03-01T09:30:00.000Z`. */
export function formatInstant(date: Date): string {
  return date.toISOString();
}
