/** A week of opening hours on one line. */

import { type Weekday, weekdays } from '#base/values/weekday.ts';
import type { TimeRange } from '#product/availability/schedule.ts';

/** `Mon to Fri 08:00-17:00; Sat 08:00-12:00, 13:00-15:00; Sun closed`: consecutive days with equal hours are grouped. */
export function hoursInWords(hours: Readonly<Record<Weekday, readonly TimeRange[]>>): string {
  const runs: { readonly first: Weekday; last: Weekday; readonly times: string }[] = [];
  for (const day of weekdays) {
    const times = hours[day].map(({ from, to }) => `${from}-${to}`).join(', ') || 'closed';
    const before = runs.at(-1);
    if (before?.times === times) before.last = day;
    else runs.push({ first: day, last: day, times });
  }
  return runs
    .map(
      ({ first, last, times }) =>
        `${first === last ? short(first) : `${short(first)} to ${short(last)}`} ${times}`,
    )
    .join('; ');
}

const short = (day: Weekday) => day.charAt(0).toUpperCase() + day.slice(1, 3);
