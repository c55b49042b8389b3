/** The operations on bookings (document, 4.1 and 4.2; decisions, section 4; areas, section 4). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { emptyBodyIsFine } from '#http/body-parser.ts';
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
import {
  createBookingExamples,
  getBookingExamples,
  listBookingsExamples,
  setStatusExamples,
  updateBookingExamples,
} from './examples.ts';
import { listOwnBookings } from './list/list.ts';
import {
  type Booking,
  type BookingAnswer,
  BookingAnswerRef,
  BookingListRef,
  CreateBookingBody,
  ListBookingsQuery,
  StatusBody,
  StatusPath,
  UpdateBookingBody,
} from './schema.ts';
import { changeStatus } from './status.ts';
import { findBookingCountry, readBooking } from './store.ts';
import { updateBooking } from './update.ts';

const tags = ['Bookings'];
const BookingPath = Type.Object({
  id: out.string({ description: "The booking's id.", examples: [exampleIds.booking] }),
});

const ifMatchHeader = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description: 'The ETag of the version that this update builds on; another one gives 412.',
    }),
  ),
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
          headers: ifMatchHeader,
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

    app.get(
      '/bookings',
      {
        schema: {
          operationId: 'listBookings',
          tags,
          summary: 'List your bookings',
          description:
            'Newest created first. With `updatedSince` it is a feed of changes, oldest first, whose `nextCursor` is never null: keep it and ask again ' +
            'to get what changed since, each at least once. A cursor goes with the filters of the request that gave it.',
          examples: listBookingsExamples,
          security: partnerSecurity,
          querystring: ListBookingsQuery,
          response: { 200: BookingListRef, ...partnerProblems({ 404: ['030001'] }) },
        },
      },
      async (request) => {
        const page = await listOwnBookings(context, request.partnerId, request.query);
        return { success: true as const, ...page };
      },
    );

    app.post(
      '/bookings/:id/:status',
      {
        ...emptyBodyIsFine,
        schema: {
          operationId: 'setBookingStatus',
          tags,
          summary: 'Confirm, complete or cancel a booking',
          description:
            'A pending booking may become confirmed, completed or cancelled, a confirmed one completed or cancelled. The status that it has already changes ' +
            'nothing. The customer is told by SMS and e-mail when it is confirmed or cancelled, the workshop when it is cancelled, unless `skipNotification` is ' +
            'true. The body may be empty.',
          security: partnerSecurity,
          params: StatusPath,
          headers: ifMatchHeader,
          body: StatusBody,
          examples: setStatusExamples,
          successHeaders: ['ETag'],
          response: {
            200: BookingAnswerRef,
            ...partnerProblems({ 403: ['000004'], 404: ['060001'], 409: ['060002'], 412: ['000010'] }),
          },
        },
      },
      async (request, reply) => {
        const { partnerId, body, params } = request;
        if (!isId(params.id)) throw new Problem('060001');
        const { booking, version } = await changeStatus(context, {
          partnerId,
          bookingId: params.id,
          status: params.status,
          reason: body.reason ?? null,
          notify: body.skipNotification !== true,
          ifMatch: request.headers['if-match'],
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
