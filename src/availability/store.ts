/** SQL of availabilities: a workshop's schedule with its limits, and what bookings use on some days. */
import { limitsFor } from '#catalogue/store.ts';
import type { Queryable } from '#db/database.ts';
import type { LocalDay } from '#values/local-day.ts';
import { blockTallies } from './blocks/store.ts';
import { type CustomDay, defaultHours, type Schedule, type WeeklyHours } from './schedule.ts';
import type { UsageRows } from './usage.ts';
import type { HeldLimit, Limits, WishedService } from './wish.ts';

/** SQL: the columns of the workshop row `w` that make up a schedule. */
export const scheduleColumns = `w.timezone, w.slot_minutes AS "slotMinutes", w.bays, w.lead_time_minutes AS "leadTimeMinutes",
  w.horizon_days AS "horizonDays", w.opening_hours AS hours, w.pickup_times AS "pickupTimes"`;

/** SQL: custom days of the workshop row `w` as JSON, by date. */
export function customDaysJson(condition: string): string {
  return `(SELECT coalesce(json_agg(json_build_object('date', day, 'hours', hours, 'bays', bays, 'pickupTimes', pickup_times,
            'note', note) ORDER BY day), '[]') FROM custom_day WHERE workshop_id = w.id AND ${condition})`;
}

export interface ScheduleQuery {
  readonly partnerId: string;
  readonly workshopId: string;
  /** The first and the last date whose custom days are read. */
  readonly from: string;
  readonly to: string;
  /** A service to read beside those that have a limit. */
  readonly serviceId: string | null;
}

interface ScheduleRow extends Omit<Schedule, 'hours' | 'custom'> {
  readonly linkActive: boolean;
  readonly enforced: boolean;
  /** Null when hours were never set. */
  readonly hours: WeeklyHours | null;
  readonly custom: readonly CustomDay[];
  readonly categoryLimits: Readonly<Record<string, number>>;
  readonly services: readonly (WishedService & {
    readonly id: string;
    readonly dailyLimit: number | null;
    readonly active: boolean;
  })[];
}

export interface FoundSchedule {
  readonly linkActive: boolean;
  /** Whether bookings must fit the slots. */
  readonly enforced: boolean;
  readonly schedule: Schedule;
  readonly limits: Limits;
  /** The requested active service; null when there is none. */
  readonly service: WishedService | null;
}

/** The schedule of a workshop that the partner is linked to; null for any other workshop. */
export async function readSchedule(db: Queryable, query: ScheduleQuery): Promise<FoundSchedule | null> {
  const [row] = await db.query<ScheduleRow>(
    `SELECT l.active AS "linkActive", w.enforce_availability AS enforced, ${scheduleColumns},
            ${customDaysJson('day BETWEEN $3::date AND $4::date')} AS custom, ${limitsFor('w.id', '$5::uuid')}
       FROM link l JOIN workshop w ON w.id = l.workshop_id WHERE l.partner_id = $1 AND l.workshop_id = $2`,
    [query.partnerId, query.workshopId, query.from, query.to, query.serviceId],
  );
  if (row === undefined) return null;
  const { linkActive, enforced, hours, services, categoryLimits, ...rest } = row;
  const limited = services.flatMap(({ id, dailyLimit }) =>
    dailyLimit === null ? [] : [[id, dailyLimit] as const],
  );
  return {
    linkActive,
    enforced,
    schedule: { ...rest, hours: hours ?? defaultHours },
    limits: { services: new Map(limited), categories: new Map(Object.entries(categoryLimits)) },
    service: services.find(({ id, active }) => active && id === query.serviceId) ?? null,
  };
}

export interface UsageQuery {
  readonly workshopId: string;
  /** One after the other without a gap, at least one: a booking counts on the last of them that begins before it. */
  readonly days: readonly LocalDay[];
  /** The limits whose bookings are counted; without any, only the occupied bays are read. */
  readonly limits: readonly Pick<HeldLimit, 'kind' | 'key'>[];
}

/** The two sorts of occupied ranges that overlap the time from $2 to $3; each has an index of its own. */
const overlapping = [
  `occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz - interval '24 hours'`,
  `occupied_until - occupied_from > interval '24 hours'`,
].map((sort) => `workshop_id = $1 AND ${sort} AND occupied_from < $3 AND occupied_until > $2`);

const milliseconds = (at: string) => `(extract(epoch FROM ${at}) * 1000)::bigint`;

/** SQL: a JSON list with one entry for each group of bookings; each sort is grouped by itself, in the order of its index. */
function grouped(entry: string, groups: string, which = 'true', further: readonly string[] = []): string {
  const sorts = overlapping.map(
    (those) => `SELECT ${entry} AS entry FROM booking WHERE ${those} AND ${which} GROUP BY ${groups}`,
  );
  return `(SELECT coalesce(json_agg(entry), '[]') FROM (${[...sorts, ...further].join(' UNION ALL ')}) AS grouped)`;
}

const day = 'width_bucket(occupied_from, $4::timestamptz[])';
const tallies = grouped(
  `json_build_array(${milliseconds('occupied_from')}, ${milliseconds('occupied_until')}, count(*))`,
  'GROUPING SETS ((occupied_from), (occupied_until))',
  'true',
  blockTallies(milliseconds),
);
const booked = grouped(
  `json_build_array(${day}, counted_services, counted_categories, count(*))`,
  `${day}, counted_services, counted_categories`,
  '(counted_services && $5::uuid[] OR counted_categories && $6::text[])',
);

interface UsageRow {
  /** Each group has either `begins` or `ends`. */
  readonly tallies: readonly (readonly [begins: number | null, ends: number | null, bookings: number])[];
  /** The day counts from 1; 0 is before the first. */
  readonly booked?: readonly (readonly [
    day: number,
    services: readonly (string | null)[],
    categories: readonly string[],
    bookings: number,
  ])[];
}

/** What bookings occupy on these days. The caller has checked that the workshop may be read. */
export async function readUsage(db: Queryable, query: UsageQuery): Promise<UsageRows> {
  const { workshopId, days, limits } = query;
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('no day is asked about');
  const range = [workshopId, new Date(first.start), new Date(last.end)];
  const keysOf = (wanted: HeldLimit['kind']) =>
    limits.filter(({ kind }) => kind === wanted).map(({ key }) => key);
  const [row] = await (limits.length > 0
    ? db.query<UsageRow>(`SELECT ${tallies} AS tallies, ${booked} AS booked`, [
        ...range,
        days.map(({ start }) => new Date(start)),
        keysOf('service'),
        keysOf('category'),
      ])
    : db.query<UsageRow>(`SELECT ${tallies} AS tallies`, range));
  if (row === undefined) throw new Error('usage gave no row');
  return {
    begins: row.tallies.flatMap(([begins, , bookings]) =>
      begins === null ? [] : [[begins, bookings] as const],
    ),
    ends: row.tallies.flatMap(([, ends, bookings]) => (ends === null ? [] : [[ends, bookings] as const])),
    booked: (row.booked ?? []).flatMap(([number, services, categories, bookings]) => {
      const date = days[number - 1]?.date;
      const items = services.map((id, n) => ({ id, category: categories[n] ?? '' }));
      return date === undefined ? [] : [{ date, services: items, bookings }];
    }),
  };
}
