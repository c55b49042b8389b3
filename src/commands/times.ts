/** Formats times for commands: in the zone of `--tz`, else in that of the workshop; in UTC where there is no workshop. */
import { formatLocalTime } from '#base/values/local-time.ts';
import { isTimezone, timezoneFault } from '#base/values/timezone.ts';
import { terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** `2030-03-03 09:30` in a zone, `2030-03-02T22:30:00.000Z` in none; `zone` is the workshop's. An absent time stays absent. */
export function at(time: Date | string | null | undefined, zone: string | null = null): string | null {
  if (time === null || time === undefined) return null;
  const { zone: chosen, zonesShown } = terminal();
  const shownIn = chosen ?? zone;
  const instant = new Date(time);
  if (shownIn === null) return instant.toISOString();
  zonesShown.add(shownIn);
  return formatLocalTime(instant, shownIn);
}

/** Takes the zone of `--tz`. Throws UsageError. */
export function chooseZone(zone: string | undefined): void {
  if (zone === undefined) return;
  if (!isTimezone(zone)) {
    throw new UsageError(`--tz must be ${timezoneFault(zone)}: ${zone} is not one`);
  }
  terminal().zone = zone;
}

/** The note about the zone of the result's times; null when the times contain it. */
export function zoneNote(): string | null {
  const { zone, zonesShown } = terminal();
  const [first, ...more] = zonesShown;
  if (zone !== null || first === undefined) return null;
  return more.length === 0
    ? `Times are those of ${first}; --tz shows others.`
    : 'Times are those of each workshop; --tz UTC shows all in one zone.';
}

/** Formats the times among these values. */
export function localTimes(values: object, zone: string): Readonly<Record<string, string | null>> {
  const times = Object.entries(values).filter(([, value]) => value instanceof Date);
  return Object.fromEntries(times.map(([name, value]) => [name, at(value, zone)]));
}
