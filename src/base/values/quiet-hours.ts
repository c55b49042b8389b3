/** Quiet hours: local clock times between which nothing is sent that may wait. An instant is quiet by what clocks show then. */

export interface QuietHours {
  /** `20:00`: the first quiet minute. */
  readonly from: string;
  /** `08:00`: the first minute that is not quiet any more. */
  readonly to: string;
}

export const usualQuietHours: QuietHours = { from: '20:00', to: '08:00' };

const minuteMs = 60_000;

const zonedAt = (instantMs: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone);

/** `HH:MM` in order are times in order. */
function isQuietAt(instantMs: number, { from, to }: QuietHours, timezone: string): boolean {
  const shown = zonedAt(instantMs, timezone).toPlainTime().toString({ smallestUnit: 'minute' });
  return from < to ? shown >= from && shown < to : shown >= from || shown < to;
}

export function isQuiet(instant: Date, quiet: QuietHours, timezone: string): boolean {
  return isQuietAt(instant.getTime(), quiet, timezone);
}

/** The instants of a clock time on the days around, and the changes of clocks there: quiet hours begin and end at none but these. */
function changesAround(instantMs: number, clockTime: string, timezone: string): number[] {
  const here = zonedAt(instantMs, timezone);
  const changes = [-2, -1, 0, 1, 2].flatMap((days) => {
    const local = here.toPlainDate().add({ days }).toPlainDateTime(clockTime);
    return (['earlier', 'later'] as const).map(
      (disambiguation) => local.toZonedDateTime(timezone, { disambiguation }).epochMilliseconds,
    );
  });
  const moved = [
    here.getTimeZoneTransition('next'),
    here.add({ nanoseconds: 1 }).getTimeZoneTransition('previous'),
  ];
  return [...changes, ...moved.flatMap((change) => (change === null ? [] : [change.epochMilliseconds]))];
}

/** The instant itself when it is not quiet, else the first one after it that is not. */
export function afterQuiet(instant: Date, quiet: QuietHours, timezone: string): Date {
  const at = instant.getTime();
  if (!isQuietAt(at, quiet, timezone)) return instant;
  const ends = changesAround(at, quiet.to, timezone).filter(
    (end) => end > at && !isQuietAt(end, quiet, timezone),
  );
  return new Date(Math.min(...ends));
}

/** The instant itself when it is not quiet, else the last minute before the quiet hours that it lies in. */
export function beforeQuiet(instant: Date, quiet: QuietHours, timezone: string): Date {
  const at = instant.getTime();
  if (!isQuietAt(at, quiet, timezone)) return instant;
  const begins = changesAround(at, quiet.from, timezone).filter(
    (begin) => begin <= at && !isQuietAt(begin - minuteMs, quiet, timezone),
  );
  return new Date(Math.max(...begins) - minuteMs);
}
