/** SQL of availabilities: a workshop's schedule with its limits, and what bookings use on some days. */
import { limitsFor } from '#catalogue/store.ts';
import type { Queryable } from '#db/database.ts';
import type { LocalDay } from '#values/local-day.ts';
import { blockedText } from './blocks/store.ts';
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
  /** The services with a limit of their own: under no category's. */
  readonly limited: Pick<Limits['services'], 'keys'>;
}

/** The two sorts of occupied ranges that overlap the time from $2 to $3; each has an index of its own. */
const overlapping = [
  `occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz - interval '24 hours'`,
  `occupied_until - occupied_from > interval '24 hours'`,
].map((sort) => `workshop_id = $1 AND ${sort} AND occupied_from < $3 AND occupied_until > $2`);

const milliseconds = (at: string) => `(date_part('epoch', ${at}) * 1000)::bigint`;

/** SQL: whether a booking counts under the limit `key`; `limited` are the services with a limit of their own. */
const countsUnder: Readonly<Record<HeldLimit['kind'], (key: string, limited: string) => string>> = {
  service: (key) => `${key}::uuid = ANY (counted_services)`,
  category: (key, limited) => {
    const isFree = (service: string) => `(${service} IS NULL OR ${service} <> ALL (${limited}::uuid[]))`;
    // Most have one item, which is quicker to look at.
    return `CASE WHEN cardinality(counted_categories) = 1 THEN counted_categories[1] = ${key} AND ${isFree('counted_services[1]')}
    ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
                  WHERE category = ${key} AND ${isFree('service')}) END`;
  },
};

/** Each sort is grouped in the order of its index, in one pass; the lists have an entry for each group. */
function usageText(limits: UsageQuery['limits']): string {
  const limited = `$${limits.length + 4}`;
  const counts = limits.map(
    ({ kind }, n) => `count(*) FILTER (WHERE ${countsUnder[kind](`$${n + 4}`, limited)}) AS counted_${n}`,
  );
  const groups = overlapping.map(
    (those) => `SELECT ${['occupied_from', 'occupied_until', 'count(*) AS bookings', ...counts].join(', ')}
      FROM booking WHERE ${those} GROUP BY occupied_from, occupied_until`,
  );
  groups.push(blockedText(limits.length));
  const lists = limits.map((_, n) => `json_agg(counted_${n})`);
  return `SELECT json_agg(${milliseconds('occupied_from')}) AS begins, json_agg(${milliseconds('occupied_until')}) AS ends,
      json_agg(bookings) AS bookings, json_build_array(${lists.join(', ')}) AS counted FROM (${groups.join(' UNION ALL ')}) AS groups`;
}

/** Without any booking the lists are null. */
interface UsageRow {
  readonly begins: readonly number[] | null;
  readonly ends: readonly number[] | null;
  readonly bookings: readonly number[] | null;
  /** Of each limit. */
  readonly counted: readonly (readonly number[] | null)[];
}

/** What bookings occupy on these days. The caller has checked that the workshop may be read. */
export async function readUsage(db: Queryable, query: UsageQuery): Promise<UsageRows> {
  const { workshopId, days, limits, limited } = query;
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('no day is asked about');
  const [row] = await db.query<UsageRow>(usageText(limits), [
    ...[workshopId, new Date(first.start), new Date(last.end)],
    ...limits.map(({ key }) => key),
    ...(limits.some(({ kind }) => kind === 'category') ? [[...limited.keys()]] : []),
  ]);
  const { begins, ends, bookings, counted } = row ?? { counted: [] };
  const tallies = (instants: readonly number[] | null | undefined) =>
    (instants ?? []).map((instant, n) => [instant, bookings?.[n] ?? 0] as const);
  const booked = limits.flatMap(({ key }, which) =>
    (counted[which] ?? []).flatMap((number, n) => {
      const day = number > 0 ? days.findLast(({ start }) => start <= (begins?.[n] ?? 0)) : undefined;
      return day === undefined ? [] : [{ date: day.date, key, bookings: number }];
    }),
  );
  return { begins: tallies(begins), ends: tallies(ends), booked };
}
