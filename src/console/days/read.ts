/**
 * Reads days of a workshop for Today, Week and print: hours, note, closed bays and bookings. One statement of each kind for all
 * days.
 */
import { addDays, dateAt, localDay } from '#base/values/local-day.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { readOld } from '#platform/db/replica/read-old.ts';
import { type Block, listBlocks } from '#product/availability/blocks/store.ts';
import type { DayPlan } from '#product/availability/day.ts';
import { rulesSince } from '#product/availability/places/rules.ts';
import { type Days, dayAtMost, type PlacedBooking } from '#product/bookings/staff/day/store.ts';
import type { Membership } from '#product/people/sessions/store.ts';
import { type DayNote, readDayNotes } from '#product/workshops/day-notes/store.ts';
import type { VisitReads } from '../frame/old-reads.ts';

export interface ReadDay<Booking extends PlacedBooking> {
  readonly plan: DayPlan;
  /** Null: no note. */
  readonly note: DayNote | null;
  readonly blocks: readonly Block[];
  /** Bookings of earlier days that still occupy a bay, then those that begin on the day, by date. Includes cancelled ones. */
  readonly bookings: readonly Booking[];
}

export type At = Pick<Membership, 'workshopId' | 'timezone' | 'setupVersion'>;

/** As `readDay` and `readPlaced`. */
type ReadBookings<Booking> = (
  db: Queryable,
  workshopId: string,
  days: Days,
  atMost: number,
) => Promise<Booking[]>;

/** The first day, `YYYY-MM-DD`, and how many. */
export const datesFrom = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => addDays(from, n));

/** The business clock's date at the workshop. */
export const todayAt = ({ clock }: Pick<Context, 'clock'>, { timezone }: Pick<At, 'timezone'>): string =>
  dateAt(clock.now().getTime(), timezone);

/** Days before yesterday are seldom changed. The stream of changes begins ten seconds ago, and the page itself may be five seconds old by then. */
const pastAllowed = { maxAgeMs: 4_000 };

/** Whether days that end with `last` (`YYYY-MM-DD`) are all before yesterday: only then may they be read from a replica. */
const arePast = (source: Pick<Context, 'clock'>, at: Pick<At, 'timezone'>, last: string): boolean =>
  last < addDays(todayAt(source, at), -1);

/** Reads something of days that end with `last`: from a replica where they are all before yesterday. */
export const readOfDays = <T>(
  source: VisitReads,
  at: Pick<At, 'timezone'>,
  last: string,
  read: (db: Queryable) => Promise<T>,
): Promise<T> => (arePast(source, at, last) ? readOld(source, pastAllowed, read) : read(source.db));

/** How old the page of days that end with `last` may be: what it tells the stream of changes. */
export const behindOf = (
  source: VisitReads,
  at: Pick<At, 'timezone'>,
  last: string,
): { readonly behindMs?: number } =>
  source.replica !== null && arePast(source, at, last) ? { behindMs: pastAllowed.maxAgeMs } : {};

/** `count` days from `from` (`YYYY-MM-DD`) on. Throws 404 000002 where there is no such workshop. */
export async function readDays<Booking extends PlacedBooking>(
  source: VisitReads,
  { workshopId, timezone, setupVersion }: At,
  { from, count }: { readonly from: string; readonly count: number },
  readBookings: ReadBookings<Booking>,
): Promise<readonly ReadDay<Booking>[]> {
  const dates = datesFrom(from, count);
  const to = dates.at(-1) ?? from;
  const span = { start: localDay(from, timezone).start, end: localDay(to, timezone).end };
  const [rules, [bookings, blocks, notes]] = await Promise.all([
    rulesSince(source.db, workshopId, setupVersion),
    readOfDays(source, { timezone }, to, (db) =>
      Promise.all([
        readBookings(db, workshopId, span, count * dayAtMost),
        listBlocks(db, workshopId, new Date(span.start)),
        readDayNotes(db, workshopId, { from, to }),
      ]),
    ),
  ]);
  if (rules === null) throw new Problem('000002');
  return dates.map((date) => {
    const plan = rules.dayOn(date);
    const { start, end } = plan.day;
    return {
      plan,
      note: notes.find((note) => note.date === date) ?? null,
      blocks: blocks.filter((block) => block.from.getTime() < end && block.until.getTime() > start),
      bookings: bookings.filter((booking) => {
        const at = booking.date.getTime();
        return at < end && (at >= start || staysUntil(booking) > start);
      }),
    };
  });
}

const staysUntil = ({ occupiedUntil }: PlacedBooking): number => occupiedUntil?.getTime() ?? 0;
