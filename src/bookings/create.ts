/**
 * Creates a booking: POST /bookings (document, 4.1), or a workshop's own booking. One statement, shared with concurrent requests,
 * writes customer, car, booking and event.
 */
import { attemptPlace, OutdatedRules, placeError } from '#availability/places/attempt.ts';
import { isContested, noteRefusal } from '#availability/places/contested.ts';
import type { Enforce } from '#availability/places/place.ts';
import { knownRules } from '#availability/places/rules.ts';
import { takePlace } from '#availability/places/take.ts';
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
import { needOf } from './place.ts';
import type { Booking, CreateBookingBody } from './schema.ts';
import { newItems, newServices } from './services.ts';
import { insertBooking, insertHeldBooking, insertOwnBooking } from './store.ts';

const codesAtMost = 5;

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
  /** `asSet` unless given. */
  readonly enforce?: Enforce;
}

/**
 * Resolves to null when the claim was lost. Throws, in this order, 404 030001, 403 000004, 400 000001, and 409 060003 where no place
 * is free.
 */
export function createBooking(context: Needed, request: CreateBooking): Promise<Booking | null> {
  return attemptPlace(context.db, (isFirst) => create(context, request, isFirst));
}

async function create(context: Needed, request: CreateBooking, isFirst: boolean): Promise<Booking | null> {
  const { partnerId, body, claim, enforce = 'asSet' } = request;
  const { db } = context;
  const workshopId = body.workshopId.toLowerCase();
  const rules = isId(workshopId) ? await knownRules(db, workshopId) : null;
  if (rules === null) throw new Problem('030001');
  const { stored, version, found } = await newItems(db, workshopId, body.services ?? []);
  const customerPhone = await accepted(db, request, found);
  if (version !== null && version !== rules.version) throw new OutdatedRules(workshopId, null);
  const services = newServices(stored, body.serviceCategory ?? null);
  const notify = body.skipNotification !== true;
  const [now, date] = [context.clock.now(), instantOf(body.bookingTime)];
  const place = await takePlace(context, rules, {
    ...{ workshopId, partnerId, enforce, own: null },
    optimistic: isFirst && !isContested(db, workshopId),
    ...needOf({ date, createdAt: now, ...services }),
  });
  const booking = {
    ...{ partnerId, workshopId, setupVersion: rules.version, date, ...place },
    ...customerNames(body.customerName),
    customerEmail: body.customerEmail,
    customerPhone,
    carRego: normaliseRego(body.carRego),
    ...valuesOf(createFields, body),
    ...services,
    ...valuesOf(carFields, body),
    bookingId: newId(),
    newCustomerId: newId(),
    newCarId: newId(),
    eventId: newId(),
    notifyCustomer: notify,
    notifyWorkshop: notify && partnerId !== null,
    now,
    idempotencyKey: claim?.idempotencyKey ?? null,
    claimOwner: claim?.claimOwner ?? null,
  };

  const insert =
    partnerId === null ? insertOwnBooking : place.heldTo === null ? insertBooking : insertHeldBooking;
  for (let attempt = 1; ; attempt++) {
    try {
      const row = await insert(db, { ...booking, code: newBookingCode() });
      requireLink(row);
      if (!row.setupIsCurrent) throw new OutdatedRules(workshopId, null);
      if (row.booking !== null) context.nudgeRelay();
      return row.booking;
    } catch (error) {
      if (violatedConstraint(error) === 'booking_place') noteRefusal(db, workshopId);
      if (attempt === codesAtMost || violatedConstraint(error) !== 'booking_code') {
        throw placeError(error, workshopId, date);
      }
    }
  }
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
