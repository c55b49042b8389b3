/** GET /q/{code}; GET and POST /q/{code}/accept and /q/{code}/decline; POST /q/{code}/again. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import { parseInstant } from '#base/values/instant.ts';
import { Problem } from '#errors.ts';
import { type Change, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { type Form, queryOf, versionOf } from '#platform/pages/form.ts';
import { pageScope, showPage } from '#platform/pages/scope.ts';
import { visitorOf } from '#platform/pages/visitor.ts';
import { bookAgainPath } from '#product/booking-page/again.ts';
import { manageCode, managePath } from '#product/bookings/manage-link/codes.ts';
import {
  type Alternatives,
  alternativesOf,
  askedOf,
  dayOfFreeTime,
  readFreeTimes,
} from '#product/customer-pages/free-times.ts';
import { refuseLink } from '#product/customer-pages/refuse-link.ts';
import { type Acceptance, acceptQuote } from '../accept.ts';
import { type Decline, declineQuote } from '../decline.ts';
import { confirmPage, timePage } from './accept-page.ts';
import { askAgain, mayAskAgain } from './ask-again.ts';
import { boundResponse } from './bound-response.ts';
import { type OpenedQuote, openQuote, pathOf } from './open.ts';
import { declinePage, quotePage, type Ways } from './quote-page.ts';
import { quoteDays } from './times.ts';

interface Sent {
  Params: { code: string };
  Body: Form;
}
type Request = FastifyRequest<Sent>;

export function quotePageRoutes(context: Context): FastifyPluginAsync {
  return pageScope((app) => register(app, context), publicUrl(context.config), { refuse: refuseLink });
}

function register(app: FastifyInstance, context: Context): void {
  async function open(request: Request): Promise<OpenedQuote> {
    const opened = await openQuote(context, request.params.code, request.ip);
    request.shop = opened.shop;
    return opened;
  }

  /** Null, after a redirect to the quote, when it can no longer be answered. Throws 403 for a link that is off. */
  async function openOffer(request: Request, reply: FastifyReply): Promise<OpenedQuote | null> {
    const opened = await open(request);
    if (!opened.isOffer) {
      reply.redirect(pathOf(opened), 303);
      return null;
    }
    if (!opened.isOpen)
      throw new Problem('000003', { message: 'This quote can’t be answered here any more.' });
    return opened;
  }

  /** Shows the present quote, after an answer to another price. */
  async function showNews(request: Request, reply: FastifyReply) {
    return showPage(reply.code(409), quotePage(await open(request), noWays, true));
  }

  /** An answer is counted in its commit; one that changes nothing is not. */
  function respond<T extends Acceptance | Decline>(
    opened: OpenedQuote,
    { ip }: Request,
    answer: (within: Change['within']) => Promise<T | null>,
  ): Promise<T | null> {
    return change(context, async ({ tx, within }) => {
      const result = await answer(within);
      if (result?.written) await boundResponse(tx, context, opened, ip, result.written);
      return result;
    });
  }

  async function showTimes(reply: FastifyReply, opened: OpenedQuote, form: Form, taken: Alternatives | null) {
    const asked = askedOf(form);
    const times = await readFreeTimes(opened.shop, context.clock.now(), asked, quoteDays(context, opened));
    return showPage(reply, timePage(opened, times, taken));
  }

  app.get<Sent>('/q/:code', async (request, reply) => {
    const opened = await open(request);
    return showPage(reply, quotePage(opened, await waysOf(context, opened)));
  });

  app.get<Sent>('/q/:code/accept', async (request, reply) => {
    const opened = await openOffer(request, reply);
    if (opened === null) return reply;
    const form = queryOf(request);
    const time = parseInstant(form['time'] ?? '');
    if (time === null) return showTimes(reply, opened, form, null);
    const day = await dayOfFreeTime(opened.shop, time, quoteDays(context, opened));
    if (day === null) return showTimes(reply, opened, {}, []);
    return showPage(reply, confirmPage(opened, time));
  });

  app.post<Sent>('/q/:code/accept', async (request, reply) => {
    const opened = await openOffer(request, reply);
    if (opened === null) return reply;
    const form = request.body ?? {};
    const time = parseInstant(form['time'] ?? '');
    // A booking in the past is recorded as it is, without a check of its time.
    if (time === null || time <= context.clock.now()) return showTimes(reply.code(409), opened, {}, []);
    try {
      const { actor } = visitorOf(request);
      const [id, bookingTime, seen] = [opened.quote.id, time.toISOString(), versionOf(form)];
      const result = await respond(opened, request, (within) =>
        acceptQuote(within, id, bookingTime, actor, { seen }),
      );
      if (result?.quote.status === 'quoted') return showNews(request, reply);
    } catch (error) {
      const alternatives = alternativesOf(error);
      if (alternatives === null) throw error;
      return showTimes(reply.code(409), opened, {}, alternatives);
    }
    return reply.redirect(pathOf(opened), 303);
  });

  app.post<Sent>('/q/:code/again', async (request, reply) => {
    const opened = await open(request);
    if (!mayAskAgain(opened)) return reply.redirect(pathOf(opened), 303);
    const code = await askAgain(context, opened, visitorOf(request));
    return reply.redirect(pathOf({ quote: { code } }), 303);
  });

  app.get<Sent>('/q/:code/decline', async (request, reply) => {
    const opened = await openOffer(request, reply);
    return opened === null ? reply : showPage(reply, declinePage(opened));
  });

  app.post<Sent>('/q/:code/decline', async (request, reply) => {
    const opened = await openOffer(request, reply);
    if (opened === null) return reply;
    const seen = versionOf(request.body ?? {});
    const { actor } = visitorOf(request);
    const result = await respond(opened, request, (within) =>
      declineQuote(within, opened.quote.id, actor, { seen }),
    );
    if (result?.quote.status === 'quoted') return showNews(request, reply);
    return reply.redirect(pathOf(opened), 303);
  });
}

const noWays: Ways = { booking: null, again: null };

async function waysOf(context: Context, { quote, shop, partnerId }: OpenedQuote): Promise<Ways> {
  const { bookingId, status, car, services: wanted } = quote;
  if (bookingId !== null) return { ...noWays, booking: managePath(await manageCode(context.db, bookingId)) };
  if (status !== 'declined' && status !== 'expired') return noWays;
  const services = wanted.flatMap(({ catalogId }) => catalogId ?? []);
  return { ...noWays, again: await bookAgainPath(context, { shop, partnerId, rego: car.rego, services }) };
}
