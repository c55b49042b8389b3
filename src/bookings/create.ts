/**
 * Creates a booking: POST /bookings (document, 4.1), or a workshop's own booking. One statement, shared with concurrent requests,
 * writes customer, car, booking and event.
 */
import type { Context } from '#context.ts';
import { violatedConstraint } from '#db/database.ts';
import type { Claim } from '#idempotency/once.ts';
import { newBookingCode } from '#values/code.ts';
import { newId } from '#values/id.ts';
import { normaliseRego } from '#values/rego.ts';
import { requireLink } from '#workshops/access/gate.ts';
import { customerNames } from './columns.ts';
import { instantOf, valuesOf } from './field.ts';
import { carFields, createFields } from './fields.ts';
import type { Booking, CreateBookingBody } from './schema.ts';
import { insertBooking, insertOwnBooking } from './store.ts';

const codesAtMost = 5;

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay'>;

export interface CreateBooking {
  /** Null: the workshop's own booking, which no partner sees; the workshop gets no notice of its own changes. */
  readonly partnerId: string | null;
  readonly body: CreateBookingBody;
  /** E.164. */
  readonly phone: string;
  readonly claim: Claim | null;
}

/** Resolves to null when the claim was lost. Throws 404 030001 and 403 000004. */
export async function createBooking(context: Needed, request: CreateBooking): Promise<Booking | null> {
  const { partnerId, body, phone, claim } = request;
  const notify = body.skipNotification !== true;
  const booking = {
    partnerId,
    workshopId: body.workshopId,
    date: instantOf(body.bookingTime),
    ...customerNames(body.customerName),
    customerEmail: body.customerEmail,
    customerPhone: phone,
    carRego: normaliseRego(body.carRego),
    ...valuesOf(createFields, body),
    ...valuesOf(carFields, body),
    bookingId: newId(),
    newCustomerId: newId(),
    newCarId: newId(),
    eventId: newId(),
    notifyCustomer: notify,
    notifyWorkshop: notify && partnerId !== null,
    now: context.clock.now(),
    idempotencyKey: claim?.idempotencyKey ?? null,
    claimOwner: claim?.claimOwner ?? null,
  };

  const insert = partnerId === null ? insertOwnBooking : insertBooking;
  for (let attempt = 1; ; attempt++) {
    try {
      const row = await insert(context.db, { ...booking, code: newBookingCode() });
      requireLink(row);
      if (row.booking !== null) context.nudgeRelay();
      return row.booking;
    } catch (error) {
      if (attempt === codesAtMost || violatedConstraint(error) !== 'booking_code') throw error;
    }
  }
}
