/** Days and clock times of a time zone as instants: dates are `YYYY-MM-DD`, clock times `HH:MM`, instants milliseconds. */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** One local day, from its first instant to the first of the next day. */
export interface LocalDay {
  readonly date: string;
  readonly timezone: string;
  readonly start: number;
  readonly end: number;
}

/** Which instant a clock time means that daylight saving repeats: the earlier as a `from`, the later as a `to`. */
export type Side = 'from' | 'to';

export function localDay(date: string, timezone: string): LocalDay {
  const day = Temporal.PlainDate.from(date);
  const startOf = (each: Temporal.PlainDate) => each.toZonedDateTime(timezone).epochMilliseconds;
  return { date, timezone, start: startOf(day), end: startOf(day.add({ days: 1 })) };
}

/** Clocks are not changed within it: what a clock shows is the time since midnight. */
const isEven = ({ start, end }: LocalDay) => end - start === dayMs;

/** The instant of a clock time; of one that daylight saving skips, the first instant after the gap. */
export function instantOf(day: LocalDay, clockTime: string, side: Side): number {
  if (isEven(day)) return day.start + minutesOf(clockTime) * minuteMs;
  const local = Temporal.PlainDateTime.from(`${day.date}T${clockTime}`);
  const earlier = local.toZonedDateTime(day.timezone, { disambiguation: 'earlier' });
  const later = local.toZonedDateTime(day.timezone, { disambiguation: 'later' });
  if (earlier.toPlainDateTime().equals(local)) return (side === 'from' ? earlier : later).epochMilliseconds;
  const gapEnd = earlier.getTimeZoneTransition('next') ?? later;
  return gapEnd.epochMilliseconds;
}

/** `08:30`: what clocks show at an instant of the day. */
export function clockTimeAt(day: LocalDay, instant: number): string {
  if (isEven(day) && instant >= day.start && instant < day.end) {
    const minutes = Math.floor((instant - day.start) / minuteMs);
    return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  }
  return zoned(instant, day.timezone).toPlainTime().toString({ smallestUnit: 'minute' });
}

/** The local date of an instant. */
export function dateAt(instant: number, timezone: string): string {
  return zoned(instant, timezone).toPlainDate().toString();
}

/** The caller has checked that the date exists; the same holds for `daysBetween`. */
export function addDays(date: string, days: number): string {
  return new Date(midnightOf(date) + days * dayMs).toISOString().slice(0, 10);
}

/** How many days later the second date is than the first; negative when it is earlier. */
export function daysBetween(first: string, second: string): number {
  return (midnightOf(second) - midnightOf(first)) / dayMs;
}

/** Computed in UTC, where each day has 24 hours, which is quicker than with a calendar. */
const midnightOf = (date: string) => Date.parse(`${date}T00:00:00Z`);

/** Minutes since 00:00. */
function minutesOf(clockTime: string): number {
  return Number(clockTime.slice(0, 2)) * 60 + Number(clockTime.slice(3, 5));
}

const twoDigits = (n: number) => String(n).padStart(2, '0');

function zoned(instant: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
}
