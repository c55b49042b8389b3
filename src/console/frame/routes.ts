/** Serves the pages of the console: authenticates the person, checks the permission, and renders the response. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import { actors } from '#base/values/actor.ts';
import { coarseNetworkOf } from '#base/values/network.ts';
import { Problem } from '#errors.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';
import { type Form, queryOf } from '#platform/pages/form.ts';
import { may, type Permission } from '#product/people/permissions.ts';
import { isFresh } from '#product/people/sessions/fresh.ts';
import { keepForm } from '#product/people/sessions/kept-forms/keep.ts';
import {
  type Membership,
  readSession,
  type SignedIn,
  setLastWorkshop,
  type Use,
} from '#product/people/sessions/store.ts';
import { SignInCookies } from '../sign-in/cookies.ts';
import { readNext, signInPath } from '../sign-in/next.ts';
import type { ConsoleResponse, PersonRoute, WorkshopRoute } from './console-page.ts';
import { connectionOf, sessionSha256Of } from './cookie.ts';
import { withVersion } from './form-key/submit.ts';
import { renderConsole, type Where } from './layout.ts';
import { oldReadsOf, rememberChange } from './old-reads.ts';
import type { Visit, WorkshopVisit } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The workshop, once it is known: refusals are shown in its layout. */
    visit: Where;
  }
  interface FastifyContextConfig {
    /** As the page's route declares it. */
    isScripted?: boolean;
    isBeat?: boolean;
  }
}

export interface Sent {
  Params: Record<string, string>;
  Body: Form | undefined;
}
type Request = FastifyRequest<Sent>;

/** The page that sets up a second factor. */
export const setUpPath = '/console/me/second-factor';

/** Posts of one session. */
const postsPerMinute = 300;

export function servePersonRoute(app: FastifyInstance, context: Context, route: PersonRoute): void {
  const { method, path, handle, isSetUp = false, isScripted = false } = route;
  app.route<Sent>({
    ...{ method, url: path === '' ? '/console' : `/console/${path}`, config: { isScripted } },
    handler: async (request, reply) => {
      const visit = await openVisit(context, request);
      if (visit === null) return toSignIn(context, request, reply);
      if (!isSetUp && visit.who.lacksFactorFor !== null) return toSetUp(visit, request, reply);
      return show(reply, visit, rememberChange(visit, reply, await handle(visit)));
    },
  });
}

export function serveWorkshopRoute(app: FastifyInstance, context: Context, route: WorkshopRoute): void {
  const { method, path, permission, handle, uploadAtMostBytes, isBeat = false, onlyAsks = false } = route;
  app.route<Sent>({
    ...{ method, url: `/console/w/:slug/${path}`, config: { isBeat, isScripted: isBeat, onlyAsks } },
    ...(uploadAtMostBytes !== undefined && {
      config: { uploadAtMostBytes },
      onRequest: (request: Request, reply: FastifyReply) => admitUpload(context, request, reply, permission),
    }),
    handler: async (request, reply) => {
      const visit = await openVisit(context, request);
      if (visit === null) return toSignIn(context, request, reply);
      if (visit.who.lacksFactorFor !== null) return toSetUp(visit, request, reply);
      const at = visitAt(visit, permission);
      await rememberWorkshop(at);
      return show(reply, at, rememberChange(at, reply, await handle(at)));
    },
  });
}

/** At the address's workshop. Throws 404 for one that is not the person's or unknown, and 403 without the permission. */
export function visitAt(visit: Visit, permission: Permission): WorkshopVisit {
  const workshop = membershipAt(visit.who, visit.params['slug']);
  const at: WorkshopVisit = {
    ...visit,
    workshop,
    base: `/console/w/${workshop.slug}`,
    may: (each) => may(workshop, each),
  };
  visit.request.visit = at;
  requirePermission(workshop, permission);
  return at;
}

function requirePermission(workshop: Membership, permission: Permission): void {
  if (may(workshop, permission)) return;
  const message = `Your role at ${workshop.name} is ${workshop.role}. An owner can change that`;
  throw new Problem('000003', { message });
}

/** Runs before a file is read: people without the permission are refused without reading it. */
async function admitUpload(
  context: Context,
  request: Request,
  reply: FastifyReply,
  permission: Permission,
): Promise<FastifyReply | undefined> {
  const who = await signedIn(context, request);
  const elsewhere = who === null ? signInPath(null) : who.lacksFactorFor === null ? null : setUpPath;
  if (who === null || elsewhere !== null)
    return reply.header('connection', 'close').redirect(elsewhere ?? signInPath(null), 303);
  requirePermission(membershipAt(who, request.params['slug']), permission);
  request.uploader = { session: who.sessionId };
}

/** Throws 404 for a workshop that is not the person's, as for an unknown one. */
function membershipAt({ memberships }: SignedIn, slug: string | undefined): Membership {
  const membership = memberships.find((each) => each.slug === slug);
  if (membership === undefined) throw new Problem('000002');
  return membership;
}

/** Null: nobody is signed in. */
export async function openVisit(context: Context, request: FastifyRequest): Promise<Visit | null> {
  const who = await signedIn(context, request);
  if (who === null) return null;
  const visit: Visit = {
    ...{ context, request, who },
    oldReads: oldReadsOf(context, request),
    actor: actors.person(who.personId, request.id),
    params: request.params as Sent['Params'],
    query: queryOf(request),
    form: withVersion((request.body as Sent['Body']) ?? {}),
  };
  request.visit = visit;
  if (request.method === 'POST' && !request.routeOptions.config.isBeat) await countPost(context, who);
  return visit;
}

/** The person of the request's cookie; null: nobody. */
export async function signedIn(context: Context, request: FastifyRequest): Promise<SignedIn | null> {
  const hash = sessionSha256Of(connectionOf(context, request), request);
  return hash === null ? null : readSession(context.db, hash, useOf(request));
}

/** A page's own updates, stream and heartbeats: they do not show that anybody is present. */
const isByItself = ({ method, headers, routeOptions: { config } }: FastifyRequest): boolean =>
  config.isBeat === true ||
  (method !== 'POST' && (headers['pitlane-follows'] === 'yes' || config.isStream === true));

const useOf = (request: FastifyRequest): Use => ({
  network: coarseNetworkOf(request.ip),
  isByPerson: !isByItself(request),
});

/** A page's own update is not a visit: two open pages would change the last workshop all the time. */
async function rememberWorkshop({ context, request, who, workshop }: WorkshopVisit): Promise<void> {
  if (who.lastWorkshopId !== workshop.workshopId && !isByItself(request))
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

/** Redirects to the sign-in, which leads back to the page; a form is kept until its sender has signed in again. */
async function toSignIn(context: Context, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  if (request.method !== 'POST') return reply.redirect(signInPath(request.url), 303);
  await keepSent(context, request, request.body ?? {});
  return reply.redirect(signInPath(null), 303);
}

/** Somebody without the second factor that their workshop requires gets only its set-up, also in a session from before the rule. */
async function toSetUp({ context }: Visit, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  if (request.method === 'POST') await keepSent(context, request, request.body ?? {});
  return reply.redirect(setUpPath, 303);
}

async function keepSent(context: Context, request: FastifyRequest, fields: Form): Promise<void> {
  if (request.routeOptions.config.isScripted) return;
  const hash = sessionSha256Of(connectionOf(context, request), request);
  const path = readNext(request.url);
  if (hash !== null && path !== null) await keepForm(context, hash, { path, fields });
}

/** The address of the sign-in, which keeps the form meanwhile; null: the session's sign-in is at most 15 minutes old. */
export async function whereToSignIn({ context, request, who, form }: Visit): Promise<ConsoleResponse | null> {
  if (isFresh(who, context.clock)) return null;
  if (request.method !== 'POST') return { to: signInPath(request.url) };
  await keepSent(context, request, form);
  return { to: signInPath(null) };
}

/** A page that needs a sign-in of the last 15 minutes. */
export const afresh =
  (handle: WorkshopRoute['handle']): WorkshopRoute['handle'] =>
  async (visit) =>
    (await whereToSignIn(visit)) ?? handle(visit);

/** The policy of files and JSON: whatever they contain, browsers load and run nothing. */
const downloadPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Sends the response of a page's handler. */
export function show(reply: FastifyReply, visit: Where, answer: ConsoleResponse): FastifyReply {
  if (answer.sessionToken !== undefined && visit !== null)
    new SignInCookies(visit.context, visit.request, reply).startSession(answer.sessionToken);
  if ('json' in answer)
    return reply
      .header('content-security-policy', downloadPolicy)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(answer.json).replaceAll('<', '\\u003c'));
  if ('to' in answer) return reply.redirect(answer.to, 303);
  if ('pieces' in answer)
    return reply
      .header(
        'content-disposition',
        `${answer.isVisible ? 'inline' : 'attachment'}; filename="${answer.fileName}"`,
      )
      .header('content-security-policy', downloadPolicy)
      .header('cross-origin-resource-policy', 'same-origin')
      .type(answer.type)
      .send(Readable.from(answer.pieces));
  const { html, policy } = renderConsole(answer, visit);
  if (answer.isRefusal) reply.code(422);
  const body = answer.more === undefined ? html : Readable.from(withMore(html, answer.more));
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(body);
}

/** The page, followed by the stream below `main`. */
async function* withMore(page: string, more: AsyncIterable<string>): AsyncGenerator<string> {
  const end = page.lastIndexOf('</main>');
  yield page.slice(0, end);
  yield* more;
  yield page.slice(end);
}

/** The service's address, which a form's origin must equal. */
export const addressOf = ({ config }: Context): string | null => publicUrl(config);
