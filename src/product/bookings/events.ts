/** The events of bookings: each contains the booking at that version. */
import type { AttendanceState } from './attendance/store.ts';
import type { AnyBooking } from './schema.ts';

/** The events that partners get. `booking.carReady` is only for the workshop; it changes neither the booking nor its version. */
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
  /** The old time, ISO 8601; null, or absent in events of other kinds, when it did not move. */
  readonly previousDate?: string | null;
  readonly notifyCustomer: boolean;
  readonly notifyWorkshop: boolean;
}

/** The payload of `booking.carReady`. */
export interface CarReadyPayload extends BookingEventPayload {
  /** The text that staff wrote; null: the workshop's template, or the default text. */
  readonly message: string | null;
  /** The attendance that an undo restores. */
  readonly attendanceBefore: AttendanceState;
}
