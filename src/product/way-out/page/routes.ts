/** GET and POST /u/{code}, POST /u/{code}/undo. GET changes nothing: phones and scanners open links by themselves. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import { readCode } from '#base/values/code.ts';
import type { Context } from '#platform/context.ts';
import { boundedGuess } from '#platform/pages/guesses.ts';
import { pageScope, showPage } from '#platform/pages/scope.ts';
import { visitorOf } from '#platform/pages/visitor.ts';
import { findPageWorkshop } from '#product/customer-pages/store.ts';
import { stopTexts, takeBackStop } from '../stop.ts';
import { findWayOut } from '../store.ts';
import { wayOutPath } from '../way-out.ts';
import { wayOutPage } from './page.ts';
import { forgetUndo, keepUndo, readUndo } from './undo-cookie.ts';

interface Sent {
  Params: { code: string };
}

export const wayOutRoutes = (context: Context): FastifyPluginAsync =>
  pageScope((app) => register(app, context), publicUrl(context.config));

function register(app: FastifyInstance, context: Context): void {
  /** Throws 404 and 429. */
  async function open(request: FastifyRequest<Sent>) {
    const code = readCode(request.params.code);
    const found = await boundedGuess(context, { of: 'way-out', address: request.ip }, () =>
      findWayOut(context.db, code, context.clock.now()),
    );
    const shop = await findPageWorkshop(context.db, found.workshopId);
    request.shop = shop;
    return { ...found, code, shop };
  }

  app.get<Sent>('/u/:code', async (request, reply) => {
    const opened = await open(request);
    const { code, shop, version } = opened;
    const stopsNotices = !context.config.optOutExemptCountries.includes(shop.country);
    const mayTakeBack = readUndo(context, request, code) === version;
    return showPage(reply, wayOutPage({ ...opened, stopsNotices, mayTakeBack }));
  });

  app.post<Sent>('/u/:code', async (request, reply) => {
    const { code } = await open(request);
    const version = await stopTexts(context, code, visitorOf(request).actor);
    if (version !== null) keepUndo(context, reply, code, version);
    return reply.redirect(wayOutPath(code), 303);
  });

  app.post<Sent>('/u/:code/undo', async (request, reply) => {
    const { code } = await open(request);
    const version = readUndo(context, request, code);
    if (version !== null) {
      await takeBackStop(context, code, version, visitorOf(request).actor);
      forgetUndo(context, reply, code);
    }
    return reply.redirect(wayOutPath(code), 303);
  });
}
