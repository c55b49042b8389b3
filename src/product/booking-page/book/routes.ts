/** GET and POST /book/{slug}: service → day and time → details → the booking. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { isTrapped } from '#platform/pages/components.ts';
import { type Form, queryOf } from '#platform/pages/form.ts';
import { showPage } from '#platform/pages/scope.ts';
import { visitorOf } from '#platform/pages/visitor.ts';
import { manageCode, managePath } from '#product/bookings/manage-link/codes.ts';
import {
  type Alternatives,
  alternativesOf,
  dayOfFreeTime,
  readFreeTimes,
} from '#product/customer-pages/free-times.ts';
import { findWorkshopBySlug } from '#product/customer-pages/store.ts';
import { detailsPage, prefilled } from './details-page.ts';
import { servicePage } from './service-page.ts';
import { submit } from './submit.ts';
import { timePage } from './time-page.ts';
import { daysOf } from './times.ts';
import { openVisit, type Visit, type Wanted, wantedByLink } from './visit.ts';

type Request = FastifyRequest<{ Params: { slug: string }; Body: Form }>;

export function bookRoutes(app: FastifyInstance, context: Context): void {
  async function visitOf(request: Request, choice: Form): Promise<Visit> {
    const shop = await findWorkshopBySlug(context.db, request.params.slug);
    if (shop === null) throw new Problem('000002');
    request.shop = shop;
    return openVisit(context, shop, choice);
  }

  async function showTimes(
    reply: FastifyReply,
    visit: Visit,
    wanted: Wanted,
    taken: Alternatives | null = null,
  ): Promise<FastifyReply> {
    const read = daysOf(context, visit, wanted);
    const times = await readFreeTimes(visit.shop, context.clock.now(), visit, read);
    return showPage(reply, timePage(visit, wanted, times, taken));
  }

  app.get<{ Params: { slug: string }; Body: Form }>('/book/:slug', async (request, reply) => {
    const choice = queryOf(request);
    const visit = await visitOf(request, choice);
    // An address with `from` has removed the link's own choice.
    const wanted = visit.wanted ?? (choice['from'] === undefined ? wantedByLink(visit) : null);
    if (wanted === null || visit.isAdding) return showPage(reply, servicePage({ ...visit, wanted }));
    const chosen = { ...visit, wanted };
    const { time } = visit;
    if (time === null) return showTimes(reply, chosen, wanted);
    const day = await dayOfFreeTime(chosen.shop, time, daysOf(context, chosen, wanted));
    if (day === null) return showTimes(reply, chosen, wanted, []);
    const form = prefilled(visit.prefill, visit.shop.country);
    return showPage(
      reply,
      detailsPage({ visit: chosen, wanted, time, day, form, errors: [], formId: newId() }),
    );
  });

  app.post<{ Params: { slug: string }; Body: Form }>('/book/:slug', async (request, reply) => {
    const form = request.body ?? {};
    const visit = await visitOf(request, form);
    const { wanted, time } = visit;
    if (wanted === null) return showPage(reply, servicePage(visit));
    if (time === null || isTrapped(form)) return showTimes(reply, visit, wanted);
    // A booking in the past would be recorded without any check.
    if (time <= context.clock.now()) return showTimes(reply.code(409), visit, wanted, []);
    const submitted = await submit(context, visit, wanted, time, form, visitorOf(request)).catch(
      alternativesOrThrow,
    );
    if ('alternatives' in submitted) return showTimes(reply.code(409), visit, wanted, submitted.alternatives);
    if ('errors' in submitted) {
      const day = await dayOfFreeTime(visit.shop, time, daysOf(context, visit, wanted));
      if (day === null) return showTimes(reply.code(409), visit, wanted, []);
      const { errors } = submitted;
      const formId = form['formId'] ?? newId();
      return showPage(reply.code(400), detailsPage({ visit, wanted, time, day, form, errors, formId }));
    }
    const code = await manageCode(context.db, submitted.bookingId);
    return reply.redirect(`${managePath(code)}?done=booked`, 303);
  });
}

/** The next free times, if the time was taken since. */
function alternativesOrThrow(error: unknown): { readonly alternatives: Alternatives } {
  const alternatives = alternativesOf(error);
  if (alternatives === null) throw error;
  return { alternatives };
}
