/**
 * Creates a booking: POST /bookings (document, 4.1), or a workshop's own booking. One statement, shared with concurrent requests,
 * writes customer, car, booking and event.
 */
import { refreshOffer } from '#catalogue/offer.ts';
import type { Context } from '#context.ts';
import { type Database, violatedConstraint } from '#db/database.ts';
import { type FieldError, invalidFields, Problem } from '#errors.ts';
import type { Claim } from '#idempotency/once.ts';
import { newBookingCode } from '#values/code.ts';
import { isId, newId } from '#values/id.ts';
import { normaliseRego } from '#values/rego.ts';
import { requireLink } from '#workshops/access/gate.ts';
import { readGate } from '#workshops/access/store.ts';
import { customerNames } from './columns.ts';
import { instantOf, valuesOf } from './field.ts';
import { carFields, createFields } from './fields.ts';
import type { Booking, CreateBookingBody } from './schema.ts';
import { newItems, newServices } from './services.ts';
import { insertBooking, insertOwnBooking } from './store.ts';

/** With another code, or by the workshop's present catalogue. */
const attemptsAtMost = 5;

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay'>;

export interface CreateBooking {
  /** Null: the workshop's own booking, which no partner sees; the workshop gets no notice of its own changes. */
  readonly partnerId: string | null;
  readonly body: CreateBookingBody;
  /** E.164; null when it has a fault, or when there is no such workshop. */
  readonly phone: string | null;
  /** Faults of the phone; those of services are added. */
  readonly found?: readonly FieldError[];
  readonly claim: Claim | null;
}

/** Resolves to null when the claim was lost. Throws, in this order, 404 030001, 403 000004 and 400 000001. */
export async function createBooking(context: Needed, request: CreateBooking): Promise<Booking | null> {
  const { partnerId, body, claim } = request;
  const { db } = context;
  if (!isId(body.workshopId)) throw new Problem('030001');
  const notify = body.skipNotification !== true;
  const booking = {
    partnerId,
    workshopId: body.workshopId,
    date: instantOf(body.bookingTime),
    ...customerNames(body.customerName),
    customerEmail: body.customerEmail,
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
  for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
    const { stored, version, found } = await newItems(db, body.workshopId, body.services ?? []);
    const customerPhone = await accepted(db, request, found);
    const services = newServices(stored, body.serviceCategory ?? null);
    try {
      const code = newBookingCode();
      const row = await insert(db, { ...booking, ...services, customerPhone, code, setupVersion: version });
      requireLink(row);
      if (row.booking !== null) context.nudgeRelay();
      if (row.setupIsCurrent) return row.booking;
      await refreshOffer(db, body.workshopId);
    } catch (error) {
      if (attempt === attemptsAtMost || violatedConstraint(error) !== 'booking_code') throw error;
    }
  }
  throw new Problem('000007', {
    message: 'The set-up of the workshop is being changed',
    headers: { 'retry-after': '1' },
  });
}

/** The phone, once neither it nor a service (`found`) has a fault. A link that is off is refused before such a fault. */
async function accepted(
  db: Database,
  { partnerId, body, phone, found: judged = [] }: CreateBooking,
  found: readonly FieldError[],
): Promise<string> {
  const faults = [...judged, ...found];
  if (phone !== null && faults.length === 0) return phone;
  if (partnerId !== null) requireLink(await readGate(db, partnerId, body.workshopId));
  throw invalidFields(faults);
}
