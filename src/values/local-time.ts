/** Instants as people in a workshop's time zone read them. */

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

/** `Tue 3 Mar 2026`. */
export function localDate(instant: Date, timezone: string): string {
  const { weekday, day, month, year } = partsOf(instant, timezone);
  return `${weekday} ${day} ${month} ${year}`;
}

/** `9:30 am`, with a plain space: the narrow one of `Intl` is not in the SMS alphabet. */
export function localTime(instant: Date, timezone: string): string {
  const { hour, minute, dayPeriod } = partsOf(instant, timezone);
  return `${hour}:${minute} ${dayPeriod?.toLowerCase()}`;
}

/** `Tue 3 Mar 2026, 9:30 am`. */
export function localDateTime(instant: Date, timezone: string): string {
  return `${localDate(instant, timezone)}, ${localTime(instant, timezone)}`;
}
