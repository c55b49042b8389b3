/** Changes a booking: PUT /bookings/{id} (document, 4.2). Concurrent updates wait for each other, so none is lost. */
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { matchesVersion } from '#http/etag.ts';
import { newId } from '#values/id.ts';
import { requireLink } from '#workshops/access/gate.ts';
import { frozenFields, nextState } from './rules.ts';
import type { UpdateBookingBody } from './schema.ts';
import { type BookingVersion, lockBooking, writeBooking } from './store.ts';

export interface UpdateBooking {
  readonly partnerId: string;
  readonly bookingId: string;
  readonly body: UpdateBookingBody;
  /** The sent customerPhone as E.164; null when none was sent. */
  readonly phone: string | null;
  readonly ifMatch: string | undefined;
}

const contactFields = ['customerName', 'customerEmail', 'customerPhone', 'customerCompany'];

/** Throws 404 060001, 403 000004, 412 000010 and 409 060004. An update that changes nothing writes nothing. */
export async function updateBooking(context: Context, request: UpdateBooking): Promise<BookingVersion> {
  const { partnerId, bookingId, body } = request;
  const result = await context.db.transaction(async (tx) => {
    const present = await lockBooking(tx, partnerId, bookingId);
    if (present === null) throw new Problem('060001');
    requireLink(present);
    if (!matchesVersion(request.ifMatch, present.version)) throw new Problem('000010');

    const { booking } = present;
    const { content, interval, carRego, changed } = nextState(booking, body, request.phone);
    const frozen = frozenFields(booking.status, changed);
    if (frozen.length > 0) {
      throw new Problem('060004', { message: `A ${booking.status} booking does not change its ${frozen.join(', ')}` });
    }
    if (changed.length === 0) return { booking, version: present.version };

    const regoChanged = changed.includes('carRego');
    const dateChanged = changed.includes('date');
    // A car that follows to another customer keeps its details; another rego is another car.
    const car = regoChanged ? null : booking.car;
    return writeBooking(tx, {
      ...content,
      interval,
      partnerId,
      bookingId,
      carId: booking.carId,
      customerId: booking.customerId,
      carRego,
      carYear: car?.year ?? null,
      carMake: car?.make ?? null,
      carModel: car?.model ?? null,
      carBadge: car?.badge ?? null,
      carVin: car?.vin ?? null,
      contactChanged: changed.some((field) => contactFields.includes(field)),
      regoChanged,
      dateChanged,
      notifyCustomer: body.skipNotification !== true,
      newCustomerId: newId(),
      newCarId: newId(),
      eventId: newId(),
      now: context.clock.now(),
    });
  });
  context.nudgeRelay();
  return result;
}
