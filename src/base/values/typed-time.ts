/** Times as staff type them at the command line, in the workshop's zone. */
import { parseInstant } from './instant.ts';
import { addDays, dateAt } from './local-day.ts';
import { type ClockFault, clockFault, parseLocalTime } from './local-time.ts';

/** The forms of a time that refusals and help texts name. */
export const typedTimeForms = '2030-03-03, "2030-03-03 09:30", "tomorrow 9:30" or "today 2:30 pm"';
export const typedDayForms = 'today, tomorrow, or a date such as 2030-03-03';

const dayWord = String.raw`today|tomorrow|\d{4}-\d\d-\d\d`;
const form = new RegExp(
  String.raw`^(${dayWord})(?:[ T]+(?:at +)?(\d{1,2})(?::(\d\d))? ?([ap]m)?(?: +(first|second))?)?$`,
  'i',
);

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
 * the zone; or of a time in RFC 3339. Null for anything else. At a change of daylight saving as `parseLocalTime`: of a time that comes twice
 * `first` or `second` behind it says which.
 */
export function parseTypedTime(text: string, timezone: string, now: Date): Date | null {
  const local = localTyped(text, timezone, now);
  if (local === undefined) return parseInstant(text);
  return local && parseLocalTime(local.text, timezone, local.which);
}

/** Why clocks don't say when it is: they skip the time that was typed, or show it twice and nobody has said which is meant. */
export function typedClockFault(text: string, timezone: string, now: Date): ClockFault | null {
  const local = localTyped(text, timezone, now);
  // A date alone means its first instant, whatever clocks show then.
  if (!local?.text.includes(' ') || parseLocalTime(local.text, timezone) === null) return null;
  const fault = clockFault(local.text, timezone);
  return fault === 'twice' && local.which !== undefined ? null : fault;
}

/** As `parseLocalTime` takes it; null: it is no time, undefined: it has another form. */
function localTyped(text: string, timezone: string, now: Date) {
  const [matched, day = '', hour, minutes, half, ordinal] = form.exec(text.trim()) ?? [];
  if (matched === undefined) return undefined;
  const date = parseTypedDay(day, timezone, now);
  if (date === null || hour === undefined) return date === null ? null : { text: date };
  // `2030-03-03 9` may be a slip of the finger: an hour alone needs am or pm.
  if (minutes === undefined && half === undefined) return null;
  const hours = hourOf(Number(hour), half?.toLowerCase());
  if (hours === null) return null;
  const which = ordinal?.toLowerCase() as 'first' | 'second' | undefined;
  const local = `${date} ${String(hours).padStart(2, '0')}:${minutes ?? '00'}`;
  return { text: local, ...(which && { which }) };
}

/** Returns the hour of 24; null when there is no such hour. */
function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

interface TypedPeriod {
  /** Null where none was typed, or it is wrong. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** The faults, by the option's name. */
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

/** The message about a text that `parseTypedTime` refuses. */
export const notTyped = `must be like ${typedTimeForms}`;

/** The message about a time that clocks don't show exactly once. */
export const clockFaults: Readonly<Record<ClockFault, string>> = {
  skipped: 'is skipped that day, as clocks go forward',
  twice: 'comes twice that day, as clocks go back: say whether the first or the second is meant',
};
