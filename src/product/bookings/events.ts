/** The events of bookings: each carries the booking as it was then. */
import type { AnyBooking } from './schema.ts';

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
