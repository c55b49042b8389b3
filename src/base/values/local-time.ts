/** Instants as people in a workshop's time zone read and write them. */
import { LRUCache } from 'lru-cache';

const formatters = new Map<string, Intl.DateTimeFormat>();

function partsOf(instant: Date, timezone: string): Record<string, string> {
  let formatter = formatters.get(timezone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      hour12: true,
    });
    formatters.set(timezone, formatter);
  }
  return Object.fromEntries(formatter.formatToParts(instant).map((part) => [part.type, part.value]));
}

/** Where the zones' abbreviations are known: `AEDT` is one in Australia, elsewhere it is `GMT+11`. */
const locales = ['en-AU', 'en-NZ', 'en-US', 'en-CA', 'en-GB', 'en-IE'];

/** `AEDT`; `GMT-3` where no abbreviation is in use. */
function abbreviation(instant: Date, timeZone: string): string {
  const names = locales.map((locale) => {
    const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(instant);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  });
  return names.find((name) => /^[A-Z]+$/.test(name)) ?? names[0] ?? '';
}

/** True in the hour that clocks show twice, at the end of daylight saving. */
function isRepeated(instant: Date, timezone: string): boolean {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone);
  const local = zoned.toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    local.toZonedDateTime(timezone, { disambiguation }),
  );
  return first?.epochMilliseconds !== second?.epochMilliseconds;
}

interface Shown {
  readonly date: string;
  readonly time: string;
}

/** Taking an instant apart takes 100 µs, and a booking's stands several times in each of its notices. */
const shownBefore = new LRUCache<string, Shown>({ max: 2_000 });

function shownAs(instant: Date, timezone: string): Shown {
  const key = `${instant.getTime()} ${timezone}`;
  const known = shownBefore.get(key);
  if (known !== undefined) return known;
  const { weekday, day, month, year, hour, minute, dayPeriod } = partsOf(instant, timezone);
  const time = `${hour}:${minute} ${dayPeriod?.toLowerCase()}`;
  const shown = {
    date: `${weekday} ${day} ${month} ${year}`,
    time: isRepeated(instant, timezone) ? `${time} ${abbreviation(instant, timezone)}` : time,
  };
  shownBefore.set(key, shown);
  return shown;
}

/** `Tue 3 Mar 2026`. */
export function localDate(instant: Date, timezone: string): string {
  return shownAs(instant, timezone).date;
}

/**
 * `9:30 am`, with a plain space: the narrow one of `Intl` is not in the SMS alphabet. `2:30 am AEDT` in an hour that daylight
 * saving repeats.
 */
export function localTime(instant: Date, timezone: string): string {
  return shownAs(instant, timezone).time;
}

/** `Tue 3 Mar 2026, 9:30 am`. */
export function localDateTime(instant: Date, timezone: string): string {
  return `${localDate(instant, timezone)}, ${localTime(instant, timezone)}`;
}

const localForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?$/;

/**
 * The instant of `2030-03-03 09:30` in the zone, of a date alone its first; null for any other text. A time that daylight
 * saving skips is as much later as the clocks were moved; of one that comes twice it is the earlier, unless the later is asked for.
 */
export function parseLocalTime(
  text: string,
  timezone: string,
  which: 'first' | 'second' = 'first',
): Date | null {
  if (!localForm.test(text)) return null;
  try {
    const local = Temporal.PlainDateTime.from(text.replace(' ', 'T'), { overflow: 'reject' });
    const disambiguation = which === 'second' ? 'later' : 'compatible';
    return new Date(local.toZonedDateTime(timezone, { disambiguation }).epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The two faults of a clock time at a change of daylight saving: clocks skip it, or show it twice. */
export type ClockFault = 'skipped' | 'twice';

/** Whether clocks in the zone never show `2030-03-03 02:30`, or show it twice; null: once, or the text is no local time. */
export function clockFault(text: string, timezone: string): ClockFault | null {
  if (!localForm.test(text)) return null;
  const local = Temporal.PlainDateTime.from(text.replace(' ', 'T'), { overflow: 'reject' });
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    local.toZonedDateTime(timezone, { disambiguation }),
  );
  if (first === undefined || first.epochMilliseconds === second?.epochMilliseconds) return null;
  return first.toPlainDateTime().equals(local) ? 'twice' : 'skipped';
}

/** `2030-03-03 09:30`, as `parseLocalTime` reads it. */
export function formatLocalTime(instant: Date, timezone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone);
  return zoned.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
}
