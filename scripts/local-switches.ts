/** The days of 2030 on which zones change their clocks, and moments round each change. */

const australian = Intl.supportedValuesOf('timeZone').filter((zone) => zone.startsWith('Australia/'));
const territories = ['Antarctica/Macquarie', 'Indian/Christmas', 'Indian/Cocos', 'Pacific/Norfolk'];
export const zones = [
  ...australian,
  ...territories,
  'Asia/Kathmandu',
  'America/New_York',
  'America/Santiago',
];

const minuteMs = 60_000;
const start = Temporal.Instant.from('2030-01-01T00:00:00Z');

export interface LocalSwitch {
  readonly zone: string;
  /** The local day; `from` and `to` are its first instant and that of the next day. */
  readonly date: string;
  readonly from: string;
  readonly to: string;
  /** `02:00 → 03:00` */
  readonly clocks: string;
  /** The instant of the change, and by how much clocks are moved; 0: not at all. */
  readonly at: number;
  readonly movedMinutes: number;
  /** The first clock time that is skipped, or comes twice. */
  readonly wall: string;
  /** Hours round it. */
  readonly opens: string;
  readonly closes: string;
}

/** The two of the year, or one day without any. */
export function switchesOf(zone: string): LocalSwitch[] {
  const first = start.toZonedDateTimeISO(zone).getTimeZoneTransition('next');
  if (first === null || first.year > 2030) {
    return [described(zone, Temporal.ZonedDateTime.from(`2030-04-07T02:00[${zone}]`))];
  }
  const second = first.getTimeZoneTransition('next');
  return [first, ...(second === null ? [] : [second])].map((at) => described(zone, at));
}

function described(zone: string, after: Temporal.ZonedDateTime): LocalSwitch {
  const before = after.subtract({ nanoseconds: 1 });
  const movedMinutes = (after.offsetNanoseconds - before.offsetNanoseconds) / 60e9;
  // What clocks would show at the instant, had they not been moved; of those that go back, what they show then.
  const unmoved = after.toPlainDateTime().subtract({ minutes: movedMinutes });
  const wall = movedMinutes < 0 ? after.toPlainDateTime() : unmoved;
  const day = (movedMinutes < 0 ? before : after).startOfDay();
  const next = day.toPlainDate().add({ days: 1 }).toZonedDateTime(zone);
  const clock = (minutes: number) => {
    const bounded = Math.min(Math.max(minutes, 0), 24 * 60 - 1);
    return Temporal.PlainTime.from('00:00').add({ minutes: bounded }).toString({ smallestUnit: 'minute' });
  };
  const minute = wall.hour * 60 + wall.minute;
  const time = (local: Temporal.PlainDateTime) => local.toPlainTime().toString({ smallestUnit: 'minute' });
  return {
    zone,
    date: day.toPlainDate().toString(),
    from: sent(day.epochMilliseconds, zone),
    to: sent(next.epochMilliseconds, zone),
    clocks: movedMinutes === 0 ? 'not changed' : `${time(unmoved)} → ${time(after.toPlainDateTime())}`,
    at: after.epochMilliseconds,
    movedMinutes,
    wall: clock(minute),
    opens: clock(minute - 60),
    closes: clock(minute + 120),
  };
}

/** An instant with an offset: the zone's own, unless another is given. */
export function sent(at: number, zone: string, offsetOf = at): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(at);
  const { offset } = Temporal.Instant.fromEpochMilliseconds(offsetOf).toZonedDateTimeISO(zone);
  return instant.toString({ timeZone: offset, smallestUnit: 'second' });
}

/** A quarter of an hour before the change, a quarter into what is skipped or comes twice, each time, and half an hour after that. */
export function momentsOf({ zone, at, movedMinutes }: LocalSwitch): { text: string; at: number }[] {
  const quarter = 15 * minuteMs;
  const moment = (when: number, offsetOf = when) => ({ text: sent(when, zone, offsetOf), at: when });
  if (movedMinutes === 0) return [moment(at + quarter)];
  if (movedMinutes > 0) {
    return [moment(at - quarter), moment(at + quarter, at - 1), moment(at + 2 * quarter)];
  }
  const twice = at + movedMinutes * minuteMs;
  const over = at - movedMinutes * minuteMs;
  return [moment(twice - quarter), moment(twice + quarter), moment(at + quarter), moment(over + 2 * quarter)];
}
