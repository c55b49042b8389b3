/** A workshop's whole set-up: every section, without defaults. */
import type { CategoryLimit, ServiceSettings } from '#catalogue/store.ts';
import type { Weekday } from '#values/weekday.ts';
import type { CustomDay, TimeRange } from '../schedule.ts';

export interface SetupSettings {
  readonly slotMinutes: number;
  readonly bays: number;
  readonly leadTimeMinutes: number;
  readonly horizonDays: number;
  readonly enforceAvailability: boolean;
  readonly bookingPage: boolean;
  /** Null: not decided yet, and off; the first import of hours switches it on. */
  readonly plainPage: boolean | null;
  readonly customerMayChange: boolean;
  /** `#rrggbb` */
  readonly colour: string | null;
  readonly reminderMonths: number | null;
}

export const defaultSettings: SetupSettings = {
  slotMinutes: 30,
  bays: 1,
  leadTimeMinutes: 0,
  horizonDays: 365,
  enforceAvailability: false,
  bookingPage: true,
  plainPage: null,
  customerMayChange: true,
  colour: null,
  reminderMonths: null,
};

export interface Setup {
  /** Null: not known. */
  readonly address: string | null;
  readonly settings: SetupSettings;
  readonly hours: Readonly<Record<Weekday, readonly TimeRange[]>>;
  readonly pickupTimes: Readonly<Record<Weekday, readonly string[]>>;
  /** By date. */
  readonly custom: readonly CustomDay[];
  /** Only categories with a limit, by code. */
  readonly categories: readonly CategoryLimit[];
  /** The active ones, in their order. */
  readonly services: readonly ServiceSettings[];
}
