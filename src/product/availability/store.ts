/** SQL of availabilities: a workshop's schedule with its limits, and what bookings use on some days. */

import type { LocalDay } from '#base/values/local-day.ts';
import { announceSet } from '#platform/db/announce.ts';
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { blockGroups } from './blocks/store.ts';
import { nothingUsed, type UsageRows } from './usage.ts';
import type { HeldLimit, Limits } from './wish.ts';

/** SQL: the columns of the workshop row `w` that make up a schedule. */
export const scheduleColumns = `w.timezone, w.slot_minutes, w.bays, w.lead_time_minutes,
  w.horizon_days, w.opening_hours AS hours, w.pickup_times`;

/** SQL: custom days of the workshop row `w` as JSON, by date. */
export const customDaysJson = `(SELECT coalesce(json_agg(json_build_object('date', day, 'hours', hours, 'bays', bays,
  'pickupTimes', pickup_times,
            'note', note) ORDER BY day), '[]') FROM custom_day WHERE workshop_id = w.id)`;

export interface UsageQuery {
  readonly workshopId: string;
  /** Consecutive days, at least one: a booking counts on the last of them that begins before it. */
  readonly days: readonly LocalDay[];
  /** The limits whose bookings are counted; without any, only the occupied bays are read. */
  readonly limits: readonly Pick<HeldLimit, 'kind' | 'key'>[];
  /** The services with their own limit, which do not count under their category. */
  readonly limited: Pick<Limits['services'], 'keys'>;
}

const day = `interval '24 hours'`;

const milliseconds = (at: string) => `(date_part('epoch', ${at}) * 1000)::bigint`;

/** SQL: whether a booking counts under the limit `key`; `limited` are the services with their own limit. */
const countsUnder: Readonly<Record<HeldLimit['kind'], (key: string, limited: string) => string>> = {
  service: (key) => `${key}::uuid = ANY (counted_services)`,
  category: (key, limited) => {
    const isFree = (service: string) => `(${service} IS NULL OR ${service} <> ALL (${limited}::uuid[]))`;
    // Most bookings have other categories, or one item: both checks are cheaper than reading all items.
    return `${key} = ANY (counted_categories) AND CASE WHEN cardinality(counted_categories) = 1 THEN ${isFree('counted_services[1]')}
    ELSE EXISTS (SELECT FROM unnest(counted_services, counted_categories) AS item (service, category)
                  WHERE category = ${key} AND ${isFree('service')}) END`;
  },
};

interface Part extends UsageQuery {
  /** Milliseconds. Bookings of up to 24 hours that begin before `shortUntil` are read, longer ones and blocks up to `until`. */
  readonly from: number;
  readonly shortUntil: number;
  readonly until: number;
  /** Bookings that began before `from`, longer bookings and blocks are read by the other part. */
  readonly isRest: boolean;
  /**
   * The partner whose link, and the version of the set-up, are read in the same statement; null: the workshop itself, which needs
   * no link.
   */
  readonly partnerId?: string | null;
}

/**
 * Each kind of booking is grouped in the order of its index, in one pass, and blocks beside them; the lists have an entry for each
 * group. The text depends only on the kinds of limits.
 */
function usageStatement({ workshopId, limits, limited, partnerId, isRest, ...range }: Part) {
  const values: unknown[] = [];
  const $ = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const instant = (at: number) => $(new Date(at), 'timestamptz');
  const [workshop, from, shortUntil] = [
    $(workshopId, 'uuid'),
    instant(range.from),
    instant(range.shortUntil),
  ];
  const keys = limits.map(({ key }) => $(key, 'text'));
  const services = limits.some(({ kind }) => kind === 'category') ? $([...limited.keys()], 'uuid[]') : '';
  const counts = limits.map(
    ({ kind }, n) => `count(*) FILTER (WHERE ${countsUnder[kind](keys[n] ?? '', services)}) AS counted_${n}`,
  );
  announceSet(counts);
  const grouped = (those: string) =>
    `SELECT ${['occupied_from', 'occupied_until', 'count(*) AS bookings', ...counts].join(', ')}
      FROM booking WHERE workshop_id = ${workshop} AND ${those} GROUP BY occupied_from, occupied_until`;
  const short = `occupied_until - occupied_from <= ${day}`;
  const groups = [grouped(`${short} AND occupied_from >= ${from} AND occupied_from < ${shortUntil}`)];
  if (!isRest) {
    const until = instant(range.until);
    const goesOn = `occupied_until > ${from}`;
    groups.push(
      grouped(`${short} AND occupied_from >= ${from} - ${day} AND occupied_from < ${from} AND ${goesOn}`),
      grouped(`occupied_until - occupied_from > ${day} AND occupied_from < ${until} AND ${goesOn}`),
      blockGroups(limits.length, { workshop, from, until }),
    );
  }
  const lists = limits.map((_, n) => `json_agg(counted_${n})`);
  const linkActive = (of: string | null) =>
    of === null
      ? 'true'
      : `(SELECT active FROM link WHERE partner_id = ${$(of, 'uuid')} AND workshop_id = ${workshop})`;
  const ground =
    partnerId === undefined
      ? ''
      : `, (SELECT setup_version FROM workshop WHERE id = ${workshop}) AS version, ${linkActive(partnerId)} AS link_active`;
  const text = `SELECT json_agg(${milliseconds('occupied_from')}) AS begins, json_agg(${milliseconds('occupied_until')}) AS ends,
      json_agg(bookings) AS bookings, json_build_array(${lists.join(', ')}) AS counted${ground}
      FROM (${groups.join(' UNION ALL ')}) AS groups`;
  return { text: planOnce(text), values };
}

/** Without any booking the lists are null. */
interface UsageRow {
  readonly begins: readonly number[] | null;
  readonly ends: readonly number[] | null;
  readonly bookings: readonly number[] | null;
  /** For each limit. */
  readonly counted: readonly (readonly number[] | null)[];
}
/** Read for a partner. */
interface Ground {
  /** `setup_version` of the workshop. */
  readonly version: number;
  /** Null without a link. */
  readonly linkActive: boolean | null;
}

/** Reads the places that bookings occupy on these days. The caller has checked the access to the workshop. */
export async function readUsage(db: Queryable, query: UsageQuery): Promise<UsageRows> {
  const whole = { ...query, ...rangeOf(query), isRest: false };
  return rowsOf(query, await readPart(db, { ...whole, shortUntil: whole.until }));
}

/**
 * The same for a partner or the workshop itself, with the data that decides about access, and the version of the set-up. In
 * `halves`, two concurrent statements read it: with thousands of bookings that takes half the time. Each has its own snapshot: a
 * booking that is moved between the halves meanwhile may be counted in both or in none. A response is a past snapshot anyway, and
 * the database checks every booking.
 */
export async function readUsageFor(
  db: Queryable,
  partnerId: string | null,
  query: UsageQuery,
  halves: boolean,
): Promise<Ground & { readonly usage: UsageRows }> {
  const { from, until } = rangeOf(query);
  const middle = halves ? Math.round((from + until) / 2) : until;
  const [first, rest] = await Promise.all([
    readPart(db, { ...query, partnerId, from, shortUntil: middle, until, isRest: false }),
    middle === until
      ? null
      : readPart(db, { ...query, from: middle, shortUntil: until, until, isRest: true }),
  ]);
  const { version, linkActive } = first;
  if (version === undefined || linkActive === undefined) throw new Error('the first part has the ground');
  const [usage, more] = [rowsOf(query, first), rest === null ? nothingUsed : rowsOf(query, rest)];
  return {
    version,
    linkActive,
    usage: {
      begins: [...usage.begins, ...more.begins],
      ends: [...usage.ends, ...more.ends],
      booked: [...usage.booked, ...more.booked],
    },
  };
}

function rangeOf({ days }: UsageQuery) {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('no day was requested');
  return { from: first.start, until: last.end };
}

/** With the ground where the part names a partner. */
async function readPart(db: Queryable, part: Part): Promise<UsageRow & Partial<Ground>> {
  const { text, values } = usageStatement(part);
  const [row] = await db.query<UsageRow & Partial<Ground>>(text, values);
  if (row === undefined) throw new Error('an aggregate returned no row');
  return row;
}

function rowsOf({ limits, days }: UsageQuery, { begins, ends, bookings, counted }: UsageRow): UsageRows {
  const tallies = (instants: readonly number[] | null) =>
    (instants ?? []).map((instant, n) => [instant, bookings?.[n] ?? 0] as const);
  const booked = limits.flatMap(({ key }, which) =>
    (counted[which] ?? []).flatMap((number, n) => {
      const its = number > 0 ? days.findLast(({ start }) => start <= (begins?.[n] ?? 0)) : undefined;
      return its === undefined ? [] : [{ date: its.date, key, bookings: number }];
    }),
  );
  return { begins: tallies(begins), ends: tallies(ends), booked };
}
