/** The events of quotes: each carries the quote as it was then. */
import type { Booking } from '#product/bookings/schema.ts';
import type { Quote } from './schema.ts';

export interface QuoteEventPayload {
  readonly quote: Quote;
  /** Of `quote.accepted`: what accepting it made. */
  readonly booking?: Booking;
  readonly notifyCustomer: boolean;
  readonly notifyWorkshop: boolean;
}
