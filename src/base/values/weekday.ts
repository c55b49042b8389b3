/** The days of the week, from Monday, as settings name them. */

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** Returns the weekday of a date `YYYY-MM-DD`. */
export function weekdayOf(date: string): Weekday {
  const weekday = weekdays[Temporal.PlainDate.from(date).dayOfWeek - 1];
  if (weekday === undefined) throw new RangeError(`${date} has no weekday`);
  return weekday;
}
