/** The report of a workshop that has had 10,000 bookings a month for a year, beside the partner's list of bookings. */
import { type BusyDesk, busyDeskRows } from './busy-desk.ts';
import type { Row } from './report.ts';

/** The list takes so much of what the report of the last four weeks may take. */
const ratioAtLeast = 0.1;

/** A year, so that each period that the page offers is full. */
const daysBefore = 370;

export function workshopReportRows(desk: BusyDesk): Promise<Row[]> {
  const many = desk.bookings.toLocaleString('en');
  return busyDeskRows({ ...desk, daysBefore }, [
    { name: () => `The report of 4 weeks, ${many} bookings a month`, path: 'report', ratioAtLeast },
    { name: () => `The report of 12 months, ${many} bookings a month`, path: 'report?period=12-months' },
  ]);
}
