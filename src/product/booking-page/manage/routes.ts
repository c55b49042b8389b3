/** GET and POST /book/{slug}/manage and /b; GET /b/{code} and /b/{code}/booking.ics. */
import type { FastifyInstance } from 'fastify';
import { isBookingCode, readCode } from '#base/values/code.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Form, queryOf } from '#platform/pages/form.ts';
import { showPage } from '#platform/pages/scope.ts';
import { findPath } from '#platform/pages/shop.ts';
import { manageCode, managePath } from '#product/bookings/manage-link/codes.ts';
import { findWorkshopBySlug } from '#product/customer-pages/store.ts';
import { bookAgainPath } from '../again.ts';
import { bookingPage, isDone, isOn } from './booking-page.ts';
import { calendarFile } from './calendar-file.ts';
import { lookUp, lookUpAnywhere } from './look-up.ts';
import { lookUpPage } from './look-up-page.ts';
import { openBooking } from './open.ts';

export function manageRoutes(app: FastifyInstance, context: Context): void {
  const { db } = context;

  app.get<{ Params: { slug: string } }>('/book/:slug/manage', async (request, reply) => {
    const shop = await findWorkshopBySlug(db, request.params.slug);
    if (shop === null) throw new Problem('000002');
    return showPage(reply, lookUpPage(shop, {}, []));
  });

  app.post<{ Params: { slug: string }; Body: Form }>('/book/:slug/manage', async (request, reply) => {
    const shop = await findWorkshopBySlug(db, request.params.slug);
    if (shop === null) throw new Problem('000002');
    request.shop = shop;
    const found = await lookUp(context, shop, request.body ?? {}, request.ip);
    if ('bookingId' in found) return reply.redirect(managePath(await manageCode(db, found.bookingId)), 303);
    return showPage(reply.code(400), lookUpPage(shop, request.body ?? {}, found.faults));
  });

  app.get(findPath, async (request, reply) => {
    const code = readCode(queryOf(request)['code'] ?? '');
    return showPage(reply, lookUpPage(null, isBookingCode(code) ? { code } : {}, []));
  });

  app.post<{ Body: Form }>(findPath, async (request, reply) => {
    const form = request.body ?? {};
    const found = await lookUpAnywhere(context, form, request.ip);
    if ('bookingId' in found) return reply.redirect(managePath(await manageCode(db, found.bookingId)), 303);
    return showPage(reply.code(400), lookUpPage(null, form, found.faults));
  });

  app.get<{ Params: { code: string } }>('/b/:code', async (request, reply) => {
    const opened = await openBooking(context, request.params.code, request.ip);
    request.shop = opened.shop;
    const { done } = queryOf(request);
    const { booking, shop, partnerId } = opened;
    const services = booking.services.flatMap(({ catalogId }) => catalogId ?? []);
    const again = isOn(booking)
      ? null
      : await bookAgainPath(context, { shop, partnerId, rego: booking.car.rego, services });
    return showPage(reply, bookingPage(opened, isDone(done) ? done : null, again));
  });

  app.get<{ Params: { code: string } }>('/b/:code/booking.ics', async (request, reply) => {
    const opened = await openBooking(context, request.params.code, request.ip);
    reply.header('content-disposition', 'attachment; filename="booking.ics"');
    return reply.type('text/calendar; charset=utf-8').send(calendarFile(opened));
  });
}
