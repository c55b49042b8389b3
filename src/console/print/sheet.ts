/** The printed data of days: hours, note, closed bays, and bookings by time. */
import { type DayBooking, readDay } from '#product/bookings/staff/day/store.ts';
import { type At, type ReadDay, readDays } from '../days/read.ts';
import type { VisitReads } from '../frame/old-reads.ts';

/** Its bookings that are not cancelled. */
export type SheetDay = ReadDay<DayBooking>;

/** `count` days from `from` (`YYYY-MM-DD`) on, read together. */
export async function sheetOf(
  source: VisitReads,
  at: At,
  from: string,
  count: number,
): Promise<readonly SheetDay[]> {
  const days = await readDays(source, at, { from, count }, readDay);
  return days.map(({ bookings, ...day }) => ({
    ...day,
    bookings: bookings.filter(({ status }) => status !== 'cancelled'),
  }));
}
