/** Instants on the wire: RFC 3339 in, UTC with milliseconds out (decisions, section 1, Time). */

const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

const earliest = Date.UTC(1900, 0, 1);
const end = Date.UTC(2200, 0, 1);

/**
 * The instant that the text names, or null. Refused: a missing zone, days and times that do not exist (24:00 and leap
 * seconds too), and instants outside 1900 to 2199 in UTC. Digits below the millisecond are dropped.
 */
export function parseInstant(text: string): Date | null {
  const match = form.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return null;

  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds));
  // Date.UTC carries over what does not exist (30 February becomes 1 or 2 March), and adds 1900 to years below 100.
  const exists =
    local.getUTCFullYear() === year && local.getUTCMonth() === month - 1 && local.getUTCDate() === day;
  if (!exists) return null;

  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === '-' ? -1 : 1);
  const time = local.getTime() - offset;
  return time >= earliest && time < end ? new Date(time) : null;
}

/** `2026-03-01T09:30:00.000Z`. */
export function formatInstant(date: Date): string {
  return date.toISOString();
}
