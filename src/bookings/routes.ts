/** POST and GET /bookings, GET and PUT /bookings/{id}, POST /bookings/{id}/{status}. */
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { type Route, route } from '#http/operation.ts';
import { judgePhone } from '#http/phone-field.ts';
import { isId } from '#values/id.ts';
import { workshopCountry } from '#workshops/access/country.ts';
import { createBooking } from './create.ts';
import { listOwnBookings } from './list/list.ts';
import * as operations from './operations.ts';
import type { Booking, BookingAnswer } from './schema.ts';
import { changeStatus } from './status.ts';
import { findBookingCountry, readBooking } from './store.ts';
import { updateBooking } from './update.ts';

export function bookingRoutes(context: Context): Route[] {
  const { db } = context;
  const countryOf = async (partnerId: string, workshopId: unknown) =>
    typeof workshopId === 'string' && isId(workshopId)
      ? workshopCountry(context, partnerId, workshopId)
      : null;

  return [
    route(operations.createBooking, async ({ partnerId, body: sent, accept, once }) => {
      const judged = await judgePhone('customerPhone', sent.customerPhone, () =>
        countryOf(partnerId, sent.workshopId),
      );
      const body = accept(judged.found);
      const { phone } = judged;
      if (phone === null) throw new Problem('030001');
      return once(async (claim) => answer(await createBooking(context, { partnerId, body, phone, claim })));
    }),

    route(operations.getBooking, async ({ partnerId, params: { id } }) => {
      const found = isId(id) ? await readBooking(db, partnerId, id) : null;
      if (found === null) throw new Problem('060001');
      return { version: found.version, body: answer(found.booking) };
    }),

    route(operations.updateBooking, async ({ partnerId, params: { id }, body: sent, accept, ifMatch }) => {
      const { phone, found } = await judgePhone('customerPhone', sent.customerPhone, async () =>
        isId(id) ? findBookingCountry(db, partnerId, id) : null,
      );
      const body = accept(found);
      // Without a country the phone cannot be checked: there is no such booking.
      if (!isId(id) || (phone === null && body.customerPhone !== undefined)) throw new Problem('060001');
      const { version, booking } = await updateBooking(context, {
        ...{ partnerId, bookingId: id, body, phone, ifMatch },
      });
      return { version, body: answer(booking) };
    }),

    route(operations.listBookings, async ({ partnerId, query }) => ({
      success: true,
      ...(await listOwnBookings(context, partnerId, query)),
    })),

    route(operations.setBookingStatus, async ({ partnerId, params: { id, status }, body, ifMatch }) => {
      if (!isId(id)) throw new Problem('060001');
      const [reason, notify] = [body.reason ?? null, body.skipNotification !== true];
      const { version, booking } = await changeStatus(context, {
        ...{ partnerId, bookingId: id, status, reason, notify, ifMatch },
      });
      return { version, body: answer(booking) };
    }),
  ];
}

function answer(booking: Booking): BookingAnswer;
function answer(booking: Booking | null): BookingAnswer | null;
function answer(booking: Booking | null): BookingAnswer | null {
  return booking && { success: true, booking };
}
