/** The template variables of a quote: every value is display text, empty when unset. */

import { visible } from '#base/values/bidi.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { amountText } from '#platform/pages/texts.ts';
import type { Booking } from '#product/bookings/schema.ts';
import {
  bookingVariables,
  callersLine,
  callersText,
  carVariables,
  customerVariables,
  line,
  servicesLine,
  type TemplateWorkshop,
  workshopVariables,
} from '#product/bookings/template-variables.ts';
import type { Channel } from '#product/sending/kinds.ts';
import type { Quote } from './schema.ts';

/**
 * `booking` is the booking that the acceptance made; null before. Times are in the workshop's zone, amounts in its country's
 * currency.
 */
export function quoteVariables(
  quote: Quote,
  workshop: TemplateWorkshop,
  channel: Channel,
  booking: Booking | null,
) {
  const { total, validUntil, lines } = quote;
  const amount = (value: number) => amountText(value, workshop.country);
  return {
    customer: customerVariables(quote.customer, workshop, channel),
    workshop: workshopVariables(workshop, quote.customer.phone),
    quote: {
      code: quote.code,
      status: quote.status,
      services: servicesLine(quote.services, channel),
      lines: lines.map((each) => `${line(each.title)} ${amount(each.total)}`).join(', '),
      total: total === null ? '' : amount(total),
      validUntil: validUntil === null ? '' : localDateTime(new Date(validUntil), workshop.timezone),
      message: visible(quote.message ?? ''),
      notes: callersText(channel, quote.notes),
      url: quote.url ?? '',
      externalId: callersLine(channel, quote.externalId),
    },
    car: carVariables(quote.car, channel),
    ...(booking && { booking: bookingVariables(booking, workshop, channel).booking }),
  };
}

export type QuoteVariables = ReturnType<typeof quoteVariables>;
