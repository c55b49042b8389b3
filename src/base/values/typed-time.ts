/** Times as staff type them at the command line, in the workshop's zone. */
import { parseInstant } from './instant.ts';
import { addDays, dateAt } from './local-day.ts';
import { parseLocalTime } from './local-time.ts';

/** What refusals and help texts name. */
export const typedTimeForms = '2030-03-03, "2030-03-03 09:30", "tomorrow 9:30" or "today 2:30 pm"';
export const typedDayForms = 'today, tomorrow, or a date such as 2030-03-03';

const dayWord = String.raw`today|tomorrow|\d{4}-\d\d-\d\d`;
const form = new RegExp(String.raw`^(${dayWord})(?:[ T]+(?:at +)?(\d{1,2})(?::(\d\d))? ?([ap]m)?)?$`, 'i');

/** The local date `YYYY-MM-DD` of `today`, `tomorrow` or a date; null for anything else. */
export function parseTypedDay(text: string, timezone: string, now: Date): string | null {
  const word = text.trim().toLowerCase();
  const today = dateAt(now.getTime(), timezone);
  if (word === 'today') return today;
  if (word === 'tomorrow') return addDays(today, 1);
  return /^\d{4}-\d\d-\d\d$/.test(word) && parseLocalTime(word, timezone) !== null ? word : null;
}

/**
 * The instant of a day (`2030-03-03`, `today`, `tomorrow`), with a time (`9:30`, `09:30`, `9 am`, `2:30 pm`) or of its first instant, in
 * the zone; or of a time in RFC 3339. Null for anything else.
 */
export function parseTypedTime(text: string, timezone: string, now: Date): Date | null {
  const [matched, day = '', hour, minutes, half] = form.exec(text.trim()) ?? [];
  if (matched === undefined) return parseInstant(text);
  const date = parseTypedDay(day, timezone, now);
  if (date === null || hour === undefined) return date === null ? null : parseLocalTime(date, timezone);
  // `2030-03-03 9` may be a slip of the finger: an hour alone needs am or pm.
  if (minutes === undefined && half === undefined) return null;
  const hours = hourOf(Number(hour), half?.toLowerCase());
  if (hours === null) return null;
  return parseLocalTime(`${date} ${String(hours).padStart(2, '0')}:${minutes ?? '00'}`, timezone);
}

/** Of 24; null when there is no such hour. */
function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

interface TypedPeriod {
  /** Null where none was typed, or it is wrong. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** What is wrong, by the option's name. */
  readonly errors: readonly { readonly field: 'from' | 'to'; readonly message: string }[];
}

/** The options `from` and `to`, each as `parseTypedTime` takes it. */
export function parseTypedPeriod(
  typed: { readonly from?: string; readonly to?: string },
  timezone: string,
  now: Date,
): TypedPeriod {
  const errors: TypedPeriod['errors'][number][] = [];
  const instant = (field: 'from' | 'to') => {
    const text = typed[field];
    if (text === undefined) return null;
    const at = parseTypedTime(text, timezone, now);
    if (at === null) errors.push({ field, message: notTyped });
    return at;
  };
  return { from: instant('from'), to: instant('to'), errors };
}

/** What is said of a text that `parseTypedTime` does not take. */
export const notTyped = `must be like ${typedTimeForms}`;
