/** POST and GET /bookings, GET and PUT /bookings/{id}, POST /bookings/{id}/{status}. */

import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { seenIn } from '#platform/http/etag.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { judgePhone } from '#platform/http/phone-field.ts';
import { isStrict } from '#platform/http/strict.ts';
import { listPartnerRecords } from '#platform/records/partner-records.ts';
import { workshopCountry } from '#product/workshops/access/country.ts';
import { createBooking } from './create.ts';
import { readBookingPage } from './list/store.ts';
import * as operations from './operations.ts';
import { bookingRecord } from './record.ts';
import { type AnyBooking, type BookingAnswer, ofPartner } from './schema.ts';
import { changeStatus } from './status.ts';
import { type BookingVersion, findBookingCountry, readBooking } from './store.ts';
import { updateBooking } from './update.ts';

export function bookingRoutes(context: Context): Route[] {
  const { db } = context;
  const bookingsCountry = async (partnerId: string, id: string) =>
    isId(id) ? findBookingCountry(db, partnerId, id) : null;

  return [
    route(operations.createBooking, async ({ partnerId, actor, body: sent, acceptForm, once, request }) => {
      const country = () => workshopCountry(context, partnerId, sent.workshopId);
      const { phone, found } = await judgePhone('customerPhone', sent.customerPhone, country);
      const body = acceptForm(found);
      const refusesPastDays = isStrict(request);
      return once(async (claim) =>
        answer(
          await createBooking(context, { partnerId, actor, body, phone, found, claim, refusesPastDays }),
        ),
      );
    }),

    route(operations.getBooking, async ({ partnerId, params: { id } }) => {
      const found = isId(id) ? await readBooking(db, partnerId, id) : null;
      if (found === null) throw new Problem('060001');
      return versioned(found);
    }),

    route(
      operations.updateBooking,
      async ({ partnerId, actor, params: { id }, body: sent, acceptForm, ifMatch }) => {
        const country = () => bookingsCountry(partnerId, id);
        const { phone, found } = await judgePhone('customerPhone', sent.customerPhone, country);
        const body = acceptForm(found);
        return versioned(
          await updateBooking(context, { actor, bookingId: id, body, phone, found, seen: seenIn(ifMatch) }),
        );
      },
    ),

    route(operations.listBookings, ({ partnerId, query }) =>
      listPartnerRecords(context, bookingRecord, partnerId, query, readBookingPage),
    ),

    route(operations.setBookingStatus, async ({ actor, params: { id, status }, body, ifMatch }) => {
      const [reason, notify] = [body.reason ?? null, body.skipNotification !== true];
      const change = { actor, bookingId: id, status, reason, notify, seen: seenIn(ifMatch) };
      return versioned(await changeStatus(context, change));
    }),
  ];
}

const versioned = ({ version, booking }: BookingVersion) => ({ version, body: answer(booking) });

function answer(booking: AnyBooking): BookingAnswer;
function answer(booking: AnyBooking | null): BookingAnswer | null;
function answer(booking: AnyBooking | null): BookingAnswer | null {
  return booking && { success: true, booking: ofPartner(booking) };
}
