/** The hours at which tests are strained: what reckons with days, months and offsets goes wrong there, if it does. */

export interface Hour {
  readonly name: string;
  /** Milliseconds from the present time. */
  readonly fromNowMs: number;
}

/** Where the switches are: the time zone of the demo, and of most tests. */
const zone = 'Australia/Melbourne';
const minutesBefore = 20;

/** The next one of each, after `now`. */
export function strainHours(now: Temporal.Instant): readonly Hour[] {
  const utc = now.toZonedDateTimeISO('UTC');
  const local = now.toZonedDateTimeISO(zone);
  const night = local.getTimeZoneTransition('next')?.subtract({ minutes: minutesBefore });
  // Of January: a month later there is no such day.
  const month = (years: number) =>
    local.with({ month: 1, day: 31, ...{ hour: 12, minute: 0, second: 0 } }).add({ years });
  const lastDay = month(0).toInstant().since(now).sign > 0 ? month(0) : month(1);
  const late = utc.with({ ...{ hour: 23, minute: 50, second: 0 } });
  const hours = [
    { name: `the night of a switch in ${zone}`, at: night },
    { name: 'the last day of a month', at: lastDay },
    { name: '23:50 UTC', at: late.add({ days: late.toInstant().since(now).sign > 0 ? 0 : 1 }) },
  ];
  return hours.flatMap(({ name, at }) =>
    at ? [{ name, fromNowMs: Math.round(at.toInstant().since(now).total('milliseconds')) }] : [],
  );
}
