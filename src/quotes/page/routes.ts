/** GET /q/{code}; GET and POST /q/{code}/accept and /q/{code}/decline. */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { manageCode, managePath } from '#bookings/manage-link/codes.ts';
import { publicUrl } from '#config/public-url.ts';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { type Form, queryOf } from '#pages/form.ts';
import { pageScope, showPage } from '#pages/scope.ts';
import { parseInstant } from '#values/instant.ts';
import { acceptQuote } from '../accept.ts';
import { declineQuote } from '../decline.ts';
import { confirmPage, timePage } from './accept-page.ts';
import { boundedAnswer } from './bounded-answer.ts';
import { type OpenedQuote, openQuote, pathOf } from './open.ts';
import { declinePage, quotePage } from './quote-page.ts';
import { isFree, weekOf } from './times.ts';

interface Sent {
  Params: { code: string };
  Body: Form;
}
type Request = FastifyRequest<Sent>;

export function quotePageRoutes(context: Context): FastifyPluginAsync {
  return pageScope((app) => register(app, context), publicUrl(context.config));
}

function register(app: FastifyInstance, context: Context): void {
  async function open(request: Request): Promise<OpenedQuote> {
    const opened = await openQuote(context, request.params.code, request.ip);
    request.shop = opened.shop;
    return opened;
  }

  /** Null, and led to the quote, when there is nothing to answer any more. Throws 403 for a link that is off. */
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

  /** The quote as it is now, where the answer was to another price. */
  async function showNews(request: Request, reply: FastifyReply) {
    return showPage(reply.code(409), quotePage(await open(request), null, true));
  }

  async function showTimes(
    reply: FastifyReply,
    opened: OpenedQuote,
    form: Form,
    alternatives: readonly string[] | null,
  ) {
    const answer = await weekOf(context, opened, dateOf(form['from']));
    const choice = { answer, day: dateOf(form['day']) ?? undefined, now: context.clock.now(), alternatives };
    return showPage(reply, timePage(opened, choice));
  }

  app.get<Sent>('/q/:code', async (request, reply) => {
    const opened = await open(request);
    const { bookingId } = opened.quote;
    return showPage(
      reply,
      quotePage(opened, bookingId && managePath(await manageCode(context.db, bookingId))),
    );
  });

  app.get<Sent>('/q/:code/accept', async (request, reply) => {
    const opened = await openOffer(request, reply);
    if (opened === null) return reply;
    const form = queryOf(request);
    const time = parseInstant(form['time'] ?? '');
    if (time === null) return showTimes(reply, opened, form, null);
    if (!(await isFree(context, opened, time))) return showTimes(reply, opened, form, []);
    return showPage(reply, confirmPage(opened, time));
  });

  app.post<Sent>('/q/:code/accept', async (request, reply) => {
    const opened = await openOffer(request, reply);
    if (opened === null) return reply;
    const form = request.body ?? {};
    const time = parseInstant(form['time'] ?? '');
    if (time === null || !(await isFree(context, opened, time))) {
      return showTimes(reply.code(409), opened, {}, []);
    }
    try {
      const count = boundedAnswer(context, opened, request.ip);
      const result = await acceptQuote(context, opened.quote.id, time.toISOString(), seenBy(form), count);
      if (result?.quote.status === 'quoted') return showNews(request, reply);
    } catch (error) {
      if (!(error instanceof Problem && error.errorCode === '060003')) throw error;
      return showTimes(reply.code(409), opened, {}, alternativesOf(error));
    }
    return reply.redirect(pathOf(opened), 303);
  });

  app.get<Sent>('/q/:code/decline', async (request, reply) => {
    const opened = await openOffer(request, reply);
    return opened === null ? reply : showPage(reply, declinePage(opened));
  });

  app.post<Sent>('/q/:code/decline', async (request, reply) => {
    const opened = await openOffer(request, reply);
    if (opened === null) return reply;
    const count = boundedAnswer(context, opened, request.ip);
    const seen = seenBy(request.body ?? {});
    const result = await declineQuote(context, opened.quote.id, 'customer', seen, count);
    if (result?.quote.status === 'quoted') return showNews(request, reply);
    return reply.redirect(pathOf(opened), 303);
  });
}

/** The version of the quote that the form was made for; undefined when it names none. */
const seenBy = ({ version = '' }: Form) => (/^\d{1,9}$/.test(version) ? Number(version) : undefined);

function alternativesOf({ details }: Problem): readonly string[] {
  const { alternatives } = { alternatives: [], ...details } as { alternatives: readonly string[] };
  return alternatives;
}

const dateOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== null
    ? text
    : null;
