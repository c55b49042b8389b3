/** Serves the places of the console: who is signed in, whether they may go there, the answer as a page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import { actors } from '#base/values/actor.ts';
import { Problem } from '#errors.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';
import { type Form, queryOf } from '#platform/pages/form.ts';
import { may } from '#product/people/permissions.ts';
import { isFresh } from '#product/people/sessions/fresh.ts';
import { keepForm } from '#product/people/sessions/kept-forms/keep.ts';
import { readSession, type SignedIn, setLastWorkshop } from '#product/people/sessions/store.ts';
import { readNext, signInPath } from '../sign-in/next.ts';
import { connectionOf, sessionSha256Of } from './cookie.ts';
import { withVersion } from './form-key/submit.ts';
import { renderConsole, type Where } from './layout.ts';
import type { Answer, PersonRoute, WorkshopRoute } from './place.ts';
import type { Visit, WorkshopVisit } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the console, once it is known: refusals are shown in its layout. */
    visit: Where;
  }
}

interface Sent {
  Params: Record<string, string>;
  Body: Form | undefined;
}
type Request = FastifyRequest<Sent>;

/** Posts of one session. */
const postsPerMinute = 300;

export function servePersonRoute(app: FastifyInstance, context: Context, route: PersonRoute): void {
  const { method, path, handle } = route;
  app.route<Sent>({
    ...{ method, url: path === '' ? '/console' : `/console/${path}` },
    handler: async (request, reply) => {
      const visit = await openVisit(context, request);
      return visit === null ? toSignIn(context, request, reply) : show(reply, visit, await handle(visit));
    },
  });
}

export function serveWorkshopRoute(app: FastifyInstance, context: Context, route: WorkshopRoute): void {
  const { method, path, permission, handle } = route;
  app.route<Sent>({
    ...{ method, url: `/console/w/:slug/${path}` },
    handler: async (request, reply) => {
      const visit = await openVisit(context, request);
      if (visit === null) return toSignIn(context, request, reply);
      const at = atWorkshop(visit);
      request.visit = at;
      if (!at.may(permission)) {
        const message = `Your role at ${at.workshop.name} is ${at.workshop.role}. An owner can change that`;
        throw new Problem('000003', { message });
      }
      await rememberWorkshop(at);
      return show(reply, at, await handle(at));
    },
  });
}

/** Null: nobody is signed in. */
async function openVisit(context: Context, request: Request): Promise<Visit | null> {
  const who = await signedIn(context, request);
  if (who === null) return null;
  const visit: Visit = {
    ...{ context, request, who },
    actor: actors.person(who.personId, request.id),
    params: request.params,
    query: queryOf(request),
    form: withVersion(request.body ?? {}),
  };
  request.visit = visit;
  if (request.method === 'POST') await countPost(context, who);
  return visit;
}

/** Whoever the cookie of the request signs in; null: nobody. */
export async function signedIn(context: Context, request: FastifyRequest): Promise<SignedIn | null> {
  const hash = sessionSha256Of(connectionOf(context, request), request);
  return hash === null ? null : readSession(context.db, hash);
}

/** Throws 404 for a workshop that is not the person's, as for one that does not exist. */
function atWorkshop(visit: Visit): WorkshopVisit {
  const { who, params } = visit;
  const workshop = who.memberships.find(({ slug }) => slug === params['slug']);
  if (workshop === undefined) throw new Problem('000002');
  return {
    ...visit,
    workshop,
    base: `/console/w/${workshop.slug}`,
    may: (permission) => may(workshop, permission),
  };
}

async function rememberWorkshop({ context, who, workshop }: WorkshopVisit): Promise<void> {
  if (who.lastWorkshopId !== workshop.workshopId)
    await setLastWorkshop(context.db, who.personId, workshop.workshopId);
}

async function countPost({ db }: Context, { sessionId }: SignedIn): Promise<void> {
  await countAttempt(
    { db },
    {
      limit: { policy: 'console-posts', quota: postsPerMinute, windowSeconds: 60 },
      refusal: 'That was too much at once',
      source: ['console posts', sessionId],
    },
  );
}

/** Leads to the sign-in, which leads back to the page; a form is kept until its sender has signed in again. */
async function toSignIn(context: Context, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  if (request.method !== 'POST') return reply.redirect(signInPath(request.url), 303);
  await keepSent(context, request, request.body ?? {});
  return reply.redirect(signInPath(null), 303);
}

async function keepSent(context: Context, request: FastifyRequest, fields: Form): Promise<void> {
  const hash = sessionSha256Of(connectionOf(context, request), request);
  const path = readNext(request.url);
  if (hash !== null && path !== null) await keepForm(context, hash, { path, fields });
}

/** For what asks for a sign-in of the last 15 minutes: where to go first; null: the sign-in is that young. A form is kept meanwhile. */
export async function whereToSignIn({ context, request, who, form }: Visit): Promise<Answer | null> {
  if (isFresh(who, context.clock)) return null;
  if (request.method !== 'POST') return { to: signInPath(request.url) };
  await keepSent(context, request, form);
  return { to: signInPath(null) };
}

/** A place at a workshop that asks for a sign-in of the last 15 minutes. */
export const afresh =
  (handle: WorkshopRoute['handle']): WorkshopRoute['handle'] =>
  async (visit) =>
    (await whereToSignIn(visit)) ?? handle(visit);

/** Sends an answer of a place. */
export function show(reply: FastifyReply, visit: Where, answer: Answer): FastifyReply {
  if ('to' in answer) return reply.redirect(answer.to, 303);
  const { html, policy } = renderConsole(answer, visit);
  if (answer.isRefusal) reply.code(422);
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
}

/** The service's address, as forms are compared with it. */
export const addressOf = ({ config }: Context): string | null => publicUrl(config);
