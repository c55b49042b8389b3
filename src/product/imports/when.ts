/** Dates and times of a file, in the workshop's zone. An ambiguous value is refused, never guessed. */
import { parseInstant } from '#base/values/instant.ts';
import { dateAt } from '#base/values/local-day.ts';
import { clockFault, parseLocalTime } from '#base/values/local-time.ts';
import { clockFaults } from '#base/values/typed-time.ts';
import { isoOf, noDayMessage, type Reading, typedDay, whenAtMost } from './days.ts';

export interface Clockwork extends Reading {
  readonly timezone: string;
}

/** The date and time of a row: at least a date, or both in one field. */
export interface TypedWhen {
  readonly date?: string | undefined;
  readonly time?: string | undefined;
  readonly dateTime?: string | undefined;
}

export type When =
  | { readonly at: Date }
  | { readonly field: 'date' | 'time' | 'dateTime'; readonly message: string };

const timeForm =
  /^(?:at +)?(\d{1,2})(?:[:.h](\d\d)(?::\d\d(?:\.\d+)?)?)? *(a\.?m\.?|p\.?m\.?)?(?: +(first|second))?$/i;
const offsetForm = /^(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

const noTime = 'is no time: write 14:30 or 2:30 pm';

export function readWhen(typed: TypedWhen, { timezone, ...reading }: Clockwork): When {
  const { date, dateTime } = typed;
  const field = date === undefined ? 'dateTime' : 'date';
  const text = date ?? dateTime ?? '';
  const day = typedDay(text);
  if (day === null) return { field, message: noDayMessage(text) };
  const local = isoOf(day, reading);
  if (typeof local !== 'string') return { field, message: local.message };
  // A column Start beside a column Date has the time.
  const time = typed.time ?? (date === undefined ? undefined : dateTime);
  const clock = time === undefined ? day.rest : (typedDay(time)?.rest ?? time);
  const ofTime = time === undefined ? field : typed.time === undefined ? 'dateTime' : 'time';
  if (clock === undefined) return alone(local, field, timezone, reading.now);
  if (clock.length > whenAtMost) return { field: ofTime, message: noTime };
  const [, hours, seconds = ':00', offset] = offsetForm.exec(clock) ?? [];
  if (offset !== undefined) {
    const at = parseInstant(`${local}T${hours}${seconds}${offset.toUpperCase()}`);
    return at === null ? { field: ofTime, message: noTime } : { at };
  }
  return onClock(local, clock, ofTime, timezone);
}

/** A past date needs no time; a future one does. */
function alone(local: string, field: 'date' | 'dateTime', timezone: string, now: Date): When {
  if (local >= dateAt(now.getTime(), timezone))
    return { field, message: 'has no time, which a booking that is to come needs' };
  return at(`${local} 12:00`, field, timezone, undefined);
}

function onClock(local: string, text: string, field: 'date' | 'time' | 'dateTime', timezone: string): When {
  const [matched, hour = '', minutes, half, which] = timeForm.exec(text.trim()) ?? [];
  const hours = hourOf(Number(hour), half);
  // A number alone is not a time.
  if (matched === undefined || hours === null || (minutes === undefined && half === undefined))
    return { field, message: noTime };
  const clock = `${String(hours).padStart(2, '0')}:${minutes ?? '00'}`;
  return at(`${local} ${clock}`, field, timezone, which?.toLowerCase() as 'first' | 'second' | undefined);
}

function at(
  text: string,
  field: 'date' | 'time' | 'dateTime',
  timezone: string,
  which: 'first' | 'second' | undefined,
): When {
  const instant = parseLocalTime(text, timezone, which);
  if (instant === null) return { field, message: noTime };
  const fault = clockFault(text, timezone);
  if (fault === null || (fault === 'twice' && which !== undefined)) return { at: instant };
  const wayOut = fault === 'twice' ? ': write first or second behind it' : '';
  return {
    field,
    message: fault === 'twice' ? clockFaults.twice.replace(/:.*/, wayOut) : clockFaults[fault],
  };
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
}
