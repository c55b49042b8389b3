/** Days of a workshop as Today, Week and paper read them: the hours, the note, closed bays and bookings of each. One statement of each kind for all of them. */
import { addDays, dateAt, localDay } from '#base/values/local-day.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type Block, listBlocks } from '#product/availability/blocks/store.ts';
import type { DayPlan } from '#product/availability/day.ts';
import { rulesSince } from '#product/availability/places/rules.ts';
import { type Days, dayAtMost, type PlacedBooking } from '#product/bookings/staff/day/store.ts';
import type { Membership } from '#product/people/sessions/store.ts';
import { type DayNote, readDayNotes } from '#product/workshops/day-notes/store.ts';

export interface ReadDay<Booking extends PlacedBooking> {
  readonly plan: DayPlan;
  /** Null: nobody has noted anything. */
  readonly note: DayNote | null;
  readonly blocks: readonly Block[];
  /** Those that begin that day, by their date, after those of earlier days that are still there. Cancelled ones too. */
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

/** `YYYY-MM-DD`: so many from that one on. */
export const datesFrom = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => addDays(from, n));

/** The business clock's date at the workshop. */
export const todayAt = ({ clock }: Pick<Context, 'clock'>, { timezone }: Pick<At, 'timezone'>): string =>
  dateAt(clock.now().getTime(), timezone);

/** `count` days from `from` (`YYYY-MM-DD`) on. Throws 404 000002 where there is no such workshop. */
export async function readDays<Booking extends PlacedBooking>(
  { db }: Pick<Context, 'db'>,
  { workshopId, timezone, setupVersion }: At,
  { from, count }: { readonly from: string; readonly count: number },
  readBookings: ReadBookings<Booking>,
): Promise<readonly ReadDay<Booking>[]> {
  const dates = datesFrom(from, count);
  const to = dates.at(-1) ?? from;
  const span = { start: localDay(from, timezone).start, end: localDay(to, timezone).end };
  const [rules, bookings, blocks, notes] = await Promise.all([
    rulesSince(db, workshopId, setupVersion),
    readBookings(db, workshopId, span, count * dayAtMost),
    listBlocks(db, workshopId, new Date(span.start)),
    readDayNotes(db, workshopId, { from, to }),
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
