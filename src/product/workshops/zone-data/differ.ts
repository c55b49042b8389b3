/**
 * Differences between Node and PostgreSQL about a workshop's local time. Each has its own copy and release of the time zone
 * database, and governments change zones every year. What people see and book goes by Node's, quiet hours of texts that wait by
 * PostgreSQL's (`sending/quiet.ts`).
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
  /** On which days they differ, by how much, and what that means, in words for people. */
  readonly message: string;
}

const dayMs = 24 * 60 * 60_000;
/** Two years in steps of a week: the shortest change of a zone, that of Ramadan in Morocco, lasts a month. */
const [weeks, days] = [105, 729];
const spansAtMost = 3;

/** The zones of workshops that differ within two years from `now` on. One statement, and one more where there are any. */
export async function differingZones(db: Queryable, now: Date): Promise<DifferingZone[]> {
  const each = (count: number, stepMs: number) =>
    Array.from({ length: count }, (_, n) => new Date(now.getTime() + n * stepMs));
  const byWeek = each(weeks, 7 * dayMs);
  const differing: string[] = [];
  for (const zone of await usedZones(db, byWeek)) {
    // Hundreds of zones would block the event loop for some tenths of a second.
    await yieldToOthers();
    if (isTimezone(zone.timezone) && differencesOf(zone, byWeek).length > 0) differing.push(zone.timezone);
  }
  if (differing.length === 0) return [];
  const byDay = each(days, dayMs);
  return (await usedZones(db, byDay, differing)).flatMap((zone) => differenceOf(zone, byDay) ?? []);
}

interface Span {
  readonly from: Date;
  /** The last compared instant with this difference. */
  readonly to: Date;
  readonly isLast: boolean;
  /** PostgreSQL's offset less Node's. */
  readonly seconds: number;
}

/** Null when the offsets of Node and PostgreSQL are equal at each of the instants. */
export function differenceOf(zone: UsedZone, instants: readonly Date[]): DifferingZone | null {
  const { timezone, workshops, workshopId } = zone;
  const spans = differencesOf(zone, instants);
  const [first] = spans;
  if (first === undefined) return null;
  const count = workshops === 1 ? '1 workshop' : `${workshops} workshops`;
  const more = spans.length > spansAtMost ? [`${spans.length - spansAtMost} more in two years`] : [];
  const when = [...spans.slice(0, spansAtMost).map(shown), ...more].join(', ');
  const isOne = spans.every(({ seconds }) => seconds === first.seconds);
  const quiet = isOne
    ? `${durationOf(first)} ${first.seconds < 0 ? 'late' : 'early'}`
    : 'as much late (behind) or early (ahead)';
  const message = `${timezone} (${count}): PostgreSQL reads local time otherwise than Node (zone data ${process.versions['tz']}): ${when}. What people see and book goes by Node; quiet hours of texts go by PostgreSQL, so on these days they begin and end ${quiet}. Bring both to the newest zone data: tzdata on PostgreSQL's machine, or a newer Pitlane where PostgreSQL is its own`;
  return { timezone, workshops, workshopId, at: first.from, message };
}

/** Where the offsets differ: instants one after the other with one difference are one span. */
function differencesOf({ timezone, offsets }: UsedZone, instants: readonly Date[]): Span[] {
  const spans: Span[] = [];
  let isOpen = false;
  for (const [n, at] of instants.entries()) {
    const seconds = (offsets[n] ?? 0) - offsetAt(at, timezone);
    const last = isOpen ? spans.at(-1) : undefined;
    isOpen = seconds !== 0;
    if (!isOpen) continue;
    const span = { to: at, seconds, isLast: n === instants.length - 1 };
    if (last?.seconds === seconds) spans[spans.length - 1] = { ...span, from: last.from };
    else spans.push({ ...span, from: at });
  }
  return spans;
}

function offsetAt(at: Date, timezone: string): number {
  const { offsetNanoseconds } = at.toTemporalInstant().toZonedDateTimeISO(timezone);
  return Math.round(offsetNanoseconds / 1e9);
}

/** `1 hour behind from 2026-11-01 to 2027-03-13`. */
function shown(span: Span): string {
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const until = span.isLast ? ' on' : ` to ${day(span.to)}`;
  return `${durationOf(span)} ${span.seconds < 0 ? 'behind' : 'ahead'} from ${day(span.from)}${until}`;
}

function durationOf({ seconds }: Span): string {
  const minutes = Math.abs(Math.round(seconds / 60));
  return minutes === 60 ? '1 hour' : minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}
