/** POST /bookings, GET /bookings/{id}, PUT /bookings/{id} (document, 4.1 and 4.2; decisions, section 4). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { etagOf } from '#http/etag.ts';
import { out } from '#http/fields.ts';
import { partnerProblems, partnerSecurity } from '#http/openapi.ts';
import { exampleIds } from '#http/openapi-examples.ts';
import { resourcePath } from '#http/paths.ts';
import { type Claim, idempotencyKeyOf, once } from '#idempotency/once.ts';
import { isId } from '#values/id.ts';
import { workshopCountry } from '#workshops/access/country.ts';
import { createBooking } from './create.ts';
import { customerPhone } from './customer-phone.ts';
import { createBookingExamples, getBookingExamples, updateBookingExamples } from './examples.ts';
import {
  type Booking,
  type BookingAnswer,
  BookingAnswerRef,
  CreateBookingBody,
  UpdateBookingBody,
} from './schema.ts';
import { findBookingCountry, readBooking } from './store.ts';
import { updateBooking } from './update.ts';

const tags = ['Bookings'];
const BookingPath = Type.Object({
  id: out.string({ description: "The booking's id.", examples: [exampleIds.booking] }),
});

export function bookingRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/bookings',
      {
        attachValidation: true,
        schema: {
          operationId: 'createBooking',
          tags,
          summary: 'Create a booking',
          description:
            'The booking starts as `pending`. Customer and workshop each get an SMS and an e-mail, unless `skipNotification` ' +
            'is true. The customer is found by phone, the car by registration; both are made when they are new.',
          security: partnerSecurity,
          headers: Type.Object({
            'idempotency-key': Type.Optional(
              Type.String({
                description:
                  '1 to 255 characters. The same key with the same body within 24 hours replays the first success.',
              }),
            ),
          }),
          body: CreateBookingBody,
          examples: createBookingExamples,
          successHeaders: ['ETag', 'Idempotent-Replayed'],
          response: {
            201: BookingAnswerRef,
            ...partnerProblems({ 403: ['000004'], 404: ['030001'], 409: ['000009'], 422: ['000008'] }),
          },
        },
      },
      async (request, reply) => {
        const { partnerId, body } = request;
        const key = idempotencyKeyOf(request.headers);
        const phone = await customerPhone(request, async ({ workshopId }) =>
          typeof workshopId === 'string' && isId(workshopId)
            ? workshopCountry(context, partnerId, workshopId)
            : null,
        );
        if (phone === null) throw new Problem('030001');

        const create = (claim: Claim | null) => createBooking(context, { partnerId, body, phone, claim });
        const outcome =
          key === undefined
            ? { replayed: false as const, result: await create(null) }
            : await once(context, { partnerId, key, path: resourcePath(request), body }, create);
        reply.code(201).header('etag', etagOf(1));
        if (!outcome.replayed) return answer(outcome.result);
        reply.header('idempotent-replayed', 'true');
        return outcome.body as BookingAnswer;
      },
    );

    app.get(
      '/bookings/:id',
      {
        schema: {
          operationId: 'getBooking',
          tags,
          summary: 'Read a booking',
          description: 'One that you made; bookings of other partners are not found.',
          examples: getBookingExamples,
          successHeaders: ['ETag'],
          security: partnerSecurity,
          params: BookingPath,
          response: { 200: BookingAnswerRef, ...partnerProblems({ 404: ['060001'] }) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const found = isId(id) ? await readBooking(context.db, request.partnerId, id) : null;
        if (found === null) throw new Problem('060001');
        reply.header('etag', etagOf(found.version));
        return answer(found.booking);
      },
    );

    app.put(
      '/bookings/:id',
      {
        attachValidation: true,
        schema: {
          operationId: 'updateBooking',
          tags,
          summary: 'Update a booking',
          description:
            'Only the fields that are sent change; `null` clears an optional one. A new `date` notifies the customer, ' +
            'unless `skipNotification` is true; the workshop is never notified. In a completed or cancelled booking only ' +
            'notes, jobNotes and productNotes change. The status is changed by its own operation.',
          security: partnerSecurity,
          params: BookingPath,
          headers: Type.Object({
            'if-match': Type.Optional(
              Type.String({
                description: 'The ETag of the version that this update builds on; another one gives 412.',
              }),
            ),
          }),
          body: UpdateBookingBody,
          examples: updateBookingExamples,
          successHeaders: ['ETag'],
          response: {
            200: BookingAnswerRef,
            ...partnerProblems({ 403: ['000004'], 404: ['060001'], 409: ['060004'], 412: ['000010'] }),
          },
        },
      },
      async (request, reply) => {
        const { partnerId, body } = request;
        const { id } = request.params;
        const phone = await customerPhone(request, async () =>
          isId(id) ? findBookingCountry(context.db, partnerId, id) : null,
        );
        // Without a country the phone could not be judged: there is no such booking.
        if (!isId(id) || (phone === null && body.customerPhone !== undefined)) throw new Problem('060001');
        const ifMatch = request.headers['if-match'];
        const { booking, version } = await updateBooking(context, {
          partnerId,
          bookingId: id,
          body,
          phone,
          ifMatch,
        });
        reply.header('etag', etagOf(version));
        return answer(booking);
      },
    );
  };
}

function answer(booking: Booking | null): BookingAnswer {
  if (booking === null) throw new Error('a booking was made without a result');
  return { success: true, booking };
}
