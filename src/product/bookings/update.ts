/** Changes a booking: PUT /bookings/{id} (specification: Changing a booking). Concurrent updates wait for each other, so none is lost. */

import { type Actor, partnerOf } from '#base/values/actor.ts';
import { isId, newId } from '#base/values/id.ts';
import { type FieldError, Problem, refuseFound } from '#errors.ts';
import { changesOf } from '#platform/audit/changes.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Queryable } from '#platform/db/database.ts';
import { columnOf } from '#platform/db/parameters.ts';
import { actorValues } from '#platform/events/record.ts';
import { matchesVersion, type Seen } from '#platform/http/etag.ts';
import { OutdatedRules, placeError } from '#product/availability/places/again.ts';
import type { Enforce } from '#product/availability/places/place.ts';
import type { KnownRules } from '#product/availability/places/rules.ts';
import { correctCar } from '#product/customers/cars/store.ts';
import { findOrMakeCustomer, followCustomer, workshopItself } from '#product/customers/store.ts';
import { givePhone, removeLeftCar, removeLeftCustomer } from '#product/customers/walk-ins/store.ts';
import { customerNames } from '#product/orders/customer-names.ts';
import { staffCarFields } from '#product/orders/fields.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import {
  type BookingChange,
  type LockedBooking,
  lockBooking,
  lockCar,
  writeBooking,
} from './change/store.ts';
import { type ChangedBooking, type Holding, holding, requireOf, unchanged } from './hold.ts';
import { nextPlace } from './place.ts';
import { frozenFields, type NextState, nextState } from './rules.ts';
import type { AnyBooking, BookingChanges, CarDetails } from './schema.ts';
import { nextServices, type ServiceColumns } from './services.ts';

/** The customer and the workshop's staff may change any booking; the workshop gets no notice of its own changes. */
export interface UpdateBooking extends Holding {
  /** A partner changes its own bookings, any other actor any. */
  readonly actor: Actor;
  readonly body: BookingChanges;
  readonly bookingId: string;
  /** Staff's details of the car; absent: none. */
  readonly details?: CarDetails | undefined;
  /** The sent customerPhone as E.164; null when none was sent, when it is invalid, or when there is no such booking. */
  readonly phone: string | null;
  /** Faults of the phone; those of services are added. */
  readonly found?: readonly FieldError[];
  readonly seen?: Seen;
  /** Defaults to `asSet`. */
  readonly enforce?: Enforce;
  /** The reason of staff for taking the place against the rules; given, the place is not checked. */
  readonly anyway?: string | null;
  /**
   * Called with the locked booking and its next state before anything else is decided of them; its error is thrown. Resolves to the
   * rules under which it has found the place free, or null.
   */
  readonly judge?: (tx: Queryable, asked: Asked) => Promise<KnownRules | null>;
}

/** A change before it is decided. */
export interface Asked {
  readonly present: LockedBooking;
  readonly next: NextState;
  readonly services: ServiceColumns;
}

/** The fields that are written to the customer's row, or that give the booking another car. */
const followed = new Set<string>(['customerName', 'customerEmail', 'customerCompany', 'carRego']);
const nameless = { name: null, firstName: null, lastName: null };

/**
 * Throws, in this order, 404 060001, 403 000004, 400 000001, 412 000010, 409 060004 and 060003. An update that changes nothing
 * writes nothing.
 */
export async function updateBooking(context: ChangeContext, request: UpdateBooking): Promise<ChangedBooking> {
  const { actor, bookingId, body, phone, found = [], anyway = null, details = {} } = request;
  const partnerId = partnerOf(actor);
  // The sent phone was parsed with the country of the booking: without a country there is no such booking.
  const isJudged = phone !== null || found.length > 0 || (body.customerPhone ?? null) === null;
  if (!isId(bookingId) || !isJudged) throw new Problem('060001');
  return change(context, async ({ tx, now }) => {
    const present = await lockBooking(tx, partnerId, bookingId);
    if (present === null) throw new Problem('060001');
    requireOf(request, present);
    if (partnerId !== null) requireLink({ linkActive: present.linkActive === true });
    const { booking } = present;
    const services = await nextServices(tx, present, body);
    const next = nextState(booking, { ...body, ...services.columns }, phone, details);
    const { changed } = next;
    const free = await request.judge?.(tx, { present, next, services: services.columns });
    refuseFound([...found, ...services.found]);
    if (!matchesVersion(request.seen, present.version)) throw new Problem('000010');

    const frozen = frozenFields(booking.status, changed);
    if (frozen.length > 0) {
      throw new Problem('060004', {
        message: `A ${booking.status} booking does not change its ${frozen.join(', ')}`,
      });
    }
    if (changed.length === 0) return unchanged(present);

    const place = await nextPlace(tx, now, {
      ...{ present, next, services: services.columns, free: free ?? null },
      ...{ enforce: anyway === null ? (request.enforce ?? 'asSet') : 'never', anyway },
    });
    const customerId = await customerOf(tx, partnerId ?? workshopItself, booking, next, now);
    // The car can move with the booking only when no other booking uses it, and none may start to.
    if (customerId !== booking.customerId) await lockCar(tx, booking.carId);
    const regoChanged = changed.includes('carRego');
    // The details move with the booking to another customer; another rego is another car, unless the car had none.
    const isOther = regoChanged && booking.car.rego !== null;
    const detailOf = <Name extends keyof typeof staffCarFields>(name: Name) =>
      isOther && details[name] === undefined ? null : next.content[name];
    const { workshopId } = booking;
    const { content } = next;
    // Only for the trail.
    const beside = changesOf(
      { customerId: booking.customerId, anywayReason: present.anywayReason },
      { customerId, anywayReason: place.anywayReason },
    );
    const hold = await holding(tx, request, present, 'booking.updated', changed);
    const changes: BookingChange = {
      ...content,
      ...contactOf(content, present),
      ...place,
      ...customerNames(content.customerName),
      serviceMinutes: services.columns.serviceMinutes,
      serviceCategoryDerived: services.columns.serviceCategoryDerived,
      partnerId: present.partnerId,
      bookingId,
      carId: booking.carId,
      customerId,
      carYear: detailOf('carYear'),
      carMake: detailOf('carMake'),
      carModel: detailOf('carModel'),
      carVin: detailOf('carVin'),
      carBadge: isOther ? null : booking.car.badge,
      regoChanged,
      previousDate: changed.includes('date') ? booking.date : null,
      before: { ...next.before, ...beside?.before },
      after: { ...next.after, ...beside?.after },
      notifyCustomer: body.skipNotification !== true,
      notifyWorkshop: actor.kind === 'customer' && body.skipNotification !== true,
      newCarId: newId(),
      eventId: newId(),
      now,
      ...actorValues(actor),
    };
    const made = await writeBooking(tx, changes).catch((error: unknown) => {
      throw placeError(error, workshopId, place.occupiedFrom ?? content.date);
    });
    if (made === null) throw new OutdatedRules(workshopId, null);
    await followCar(tx, made.booking.carId, next, now);
    if (present.partnerId === null) await clearUp(tx, booking, made.booking);
    return hold(made, changes.eventId);
  });
}

/** In a partner's booking whose customer was erased, empty texts stay; null would mean "not given". */
const contactOf = (
  { customerEmail, customerPhone }: NextState['content'],
  { partnerId }: LockedBooking,
): Pick<BookingChange, 'customerEmail' | 'customerPhone'> =>
  partnerId === null
    ? { customerEmail, customerPhone }
    : { customerEmail: customerEmail ?? '', customerPhone: customerPhone ?? '' };

/** Writes the details that staff have changed to the car's row, as a new booking does. */
async function followCar(tx: Queryable, carId: string, { content, changed }: NextState, now: Date) {
  const names = changed.filter((name) => Object.hasOwn(staffCarFields, name));
  if (names.length === 0) return;
  const { carYear: year, carMake: make, carModel: model, carVin: vin } = content;
  await correctCar(
    tx,
    { carId, names: names.map((name) => columnOf(name).slice('car_'.length)), year, make, model, vin },
    now,
  );
}

/** Deletes the walk-in and the car that the booking had before it moved to another customer or car. */
async function clearUp(tx: Queryable, before: AnyBooking, { carId, customerId }: AnyBooking) {
  const left = { ...before, bookingId: before.id };
  if (carId !== before.carId && before.car.rego === null) await removeLeftCar(tx, left);
  if (customerId !== before.customerId) await removeLeftCustomer(tx, left);
}

/** The customer of the next state. Its row gets the fields that `partnerId` sent, and is locked when its cars may change. */
async function customerOf(
  tx: Queryable,
  partnerId: string,
  booking: AnyBooking,
  next: NextState,
  now: Date,
): Promise<string> {
  const { content, changed } = next;
  const { customerFirstName: firstName, customerLastName: lastName } = customerNames(content.customerName);
  const { customerName: name, customerEmail: email, customerCompany: company } = content;
  const { workshopId, customerId } = booking;
  const phone = changed.includes('customerPhone') ? content.customerPhone : null;
  if (phone !== null) {
    if (booking.customer.phone === null) await givePhone(tx, { workshopId, customerId, phone, now });
    return findOrMakeCustomer(tx, {
      ...{ newId: newId(), workshopId },
      ...{ name, firstName, lastName },
      ...{ email, company },
      phone,
      partnerId,
      now,
    });
  }
  if (changed.some((field) => followed.has(field))) {
    await followCustomer(tx, {
      ...{ id: customerId, workshopId },
      ...(changed.includes('customerName') ? { name, firstName, lastName } : nameless),
      email: changed.includes('customerEmail') ? email : null,
      company: changed.includes('customerCompany') ? company : null,
      partnerId,
      now,
    });
  }
  return customerId;
}
