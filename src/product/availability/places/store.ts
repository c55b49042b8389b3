/**
 * SQL of places: the rules of a workshop, the data that a writer needs before it takes a place, and the days by which the database
 * judges it.
 */

import type { Database, Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { limitsFor } from '#product/catalogue/store.ts';
import type { DayPlan } from '../day.ts';
import { defaultHours, type Schedule, type WeeklyHours } from '../schedule.ts';
import { customDaysJson, scheduleColumns } from '../store.ts';
import type { Rules } from './rules.ts';

interface RulesRow extends Omit<Schedule, 'hours'> {
  readonly version: number;
  readonly enforced: boolean;
  readonly hours: WeeklyHours | null;
  readonly categoryLimits: Readonly<Record<string, number>>;
  readonly services: readonly { readonly id: string; readonly dailyLimit: number }[];
}

/** Null when there is no such workshop. */
export async function readRules(db: Queryable, workshopId: string): Promise<Rules | null> {
  const [row] = await db.query<RulesRow>(
    `SELECT w.setup_version AS version, w.enforce_availability AS enforced, ${scheduleColumns}, ${customDaysJson} AS custom,
            ${limitsFor('w.id')} FROM workshop w WHERE w.id = $1`,
    [workshopId],
  );
  if (row === undefined) return null;
  const { version, enforced, hours, services, categoryLimits, ...rest } = row;
  return {
    ...{ version, enforced },
    schedule: { ...rest, hours: hours ?? defaultHours },
    limits: {
      services: new Map(services.map(({ id, dailyLimit }) => [id, dailyLimit])),
      categories: new Map(Object.entries(categoryLimits)),
    },
  };
}

export interface Ground {
  /** `setup_version` of the workshop. */
  readonly version: number;
  /** The state of the partner's link; null without a link, or without a partner. */
  readonly linkActive: boolean | null;
  /** Whether the day that begins at `startsAt` has a row of that version. */
  readonly hasDay: boolean;
}

/** Null when there is no such workshop. */
export async function readGround(
  db: Queryable,
  of: { readonly workshopId: string; readonly partnerId: string | null; readonly startsAt: Date },
): Promise<Ground | null> {
  const [ground] = await db.query<Ground>(
    // Planned like the query for usage, which follows: no settings are sent between the two.
    planOnce(`SELECT w.setup_version AS version, (SELECT active FROM link WHERE partner_id = $2 AND workshop_id = w.id) AS link_active,
            EXISTS (SELECT FROM workshop_day WHERE workshop_id = w.id AND starts_at = $3 AND setup_version = w.setup_version) AS has_day
       FROM workshop w WHERE w.id = $1`),
    [of.workshopId, of.partnerId, of.startsAt],
  );
  return ground ?? null;
}

const dayColumns = {
  workshopId: 'uuid',
  startsAt: 'timestamptz',
  endsAt: 'timestamptz',
  setupVersion: 'integer',
  bays: 'integer',
  slotMinutes: 'integer',
  slots: 'timestamptz[]',
  partnerId: 'uuid null',
} as const;

/** A day that another process has written costs a read, and no commit. */
const writeDays = gather<
  RowValues<typeof dayColumns>,
  { readonly ordinal: number; readonly isOpen: boolean }
>({
  columns: dayColumns,
  build: ({ input }) => `WITH ${input},
    open AS (
      SELECT * FROM input
       WHERE partner_id IS NULL OR EXISTS (
         SELECT FROM link WHERE link.partner_id = input.partner_id AND link.workshop_id = input.workshop_id AND active)),
    written AS (
      INSERT INTO workshop_day AS known (workshop_id, starts_at, ends_at, setup_version, bays, slot_minutes, slots)
      SELECT workshop_id, starts_at, ends_at, setup_version, bays, slot_minutes, slots FROM open
       WHERE NOT EXISTS (SELECT FROM workshop_day AS has WHERE has.workshop_id = open.workshop_id AND has.starts_at = open.starts_at
                           AND has.setup_version >= open.setup_version)
       ORDER BY workshop_id, starts_at
      ON CONFLICT (workshop_id, starts_at) DO UPDATE SET ends_at = excluded.ends_at, setup_version = excluded.setup_version,
        bays = excluded.bays, slot_minutes = excluded.slot_minutes, slots = excluded.slots
      WHERE known.setup_version < excluded.setup_version)
    SELECT ordinal, EXISTS (SELECT FROM open WHERE open.ordinal = input.ordinal) AS is_open FROM input`,
  partnerOf: () => '',
  keyOf: ({ workshopId, startsAt }) => `${workshopId} ${startsAt.getTime()}`,
});

/**
 * Writes the row of a day for this version of the rules, unless it has this version or a later one; in one statement with others. False,
 * and nothing is written, where the link of the partner is not active; without a partner the caller has checked who may act.
 */
export async function writeDay(
  db: Database,
  workshopId: string,
  version: number,
  slotMinutes: number,
  { day, bays, slots }: Pick<DayPlan, 'day' | 'bays' | 'slots'>,
  partnerId: string | null = null,
): Promise<boolean> {
  const row = await writeDays(db, {
    partnerId,
    ...{ workshopId, startsAt: new Date(day.start), endsAt: new Date(day.end), setupVersion: version },
    ...{ bays, slotMinutes, slots: slots.map(({ start }) => new Date(start)) },
  });
  return row?.isOpen === true;
}

/** Deletes past days. */
export async function purgeDays(db: Queryable, before: Date): Promise<void> {
  await db.query('DELETE FROM workshop_day WHERE ends_at < $1', [before]);
}
