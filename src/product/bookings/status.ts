/** Gives a booking another status: POST /bookings/{id}/{status}, and the workshop's own commands (specification: Status of a booking). */

import { type Actor, isWorkshopItself, partnerOf } from '#base/values/actor.ts';
import { isId, newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { actorValues } from '#platform/events/record.ts';
import { matchesVersion, type Seen } from '#platform/http/etag.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import { lockBooking, writeStatus } from './change/store.ts';
import { type ChangedBooking, type Holding, holding, requireOf, unchanged } from './hold.ts';
import { transitionFault } from './rules.ts';
import type { BookingStatus } from './schema.ts';

export interface ChangeStatus extends Holding {
  /** A partner changes its own bookings, any other actor any; the workshop gets no notice of its own changes. */
  readonly actor: Actor;
  readonly bookingId: string;
  readonly status: BookingStatus;
  /** The reason of a cancellation, also in the customer's notice; not stored for other statuses. */
  readonly reason: string | null;
  /** False: no notices. */
  readonly notify: boolean;
  readonly seen?: Seen;
}

/**
 * The same status again changes nothing. Throws, in this order, 404 060001, 403 000004, 412 000010 and 409 060002, which names
 * the permitted statuses.
 */
export async function changeStatus(context: ChangeContext, request: ChangeStatus): Promise<ChangedBooking> {
  const { actor, bookingId, status, notify } = request;
  const partnerId = partnerOf(actor);
  if (!isId(bookingId)) throw new Problem('060001');
  return change(context, async ({ tx, now }) => {
    const present = await lockBooking(tx, partnerId, bookingId);
    if (present === null) throw new Problem('060001');
    requireOf(request, present);
    if (partnerId !== null) requireLink({ linkActive: present.linkActive === true });
    if (!matchesVersion(request.seen, present.version)) throw new Problem('000010');

    const { booking } = present;
    if (booking.status === status) return unchanged(present);
    const fault = transitionFault(booking.status, status);
    if (fault !== null) throw new Problem('060002', { message: fault });
    const hold = await holding(tx, request, present, `booking.${status}`);
    const eventId = newId();
    const written = await writeStatus(tx, {
      bookingId: booking.id,
      eventId,
      partnerId: present.partnerId,
      status,
      previousStatus: booking.status,
      cancelReason: status === 'cancelled' ? request.reason : null,
      notifyCustomer: notify,
      notifyWorkshop: notify && !isWorkshopItself(actor),
      now,
      ...actorValues(actor),
    });
    return hold(written, eventId);
  });
}
