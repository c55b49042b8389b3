/**
 * Differences between Node and PostgreSQL about a workshop's local time. Each has its own copy and release of the time zone
 * database, and governments change zones every year.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { isTimezone } from '#base/values/timezone.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type UsedZone, usedZones } from './store.ts';

export interface DifferingZone {
  readonly timezone: string;
  /** The number of workshops in the zone, and the first of them. */
  readonly workshops: number;
  readonly workshopId: string;
  /** The first compared instant that differs. */
  readonly at: Date;
  /** The difference, in words for people. */
  readonly message: string;
}

/** Two years in steps of a week: the shortest change of a zone, that of Ramadan in Morocco, lasts a month. */
const weeks = 105;
const weekMs = 7 * 24 * 60 * 60_000;

/** The zones of workshops that differ within two years from `now` on. One statement. */
export async function differingZones(db: Queryable, now: Date): Promise<DifferingZone[]> {
  const instants = Array.from({ length: weeks }, (_, n) => new Date(now.getTime() + n * weekMs));
  const found: DifferingZone[] = [];
  for (const zone of await usedZones(db, instants)) {
    // Hundreds of zones would block the event loop for some tenths of a second.
    await yieldToOthers();
    const difference = isTimezone(zone.timezone) ? firstDifference(zone, instants) : null;
    if (difference !== null) found.push(difference);
  }
  return found;
}

/** Null when the offsets of Node and PostgreSQL are equal at each of the instants. */
export function firstDifference(zone: UsedZone, instants: readonly Date[]): DifferingZone | null {
  const { timezone, workshops, workshopId, offsets } = zone;
  for (const [n, at] of instants.entries()) {
    const [own, theirs] = [offsetAt(at, timezone), offsets[n] ?? 0];
    if (own === theirs) continue;
    const count = workshops === 1 ? '1 workshop' : `${workshops} workshops`;
    const message = `${timezone} (${count}): at ${at.toISOString().slice(0, 10)} Node (zone data ${process.versions['tz']}) has UTC${shown(own)} and PostgreSQL UTC${shown(theirs)}; bring both to the newest zone data (tzdata)`;
    return { timezone, workshops, workshopId, at, message };
  }
  return null;
}

function offsetAt(at: Date, timezone: string): number {
  const { offsetNanoseconds } = at.toTemporalInstant().toZonedDateTimeISO(timezone);
  return Math.round(offsetNanoseconds / 1e9);
}

/** `-06:00`. */
function shown(seconds: number): string {
  const minutes = Math.abs(Math.round(seconds / 60));
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${seconds < 0 ? '-' : '+'}${hour}:${minute}`;
}
