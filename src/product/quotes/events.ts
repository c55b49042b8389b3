/** The events of quotes: each contains the quote at that version. */
import type { Booking } from '#product/bookings/schema.ts';
import type { Quote } from './schema.ts';

export interface QuoteEventPayload {
  readonly quote: Quote;
  /** For `quote.accepted`: the booking that the acceptance made. */
  readonly booking?: Booking;
  readonly notifyCustomer: boolean;
  readonly notifyWorkshop: boolean;
}
