/** Rows that retention deletes: past their age when the run begins, as if an hour of writes had been kept for as long as the settings say. */
import type { Rows } from './rows.ts';
import { eventRows, noticeRows } from './rows.ts';
import { bookingsOfWorkshop } from './shape.ts';

/** Notices are kept for 90 days, events, deliveries and the feed for 30. */
const agedTo = (days: number) =>
  `growth.loaded_at() - interval '${days} days' - (${bookingsOfWorkshop} - n) * interval '0.7 seconds'`;

/** Of that many bookings of each workshop. */
export function expiredRows(ofWorkshop: number): Rows[] {
  const range = { from: bookingsOfWorkshop - ofWorkshop, to: bookingsOfWorkshop };
  return [...noticeRows(range, agedTo(90)), ...eventRows(range, agedTo(30))];
}
