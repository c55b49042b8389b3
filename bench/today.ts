/** Today of a workshop with 10,000 bookings a month, beside the partner's list of bookings. */
import { type BusyDesk, busyDeskRows } from './busy-desk.ts';
import type { Row } from './report.ts';

/** The list takes so much of what Today may take. */
const ratioAtLeast = 0.25;

export async function todayRow(desk: BusyDesk): Promise<Row> {
  const many = desk.bookings.toLocaleString('en');
  const name = (aDay: number) => `Today of ${aDay} bookings, ${many} a month`;
  const [row] = await busyDeskRows(desk, [{ name, path: 'today', ratioAtLeast }]);
  if (row === undefined) throw new Error('nothing was measured');
  return row;
}
