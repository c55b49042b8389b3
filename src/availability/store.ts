/** SQL of availabilities: a workshop's schedule with its limits, and what bookings use of some days. */
import { limitsFor } from '#catalogue/store.ts';
import type { Queryable } from '#db/database.ts';
import type { LocalDay } from '#values/local-day.ts';
import { type CustomDay, defaultHours, type Schedule, type WeeklyHours } from './schedule.ts';
import type { UsageRows } from './usage.ts';
import type { HeldLimit, Limits, WishedService } from './wish.ts';

/** SQL: the columns of the workshop row `w` that a schedule is made of. */
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
  /** A service to be read beside those that have a limit. */
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
  /** Whether bookings are held to the slots. */
  readonly enforced: boolean;
  readonly schedule: Schedule;
  readonly limits: Limits;
  /** The active service that was asked for; null when there is none. */
  readonly service: WishedService | null;
}

/** The schedule of a workshop that the partner is linked to; null for any other. */
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
  /** One after the other, at least one. */
  readonly days: readonly LocalDay[];
  /** What is counted; nothing for a wish without limits. */
  readonly counted: readonly Pick<HeldLimit, 'kind' | 'key'>[];
  /** The services that have a limit of their own, and so don't count under their category. */
  readonly limitedServices: readonly string[];
}

const milliseconds = (at: string) => `(extract(epoch FROM ${at}) * 1000)::bigint`;
const tallies = (at: string) =>
  `(SELECT coalesce(json_agg(json_build_array(${milliseconds('at')}, bookings)), '[]')
      FROM (SELECT ${at} AS at, count(*) AS bookings FROM taken GROUP BY ${at}) AS tally)`;

/**
 * SQL: true of a booking `b` that counts under a limit, `kind` and `key`; `limited` are the services that have one of their own.
 */
const countsUnder = (kind: string, key: string, limited: string) => `CASE
  WHEN ${kind} = 'service' THEN ${key}::uuid = ANY (b.counted_services)
  WHEN NOT ${key} = ANY (b.counted_categories) THEN false
  WHEN NOT b.counted_services && ${limited} THEN true
  ELSE EXISTS (SELECT FROM unnest(b.counted_services, b.counted_categories) AS item (service, category)
                WHERE category = ${key} AND (service IS NULL OR service <> ALL (${limited}))) END`;

const usageText = `WITH taken AS MATERIALIZED (
    SELECT occupied_from, occupied_until FROM booking
     WHERE workshop_id = $1 AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $3
       AND occupied_until > $2 AND occupied_until - occupied_from <= interval '24 hours'
    UNION ALL
    SELECT occupied_from, occupied_until FROM booking
     WHERE workshop_id = $1 AND occupied_until > $2 AND occupied_from < $3
       AND occupied_until - occupied_from > interval '24 hours'),
  counted AS (
    SELECT day.date, wanted.key, count(*) AS bookings
      FROM unnest($4::text[], $5::timestamptz[], $6::timestamptz[]) AS day (date, begins, ends)
     CROSS JOIN unnest($7::text[], $8::text[]) AS wanted (kind, key)
      JOIN booking b ON b.workshop_id = $1 AND b.occupied_from >= day.begins AND b.occupied_from < day.ends
       AND ${countsUnder('wanted.kind', 'wanted.key', '$9::uuid[]')}
     GROUP BY day.date, wanted.key)
  SELECT ${tallies('occupied_from')} AS begins, ${tallies('occupied_until')} AS ends,
         (SELECT coalesce(json_agg(counted), '[]') FROM counted) AS counts`;

/** What bookings use of these days of a workshop that the caller may ask about. */
export async function readUsage(db: Queryable, query: UsageQuery): Promise<UsageRows> {
  const { workshopId, days, counted, limitedServices } = query;
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('no day is asked about');
  const at = (instants: readonly number[]) => instants.map((instant) => new Date(instant));
  const [rows] = await db.query<UsageRows>(usageText, [
    workshopId,
    ...at([first.start, last.end]),
    days.map(({ date }) => date),
    at(days.map(({ start }) => start)),
    at(days.map(({ end }) => end)),
    counted.map(({ kind }) => kind),
    counted.map(({ key }) => key),
    limitedServices,
  ]);
  if (rows === undefined) throw new Error('usage gave no row');
  return rows;
}
