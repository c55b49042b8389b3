/** The customer accepts a quote and chooses a time: a booking is made in the same commit (specification: Quotes 6). */

import { type Actor, isWorkshopItself } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { actorValues } from '#platform/events/record.ts';
import { createBooking } from '#product/bookings/create.ts';
import { type CreateBookingBody, ofPartner } from '#product/bookings/schema.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import { type LockedQuote, lockQuote, writeAcceptance } from './change/store.ts';
import { isOver, isPermitted } from './rules.ts';
import type { Quote } from './schema.ts';
import type { QuoteVersion } from './store.ts';

/** `accepted` now or earlier; otherwise the quote's status says why not: still `quoted` means that it was priced again. */
export interface Acceptance {
  readonly accepted: boolean;
  readonly quote: Quote;
  /** Present where this call has accepted it. */
  readonly written?: QuoteVersion;
}

export interface AcceptOptions {
  /** The version whose price the customer agreed to; absent: any. */
  readonly seen?: number | undefined;
  /** Called with the locked quote before anything is decided; its error is thrown. */
  readonly require?: (present: LockedQuote) => void;
  /** False: the customer gets no notice of the booking. */
  readonly notify?: boolean;
  /** The reason of staff for taking the time against the rules; given, the place is not checked. */
  readonly anyway?: string | null;
}

/**
 * The booking belongs to the quote's partner, and one of the workshop's own that staff accept is confirmed; its time must be an offered one, even if the workshop enforces nothing. When it is
 * accepted twice, the first time counts. Null when there is no such quote. Throws 403 000004 and 409 060003.
 */
export async function acceptQuote(
  context: ChangeContext,
  quoteId: string,
  bookingTime: string,
  actor: Actor,
  { seen, require, notify = true, anyway = null }: AcceptOptions = {},
): Promise<Acceptance | null> {
  return change(context, async ({ tx, within, now }) => {
    const present = await lockQuote(tx, quoteId);
    if (present === null || present.erased) return null;
    require?.(present);
    const { quote, version, partnerId, linkActive, serviceMinutes } = present;
    if (quote.status === 'accepted') return { accepted: true, quote };
    if (!isPermitted(quote.status, 'accepted') || isOver(quote, now)) return { accepted: false, quote };
    if (version !== (seen ?? version)) return { accepted: false, quote };
    requireLink({ linkActive });
    const body = { ...bookingBody(quote, bookingTime), skipNotification: !notify };
    const booking = await createBooking(within, {
      ...{ partnerId, actor, body, phone: body.customerPhone, claim: null },
      ...{ enforce: 'always', anyway, notifyWorkshop: false },
      // A quote of the workshop's own keeps its customer, with the name that they have.
      ...(partnerId === null && {
        ...{ customerId: quote.customerId, keepsName: true, hidesNumbers: 'filledIn' as const },
        isConfirmed: isWorkshopItself(actor),
      }),
      // The services as quoted, even if the catalogue has changed since.
      items: quote.services.map((item, n) => ({ item, minutes: serviceMinutes[n] ?? 0 })),
    });
    if (booking === null) throw new Error('a booking without a claim was not made');
    const written = await writeAcceptance(tx, {
      ...{ quoteId, booking: ofPartner(booking), now, ...actorValues(actor) },
      notifyWorkshop: !isWorkshopItself(actor),
    });
    return { accepted: true, quote: written.quote, written };
  });
}

/**
 * The body of a booking with the values of the quote request. The workshop is notified of the acceptance, which names the booking.
 */
function bookingBody({ customer, car, ...quote }: Quote, bookingTime: string): CreateBookingBody {
  return {
    workshopId: quote.workshopId,
    bookingTime,
    customerName: customer.name,
    customerPhone: customer.phone ?? '',
    customerEmail: customer.email ?? '',
    customerCompany: customer.company,
    carRego: car.rego,
    carYear: car.year,
    carMake: car.make,
    carModel: car.model,
    carBadge: car.badge,
    carVin: car.vin,
    notes: quote.notes,
    externalId: quote.externalId,
  };
}
