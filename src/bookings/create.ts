/**
 * Creates a booking: POST /bookings (document, 4.1), or a workshop's own booking. One statement, shared with concurrent requests,
 * writes customer, car, booking and event.
 */
import { attemptPlace, OutdatedRules, placeError } from '#availability/places/attempt.ts';
import type { Enforce } from '#availability/places/place.ts';
import { knownRules } from '#availability/places/rules.ts';
import { takePlace } from '#availability/places/take.ts';
import type { Context } from '#context.ts';
import { violatedConstraint } from '#db/database.ts';
import { Problem } from '#errors.ts';
import type { Claim } from '#idempotency/once.ts';
import { newBookingCode } from '#values/code.ts';
import { newId } from '#values/id.ts';
import { normaliseRego } from '#values/rego.ts';
import { requireLink } from '#workshops/access/gate.ts';
import { customerNames } from './columns.ts';
import { instantOf, valuesOf } from './field.ts';
import { carFields, createFields } from './fields.ts';
import { needOf } from './place.ts';
import type { Booking, CreateBookingBody } from './schema.ts';
import { insertBooking, insertHeldBooking, insertOwnBooking } from './store.ts';

const codesAtMost = 5;

type Needed = Pick<Context, 'db' | 'clock' | 'nudgeRelay'>;

export interface CreateBooking {
  /** Null: the workshop's own booking, which no partner sees; the workshop gets no notice of its own changes. */
  readonly partnerId: string | null;
  readonly body: CreateBookingBody;
  /** E.164. */
  readonly phone: string;
  readonly claim: Claim | null;
  /** `asSet` unless given. */
  readonly enforce?: Enforce;
}

/** Resolves to null when the claim was lost. Throws 404 030001, 403 000004, and 409 060003 where no place is free. */
export function createBooking(context: Needed, request: CreateBooking): Promise<Booking | null> {
  return attemptPlace(context.db, () => create(context, request));
}

async function create(context: Needed, request: CreateBooking): Promise<Booking | null> {
  const { partnerId, body, phone, claim, enforce = 'asSet' } = request;
  const workshopId = body.workshopId.toLowerCase();
  const rules = await knownRules(context.db, workshopId);
  if (rules === null) throw new Problem('030001');
  const notify = body.skipNotification !== true;
  const [now, date] = [context.clock.now(), instantOf(body.bookingTime)];
  const place = await takePlace(context, rules, {
    ...{ workshopId, partnerId, enforce, own: null },
    ...needOf({ date, createdAt: now, ...valuesOf(createFields, body) }),
  });
  const booking = {
    ...{ partnerId, workshopId, setupVersion: rules.version, date, ...place },
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
    now,
    idempotencyKey: claim?.idempotencyKey ?? null,
    claimOwner: claim?.claimOwner ?? null,
  };

  const insert =
    partnerId === null ? insertOwnBooking : place.heldTo === null ? insertBooking : insertHeldBooking;
  for (let attempt = 1; ; attempt++) {
    try {
      const row = await insert(context.db, { ...booking, code: newBookingCode() });
      requireLink(row);
      if (!row.setupIsCurrent) throw new OutdatedRules(workshopId, null);
      if (row.booking !== null) context.nudgeRelay();
      return row.booking;
    } catch (error) {
      if (attempt === codesAtMost || violatedConstraint(error) !== 'booking_code') {
        throw placeError(error, workshopId, date);
      }
    }
  }
}
