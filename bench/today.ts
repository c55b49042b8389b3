/** Today and Week of a workshop with 10,000 bookings a month, beside the partner's list of bookings. */
import { type BusyDesk, busyDeskRows } from './busy-desk.ts';
import type { Row } from './report.ts';

/** The list takes so much of what the page may take. */
const ratios = { today: 0.25, week: 0.125 } as const;

export function todayRows(desk: BusyDesk): Promise<readonly Row[]> {
  const many = desk.bookings.toLocaleString('en');
  return busyDeskRows(desk, [
    {
      name: (aDay) => `Today of ${aDay} bookings, ${many} a month`,
      path: 'today',
      ratioAtLeast: ratios.today,
    },
    {
      name: (aDay) => `Week of ${7 * aDay} bookings, ${many} a month`,
      path: 'week',
      ratioAtLeast: ratios.week,
    },
  ]);
}
