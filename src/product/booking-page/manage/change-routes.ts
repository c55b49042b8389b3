/** GET and POST /b/{code}/move and /b/{code}/cancel. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseInstant } from '#base/values/instant.ts';
import { addDays, dateAt } from '#base/values/local-day.ts';
import type { Context } from '#platform/context.ts';
import { type Form, queryOf } from '#platform/pages/form.ts';
import { showPage } from '#platform/pages/scope.ts';
import { visitorOf } from '#platform/pages/visitor.ts';
import { managePath } from '#product/bookings/manage-link/codes.ts';
import { moveDays } from '#product/bookings/move-days.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import {
  type Alternatives,
  alternativesOf,
  askedOf,
  dayOfFreeTime,
  type ReadDays,
  readFreeTimes,
} from '#product/customer-pages/free-times.ts';
import type { Done } from './booking-page.ts';
import { cancelPage } from './cancel-page.ts';
import { cancelByCustomer, moveByCustomer } from './change.ts';
import { movePage, moveQuestion } from './move-page.ts';
import { type OpenedBooking, openBooking } from './open.ts';

interface Route {
  Params: { code: string };
  Body: Form;
}
type Request = FastifyRequest<Route>;

export function changeRoutes(app: FastifyInstance, context: Context): void {
  /** Null, and the booking is shown instead: its customer can't change it. */
  async function openToChange(request: Request, reply: FastifyReply): Promise<OpenedBooking | null> {
    const opened = await openBooking(context, request.params.code, request.ip);
    request.shop = opened.shop;
    if (opened.mayChange) return opened;
    await reply.redirect(managePath(opened.code), 303);
    return null;
  }

  const daysOf =
    ({ booking }: OpenedBooking): ReadDays =>
    (from, to) =>
      moveDays(context, booking.id, from, to);

  async function showTimes(
    reply: FastifyReply,
    opened: OpenedBooking,
    choice: Form,
    taken: Alternatives | null,
  ): Promise<FastifyReply> {
    const asked = askedOf(choice);
    const times = await readFreeTimes(opened.shop, context.clock.now(), asked, daysOf(opened));
    return showPage(reply, movePage(opened, times, taken));
  }

  /** Without a choice the booking's own day, where it can be booked. */
  function withOwnDay({ booking, shop }: OpenedBooking, choice: Form): Form {
    if (['from', 'day', 'soonest'].some((name) => choice[name] !== undefined)) return choice;
    const day = dateAt(Date.parse(booking.date), shop.timezone);
    const today = dateAt(context.clock.now().getTime(), shop.timezone);
    return day <= addDays(today, shop.horizonDays) ? { day } : choice;
  }

  /** A booking that has the wanted state counts as done: the form may have been sent twice. */
  async function showDone(
    request: Request,
    reply: FastifyReply,
    opened: OpenedBooking,
    isDone: boolean,
    done: Done,
    isAsAsked: (booking: AnyBooking) => boolean,
  ): Promise<FastifyReply> {
    const { code } = opened;
    const stands = isDone || isAsAsked((await openBooking(context, code, request.ip)).booking);
    return reply.redirect(`${managePath(code)}?done=${stands ? done : 'stale'}`, 303);
  }

  app.get<Route>('/b/:code/move', async (request, reply) => {
    const opened = await openToChange(request, reply);
    if (opened === null) return reply;
    const choice = queryOf(request);
    const time = parseInstant(choice['time'] ?? '');
    if (time === null) return showTimes(reply, opened, withOwnDay(opened, choice), null);
    const day = await dayOfFreeTime(opened.shop, time, daysOf(opened));
    if (day === null) return showTimes(reply, opened, {}, []);
    return showPage(reply, moveQuestion(opened, time));
  });

  app.post<Route>('/b/:code/move', async (request, reply) => {
    const opened = await openToChange(request, reply);
    if (opened === null) return reply;
    const form = request.body ?? {};
    const time = parseInstant(form['time'] ?? '');
    if (time === null) return showTimes(reply, opened, {}, null);
    try {
      // A past time is never refused by availability: it would be recorded without any check.
      if (time <= context.clock.now()) return showTimes(reply.code(409), opened, {}, []);
      const done = await moveByCustomer(context, opened, time, form, visitorOf(request));
      return showDone(request, reply, opened, done, 'moved', ({ date }) => date === time.toISOString());
    } catch (error) {
      const alternatives = alternativesOf(error);
      if (alternatives === null) throw error;
      return showTimes(reply.code(409), opened, {}, alternatives);
    }
  });

  app.get<Route>('/b/:code/cancel', async (request, reply) => {
    const opened = await openToChange(request, reply);
    return opened === null ? reply : showPage(reply, cancelPage(opened));
  });

  app.post<Route>('/b/:code/cancel', async (request, reply) => {
    const opened = await openToChange(request, reply);
    if (opened === null) return reply;
    const done = await cancelByCustomer(context, opened, request.body ?? {}, visitorOf(request));
    return showDone(request, reply, opened, done, 'cancelled', ({ status }) => status === 'cancelled');
  });
}
