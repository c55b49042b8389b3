/** When a run is due, and whether it is still to be sent then (specification: Automations 3 and 4). Pure. */
import { afterQuiet, beforeQuiet, isQuiet, type QuietHours } from '#base/values/quiet-hours.ts';
import type { Conditions, TriggerType } from './schema.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export interface Timing {
  readonly type: TriggerType;
  readonly offsetMinutes: number;
  readonly quietHours: QuietHours | null;
  readonly timezone: string;
}

export interface Due {
  readonly dueAt: Date;
  readonly isTooLate: boolean;
}

/** After an event: the first allowed time at or after the offset. */
export function dueAfter({ offsetMinutes, quietHours, timezone }: Timing, happenedAt: Date): Date {
  const wanted = new Date(happenedAt.getTime() + offsetMinutes * minuteMs);
  return quietHours === null ? wanted : afterQuiet(wanted, quietHours, timezone);
}

/**
 * Before a booking: the offset, or the last allowed minute before the quiet hours that contain it. Null once that is past: too
 * late.
 */
export function dueBefore({ offsetMinutes, quietHours, timezone }: Timing, date: Date, now: Date): Due {
  const wanted = new Date(date.getTime() - offsetMinutes * minuteMs);
  const dueAt = quietHours === null ? wanted : beforeQuiet(wanted, quietHours, timezone);
  return { dueAt, isTooLate: dueAt < now };
}

/** The facts that decide about a run when it is due, as they are then. */
export interface Judged extends Timing {
  readonly isPaused: boolean;
  readonly isPublished: boolean;
  /** False: a partner or staff triggered it for this customer. */
  readonly isByEvent: boolean;
  /** False: the partner that triggered it is no longer allowed to. */
  readonly isOpen: boolean;
  readonly isErased: boolean;
  /** Null: erased, or not given. */
  readonly phone: string | null;
  readonly conditions: Conditions;
  readonly booking: {
    readonly status: string;
    /** False: the booking was made without a phone. */
    readonly hasPhone: boolean;
    readonly date: Date;
    readonly categories: readonly string[];
  } | null;
  /** For a run before a booking: the date that it was planned for. */
  readonly bookingDate: Date | null;
  /** The date of the customer's last other booking; null: there is none. */
  readonly lastBookingAt: Date | null;
}

export type Verdict =
  | { readonly action: 'send' }
  | { readonly action: 'wait'; readonly dueAt: Date }
  | { readonly action: 'skip'; readonly reason: string };

const skip = (reason: string): Verdict => ({ action: 'skip', reason });

/** The triggers whose runs are skipped when the booking is cancelled. */
export const needsBooking: readonly TriggerType[] = ['bookingCreated', 'bookingConfirmed', 'beforeBooking'];

export function judge(run: Judged, now: Date): Verdict {
  const gone = whatIsGone(run, now);
  if (gone !== null) return skip(gone);
  if (!meets(run, now)) return skip('conditions');
  const { quietHours, timezone } = run;
  if (quietHours === null || !isQuiet(now, quietHours, timezone)) return { action: 'send' };
  // Its last allowed minute is past.
  if (run.bookingDate !== null) return skip('tooLate');
  return { action: 'wait', dueAt: afterQuiet(now, quietHours, timezone) };
}

function whatIsGone(run: Judged, now: Date): string | null {
  const { type, booking, bookingDate } = run;
  if (run.isPaused) return 'paused';
  if (!run.isByEvent && !run.isOpen) return 'notPermitted';
  if (run.isErased) return 'erased';
  // A walk-in, or a booking without a phone for a customer who has one.
  if (run.phone === null || booking?.hasPhone === false) return 'noPhone';
  if (bookingDate !== null || (run.isByEvent && needsBooking.includes(type))) {
    if (booking?.status === 'cancelled') return 'bookingCancelled';
  }
  if (bookingDate !== null && booking !== null) {
    if (booking.status === 'completed') return 'bookingCompleted';
    if (booking.date.getTime() !== bookingDate.getTime()) return 'bookingMoved';
    if (now >= bookingDate) return 'tooLate';
  }
  return run.isPublished ? null : 'templateUnpublished';
}

function meets({ conditions, booking, lastBookingAt }: Judged, now: Date): boolean {
  const { serviceCategories, minDaysSinceLastBooking } = conditions;
  if (
    serviceCategories !== undefined &&
    !booking?.categories.some((category) => serviceCategories.includes(category))
  )
    return false;
  if (minDaysSinceLastBooking === undefined || lastBookingAt === null) return true;
  return now.getTime() - lastBookingAt.getTime() >= minDaysSinceLastBooking * dayMs;
}
