/** The working hours and capacity of a workshop: its set-up, and the defaults (specification: Setting up a workshop 4). */
import { type Weekday, weekdays } from '#base/values/weekday.ts';

/** Clock times `HH:MM`; `to` is after `from`. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** By weekday; an absent weekday is closed, or has no pickup times. */
export type WeeklyHours = Readonly<Partial<Record<Weekday, readonly TimeRange[]>>>;
export type WeeklyPickupTimes = Readonly<Partial<Record<Weekday, readonly string[]>>>;

/** A date that differs from its weekday. */
export interface CustomDay {
  readonly date: string;
  /** Empty: closed. */
  readonly hours: readonly TimeRange[];
  /** Null: the workshop's number. */
  readonly bays: number | null;
  /** Null: those of the weekday that lie within the hours. */
  readonly pickupTimes: readonly string[] | null;
  readonly note: string | null;
}

export interface Schedule {
  /** IANA name. */
  readonly timezone: string;
  readonly slotMinutes: number;
  /** How many bookings a slot has room for. */
  readonly bays: number;
  readonly leadTimeMinutes: number;
  /** How many days after today can be booked. */
  readonly horizonDays: number;
  readonly hours: WeeklyHours;
  readonly pickupTimes: WeeklyPickupTimes;
  /** For the requested dates. */
  readonly custom: readonly CustomDay[];
}

const workingDay: readonly TimeRange[] = [{ from: '08:00', to: '17:00' }];

/** The defaults of a workshop without hours. */
export const defaultHours: WeeklyHours = Object.fromEntries(
  weekdays.slice(0, 5).map((weekday) => [weekday, workingDay]),
);
