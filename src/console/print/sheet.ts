/** What is printed of days: the hours, the note, closed bays, and the bookings by time. */
import { addDays, localDay } from '#base/values/local-day.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Block, listBlocks } from '#product/availability/blocks/store.ts';
import type { DayPlan } from '#product/availability/day.ts';
import { rulesSince } from '#product/availability/places/rules.ts';
import { type DayBooking, dayAtMost, readDay } from '#product/bookings/staff/day/store.ts';
import type { Membership } from '#product/people/sessions/store.ts';
import { readDayNotes } from '#product/workshops/day-notes/store.ts';

export interface SheetDay {
  readonly plan: DayPlan;
  /** Of the day; empty: there is none. */
  readonly note: string;
  readonly blocks: readonly Block[];
  /** Those that begin that day, and those of earlier days that are still there; none that was cancelled. */
  readonly bookings: readonly DayBooking[];
}

/** `count` days from `from` (`YYYY-MM-DD`) on, read together. */
export async function sheetOf(
  { db }: Pick<Context, 'db'>,
  { workshopId, timezone, setupVersion }: Pick<Membership, 'workshopId' | 'timezone' | 'setupVersion'>,
  from: string,
  count: number,
): Promise<readonly SheetDay[]> {
  const dates = Array.from({ length: count }, (_, n) => addDays(from, n));
  const to = dates.at(-1) ?? from;
  const span = { start: localDay(from, timezone).start, end: localDay(to, timezone).end };
  const [rules, bookings, blocks, notes] = await Promise.all([
    rulesSince(db, workshopId, setupVersion),
    readDay(db, workshopId, span, count * dayAtMost),
    listBlocks(db, workshopId, new Date(span.start)),
    readDayNotes(db, workshopId, { from, to }),
  ]);
  if (rules === null) throw new Problem('000002');
  const on = bookings.filter(({ status }) => status !== 'cancelled');
  return dates.map((date) => {
    const plan = rules.dayOn(date);
    const { start, end } = plan.day;
    return {
      plan,
      note: notes.find((note) => note.date === date)?.text ?? '',
      blocks: blocks.filter((block) => block.from.getTime() < end && block.until.getTime() > start),
      bookings: on.filter(
        (booking) =>
          booking.date.getTime() < end && (booking.date.getTime() >= start || staysUntil(booking) > start),
      ),
    };
  });
}

const staysUntil = ({ occupiedUntil }: DayBooking): number => occupiedUntil?.getTime() ?? 0;
