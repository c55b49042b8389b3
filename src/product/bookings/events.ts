/** The events of bookings: each carries the booking as it was then. */
import type { AttendanceState } from './attendance/store.ts';
import type { AnyBooking } from './schema.ts';

/** Those that partners hear of; `booking.carReady` is the workshop's own, and leaves the booking and its version as they are. */
export const bookingEvents = [
  'booking.created',
  'booking.updated',
  'booking.confirmed',
  'booking.completed',
  'booking.cancelled',
] as const;

export interface BookingEventPayload {
  readonly booking: AnyBooking;
  /** True when the event moved the booking to another instant. */
  readonly dateChanged: boolean;
  /** When it was before, ISO 8601; null, or absent in events of other kinds, where it did not move. */
  readonly previousDate?: string | null;
  readonly notifyCustomer: boolean;
  readonly notifyWorkshop: boolean;
}

/** Of `booking.carReady`. */
export interface CarReadyPayload extends BookingEventPayload {
  /** The text in the words of whoever marked it; null: the workshop's, or ours. */
  readonly message: string | null;
  /** The attendance that taking it back restores. */
  readonly attendanceBefore: AttendanceState;
}
