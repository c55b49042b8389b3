/** SQL of a workshop's set-up, except its catalogue. */

import { nilId } from '#base/values/id.ts';
import type { Weekday } from '#base/values/weekday.ts';
import { weekdays } from '#base/values/weekday.ts';
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { dataUrlOf } from '#product/workshops/logo/logo.ts';
import { readStoredLogo } from '#product/workshops/logo/store.ts';
import {
  type CustomDay,
  defaultHours,
  type TimeRange,
  type WeeklyHours,
  type WeeklyPickupTimes,
} from '../schedule.ts';
import { customDaysJson } from '../store.ts';
import type { PageSettings, Setup, SetupSettings } from './setup.ts';

type OwnSections = Pick<Setup, 'address' | 'settings' | 'hours' | 'pickupTimes' | 'custom'>;

interface SetupRow extends Omit<SetupSettings, 'page'>, Omit<PageSettings, 'logo'> {
  readonly address: string | null;
  readonly hours: WeeklyHours | null;
  readonly pickupTimes: WeeklyPickupTimes;
  readonly custom: readonly CustomDay[];
}

/** Null when there is no such workshop. */
export async function readOwnSections(db: Queryable, workshopId: string): Promise<OwnSections | null> {
  const [row] = await db.query<SetupRow>(
    `SELECT address, slot_minutes, bays, lead_time_minutes, horizon_days,
            enforce_availability, booking_page, plain_page,
            customer_may_change, colour, reminder_months,
            tax_label, privacy_url, terms_url, cancellation_text,
            opening_hours AS hours, pickup_times, ${customDaysJson} AS custom
       FROM workshop w WHERE id = $1`,
    [workshopId],
  );
  if (row === undefined) return null;
  const { address, hours, pickupTimes, custom, privacyUrl, termsUrl, cancellationText, ...settings } = row;
  const stored = await readStoredLogo(db, workshopId);
  const logo = stored && dataUrlOf(stored);
  return {
    address,
    settings: { ...settings, page: { logo, privacyUrl, termsUrl, cancellationText } },
    hours: everyWeekday(hours ?? defaultHours, rangesOf),
    pickupTimes: everyWeekday(pickupTimes, (times) => times),
    custom: custom.map((day) => ({ ...day, hours: rangesOf(day.hours) })),
  };
}

/** Writes the sections except custom days and the logo, and increments the version. The caller has locked the workshop. */
export async function writeSettings(
  tx: Queryable,
  workshopId: string,
  { address, settings, hours, pickupTimes }: OwnSections,
  at: Date,
): Promise<void> {
  const { privacyUrl, termsUrl, cancellationText } = settings.page;
  await tx.query(
    `UPDATE workshop SET slot_minutes = $2, bays = $3, lead_time_minutes = $4, horizon_days = $5, enforce_availability = $6,
       booking_page = $7, customer_may_change = $8, colour = $9, reminder_months = $10, opening_hours = $11, pickup_times = $12,
       address = $14, tax_label = $15, privacy_url = $16, terms_url = $17, cancellation_text = $18, plain_page = $19,
       setup_version = setup_version + 1, updated_at = $13
     WHERE id = $1`,
    [
      ...[workshopId, settings.slotMinutes, settings.bays, settings.leadTimeMinutes, settings.horizonDays],
      ...[settings.enforceAvailability, settings.bookingPage, settings.customerMayChange, settings.colour],
      ...[settings.reminderMonths, JSON.stringify(hours), JSON.stringify(pickupTimes), at, address],
      ...[settings.taxLabel, privacyUrl, termsUrl, cancellationText, settings.plainPage],
    ],
  );
}

/** Replaces the workshop's custom days. The caller has locked the workshop. */
export async function replaceCustomDays(
  tx: Queryable,
  workshopId: string,
  custom: readonly CustomDay[],
): Promise<void> {
  await tx.query(
    `WITH listed AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS d (date date, hours jsonb, bays int, pickup_times jsonb, note text)),
     gone AS (
       DELETE FROM custom_day WHERE workshop_id = $1 AND day NOT IN (SELECT date FROM listed))
     INSERT INTO custom_day (workshop_id, day, hours, bays, pickup_times, note)
     SELECT $1, date, hours, bays, nullif(pickup_times, 'null'), note FROM listed
     ON CONFLICT (workshop_id, day) DO UPDATE SET hours = excluded.hours, bays = excluded.bays,
       pickup_times = excluded.pickup_times, note = excluded.note`,
    [workshopId, recordset(custom)],
  );
}

/** PostgreSQL does not keep the order of a JSON object's fields. */
const rangesOf = (ranges: readonly TimeRange[]) => ranges.map(({ from, to }) => ({ from, to }));

function everyWeekday<T>(
  given: Readonly<Partial<Record<Weekday, readonly T[]>>>,
  each: (values: readonly T[]) => readonly T[],
): Record<Weekday, readonly T[]> {
  const entries = weekdays.map((weekday) => [weekday, each(given[weekday] ?? [])]);
  return Object.fromEntries(entries) as Record<Weekday, readonly T[]>;
}

export interface Upcoming {
  readonly id: string;
  readonly code: string;
  readonly date: Date;
}

export const upcomingAtOnce = 1_000;

/** Pending and confirmed bookings that begin at `from` or later, after the booking `last`, in order of their dates. */
export function upcomingAfter(
  db: Queryable,
  {
    workshopId,
    from,
    last,
  }: { readonly workshopId: string; readonly from: Date; readonly last: Upcoming | null },
): Promise<Upcoming[]> {
  return db.query<Upcoming>(
    `SELECT id, code, date FROM booking
      WHERE workshop_id = $1 AND date >= $2 AND (date, id) > ($3, $4) AND status IN ('pending', 'confirmed')
      ORDER BY date, id LIMIT ${upcomingAtOnce}`,
    [workshopId, from, last?.date ?? new Date(0), last?.id ?? nilId],
  );
}
