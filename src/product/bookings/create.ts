/**
 * Creates a booking: POST /bookings (specification: Creating a booking), or a workshop's own booking. One statement, shared with concurrent requests,
 * writes customer, car, booking and event.
 */

import { type Actor, isWorkshopItself } from '#base/values/actor.ts';
import { newBookingCode } from '#base/values/code.ts';
import { isId, newId } from '#base/values/id.ts';
import { normaliseRego } from '#base/values/rego.ts';
import { type FieldError, invalidFields, Problem, refuseFound } from '#errors.ts';
import { type ChangeContext, changeAtOnce } from '#platform/change/change.ts';
import { type Database, isJoined } from '#platform/db/database.ts';
import { actorValues } from '#platform/events/record.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import type { Claim } from '#platform/idempotency/once.ts';
import { OutdatedRules, PlaceTaken, placeError } from '#product/availability/places/again.ts';
import { isContested, noteRefusal } from '#product/availability/places/contested.ts';
import { ensureDay } from '#product/availability/places/days.ts';
import type { Enforce } from '#product/availability/places/place.ts';
import { freshRules, isPastDay, knownRules } from '#product/availability/places/rules.ts';
import { takePlace } from '#product/availability/places/take.ts';
import type { StoredItem } from '#product/catalogue/enrich.ts';
import { acceptedPhone } from '#product/orders/accepted-phone.ts';
import { customerNames } from '#product/orders/customer-names.ts';
import { valuesOf } from '#product/orders/field.ts';
import { carFields } from '#product/orders/fields.ts';
import { newItems } from '#product/orders/services.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import { createFields } from './fields.ts';
import { apart, type Prepared, settleChosen } from './own-customer.ts';
import { needOf } from './place.ts';
import { readReminderCode } from './reminder-code/code.ts';
import { reminderIsOpen } from './reminder-code/store.ts';
import type { AnyBooking, NewBookingBody } from './schema.ts';
import { newServices } from './services.ts';
import { insertBooking, insertHeldBooking, insertOwnBooking, insertRedeemingBooking } from './store.ts';

export interface CreateBooking {
  /** The booking's partner. Null: the workshop's own booking, which no partner sees. */
  readonly partnerId: string | null;
  /** The author of the booking; the workshop gets no notice of its own bookings. */
  readonly actor: Actor;
  readonly body: NewBookingBody;
  /** E.164; null when it is invalid, when there is no such workshop, or when none was given. */
  readonly phone: string | null;
  /** Faults of the phone; those of services are added. */
  readonly found?: readonly FieldError[];
  readonly claim: Claim | null;
  /** A day before the workshop's present one is a fault, unless nobody is notified (specification: Times 5). */
  readonly refusesPastDays?: boolean;
  /** Defaults to `asSet`. */
  readonly enforce?: Enforce;
  /** The reason of staff for taking the place against the rules; given, the place is not checked. */
  readonly anyway?: string | null;
  /** For an own booking in a change: the customer, when no phone identifies one. A chosen walk-in gets the given phone. */
  readonly customerId?: string | null;
  /** For an own booking in a change: a known customer keeps their name, and the booking alone has the given one. */
  readonly keepsName?: boolean;
  /**
   * For an own booking in a change: whoever makes it does not see phones. A number that they have typed leads to no known
   * customer; `filledIn`: it is the chosen customer's own.
   */
  readonly hidesNumbers?: 'typed' | 'filledIn' | null;
  /** For an own booking: it is made `confirmed` (specification: The workshop's own bookings). */
  readonly isConfirmed?: boolean;
  /** Services that are already filled; they replace those of the body. */
  readonly items?: readonly StoredItem[];
  /** False: the workshop gets no notice of this event, because something else notifies it. */
  readonly notifyWorkshop?: boolean;
}

/**
 * Resolves to null when the idempotency claim was lost, or the customer does not exist. Throws, in this order, 404 030001, 403
 * 000004, 400 000001, and 409 060003 when no place is free. In the change of a caller, the refusals of places begin that one again.
 */
export function createBooking(context: ChangeContext, request: CreateBooking): Promise<AnyBooking | null> {
  return changeAtOnce(context, async (attempt) => {
    const { db } = context;
    const workshopId = request.body.workshopId.toLowerCase();
    const optimistic = attempt === 1 && !isJoined(db) && !isContested(db, workshopId);
    const prepared = await prepare(context, request, optimistic);
    const booking = request.hidesNumbers ? await apart(db, prepared, request.hidesNumbers) : prepared;
    if (booking.partnerId === null) await settleChosen(db, booking);
    return written(db, booking);
  });
}

function insertOf({ partnerId, reminderCode, heldTo }: Prepared) {
  if (partnerId === null) return insertOwnBooking;
  if (reminderCode !== null) return insertRedeemingBooking;
  return heldTo === null ? insertBooking : insertHeldBooking;
}

/** The row to insert, with its place. */
async function prepare(
  { db, clock }: ChangeContext,
  request: CreateBooking,
  optimistic: boolean,
): Promise<Prepared> {
  const { partnerId, actor, body, claim, anyway = null } = request;
  const enforce = anyway === null ? (request.enforce ?? 'asSet') : 'never';
  const notifyWorkshop = request.notifyWorkshop ?? !isWorkshopItself(actor);
  const workshopId = body.workshopId.toLowerCase();
  const rulesOf = isJoined(db) ? freshRules : knownRules;
  const rules = isId(workshopId) ? await rulesOf(db, workshopId) : null;
  if (rules === null) throw new Problem('030001');
  const { stored, version, found } =
    request.items === undefined
      ? await newItems(db, workshopId, body.services ?? [])
      : { stored: request.items, version: null, found: [] };
  const reminderCode = body.reminderCode ? readReminderCode(body.reminderCode) : null;
  const isUsable =
    !body.reminderCode ||
    (reminderCode !== null && (await reminderIsOpen(db, { partnerId, workshopId, code: reminderCode })));
  const notify = body.skipNotification !== true;
  const [now, date] = [clock.now(), checkedInstant(body.bookingTime)];
  const isRefusedDay = request.refusesPastDays === true && notify && isPastDay(rules, date, now);
  const faults = [...found, ...(isUsable ? [] : [unusableCode]), ...(isRefusedDay ? [pastDay] : [])];
  const customerPhone =
    body.customerPhone === null ? noPhone(faults) : await acceptedPhone(db, request, faults);
  if (version !== null && version !== rules.version) throw new OutdatedRules(workshopId, null);
  const services = newServices(stored, body.serviceCategory ?? null);
  const place = await takePlace(db, now, rules, {
    ...{ workshopId, partnerId, enforce, own: null, optimistic },
    ...needOf({ date, createdAt: now, ...services }),
  });
  if (optimistic && place.heldTo !== null && place.occupiedFrom !== null)
    await ensureDay(db, workshopId, rules, rules.dayOf(place.occupiedFrom.getTime()), partnerId);
  return {
    ...{ partnerId, workshopId, reminderCode, setupVersion: rules.version, date, ...place },
    ...customerNames(body.customerName),
    customerEmail: body.customerEmail,
    customerPhone,
    carRego: body.carRego === null ? null : normaliseRego(body.carRego),
    anywayReason: anyway,
    customerId: request.customerId ?? null,
    keepsName: request.keepsName ?? false,
    isApart: false,
    status: request.isConfirmed ? 'confirmed' : 'pending',
    ...valuesOf(createFields, body),
    ...services,
    ...valuesOf(carFields, body),
    bookingId: newId(),
    newCustomerId: newId(),
    newCarId: newId(),
    eventId: newId(),
    notifyCustomer: notify,
    notifyWorkshop: notify && notifyWorkshop,
    now,
    ...actorValues(actor),
    idempotencyKey: claim?.idempotencyKey ?? null,
    claimOwner: claim?.claimOwner ?? null,
  };
}

function noPhone(faults: readonly FieldError[]): null {
  refuseFound(faults);
  return null;
}

const unusableCode: FieldError = {
  field: 'reminderCode',
  message:
    'is not the code of a reminder of yours at this workshop, or it was used or cancelled; a booking needs none',
};

const pastDay: FieldError = {
  field: 'bookingTime',
  message:
    'lies on a day that is past at the workshop: notices would go out for it, so send skipNotification: true for history; without Pitlane-Strict: on it is accepted as it is',
};

async function written(db: Database, booking: Prepared): Promise<AnyBooking | null> {
  const { workshopId, date, customerId } = booking;
  const row = await insertOf(booking)(db, { ...booking, code: newBookingCode() }).catch((thrown: unknown) => {
    const error = placeError(thrown, workshopId, date);
    if (error instanceof PlaceTaken) noteRefusal(db, workshopId);
    throw error;
  });
  // The chosen customer was deleted after the look-up.
  if (row === null && customerId !== null) return null;
  requireLink(row);
  if (!row.reminderIsOpen) throw invalidFields([unusableCode]);
  if (!row.setupIsCurrent) throw new OutdatedRules(workshopId, null);
  return row.booking;
}
