/** A workshop's own booking, for someone who walks in or calls. It belongs to no partner, and no partner sees it. */
import { Type } from 'typebox';
import { refreshOffer } from '#catalogue/offer.ts';
import type { Context } from '#context.ts';
import { email, optional } from '#http/fields.ts';
import { judgePhone } from '#http/phone-field.ts';
import { valueReader } from '#http/validation.ts';
import { InvalidInput } from '#operator-error.ts';
import { parseLocalTime } from '#values/local-time.ts';
import { requireWorkshop } from '#workshops/require.ts';
import { createBooking } from '../create.ts';
import { type Booking, CreateBookingBody } from '../schema.ts';

/**
 * As typed: fields of POST /bookings, times in the workshop's zone (`2030-03-03 09:30`) or RFC 3339. The e-mail may be absent.
 */
export interface OwnBookingInput {
  readonly carRego: string;
  readonly bookingTime: string;
  readonly customerName: string;
  readonly customerPhone: string;
  readonly customerEmail?: string;
  readonly customerCompany?: string;
  readonly pickupTime?: string;
  readonly serviceCategory?: string;
  /** Services: a code of the workshop's catalogue, or a title. */
  readonly service?: readonly string[];
  readonly notes?: string;
  readonly carMake?: string;
  readonly carModel?: string;
}

const readBooking = valueReader(
  Type.Object({ ...CreateBookingBody.properties, customerEmail: optional(email()) }),
  'booking',
);

/** Throws InvalidInput that names every bad field, OperatorError when there is no such workshop. */
export async function createOwnBooking(
  context: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  workshop: string,
  { service = [], ...input }: OwnBookingInput,
  notify: boolean,
): Promise<Booking> {
  const { workshopId, timezone, country } = await requireWorkshop(context.db, workshop);
  const offer = service.length === 0 ? null : await refreshOffer(context.db, workshopId);
  const instant = (text: string) => parseLocalTime(text, timezone)?.toISOString() ?? text;
  const body = {
    ...input,
    workshopId,
    bookingTime: instant(input.bookingTime),
    ...(input.pickupTime === undefined ? {} : { pickupTime: instant(input.pickupTime) }),
    services: service.map((word) => (offer?.byCode.has(word) ? { catalogCode: word } : { title: word })),
    skipNotification: !notify,
  };
  const { errors: faults } = readBooking(body);
  const { phone, found } = await judgePhone('customerPhone', body.customerPhone, async () => country);
  const errors = [...faults, ...found];
  if (phone === null || errors.length > 0) throw new InvalidInput(errors);

  const booking = await createBooking(context, {
    partnerId: null,
    body: { ...body, customerEmail: input.customerEmail ?? '' } as CreateBookingBody,
    phone,
    claim: null,
  });
  if (booking === null) throw new Error('an own booking was made without a result');
  return booking;
}
