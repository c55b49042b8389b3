/** Dates without a time, as people and forms write them. */

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).year > 0;
  } catch {
    return false;
  }
}
