/** /console/sign-in and sign-out: the pages without a session. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowsDemo } from '#base/config/demo.ts';
import { actors } from '#base/values/actor.ts';
import { cleanEmail, isEmail } from '#base/values/email.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { type Form, queryOf } from '#platform/pages/form.ts';
import { askForCode } from '#product/people/codes/ask.ts';
import { DeskFull } from '#product/people/desk/take.ts';
import { endHalfSignIn } from '#product/people/sessions/half-open/store.ts';
import { signInByAddress, signInByCode } from '#product/people/sessions/sign-in.ts';
import { signOut } from '#product/people/sessions/sign-out.ts';
import { findAnySession } from '#product/people/sessions/store.ts';
import { hashSessionToken } from '#product/people/sessions/token.ts';
import { deskAtSignIn } from '../desk/view.ts';
import { connectionOf } from '../frame/cookie.ts';
import { show, signedIn } from '../frame/routes.ts';
import { goOn, pageOf, type Request, type Sent, visitorOf } from './begun.ts';
import { SignInCookies } from './cookies.ts';
import { readNext, signInPath } from './next.ts';
import { codePage, demoPage, emailPage, signOutPage } from './pages.ts';
import { servePasskeySignIn } from './passkey.ts';
import { serveSecondFactor } from './second.ts';
import { secondPath } from './second-pages.ts';

export function serveSignIn(app: FastifyInstance, context: Context): void {
  app.get<Sent>('/console/sign-in', async (request, reply) => {
    const cookies = new SignInCookies(context, request, reply);
    const { next, other } = queryOf(request);
    const asked = other === undefined ? cookies.askedFor : null;
    const of = pageOf(context, request, cookies, next);
    if (asked !== null) return show(reply, null, codePage({ ...of, email: asked }));
    const who = await signedIn(context, request);
    const desk = await deskAtSignIn(context, cookies, { own: who?.sessionId ?? null, next: of.next });
    return show(reply, null, emailPage({ ...of, email: who?.email ?? '', desk }));
  });
  app.post<Sent>('/console/sign-in', (request, reply) => {
    const cookies = new SignInCookies(context, request, reply);
    const form = request.body ?? {};
    if (cookies.connection === 'refused')
      return show(
        reply,
        null,
        emailPage({
          ...pageOf(context, request, cookies, form['next']),
          email: '',
          fault: 'can not be sent over this connection',
        }),
      );
    return form['code'] === undefined
      ? ask(context, request, reply, cookies, form)
      : enter(context, request, reply, cookies, form);
  });
  app.get('/console/sign-out', async (_, reply) => show(reply, null, signOutPage));
  app.post<Sent>('/console/sign-out', (request, reply) => endHere(context, request, reply));
  servePasskeySignIn(app, context);
  serveSecondFactor(app, context);
  serveDemo(app, context);
}

async function ask(
  context: Context,
  request: Request,
  reply: FastifyReply,
  cookies: SignInCookies,
  { email: typed = '', next }: Form,
): Promise<FastifyReply> {
  const email = cleanEmail(typed);
  if (!isEmail(email))
    return show(
      reply,
      null,
      emailPage({ ...pageOf(context, request, cookies, next), email, fault: 'is not an e-mail address' }),
    );
  const browserSha256 = cookies.nameBrowser();
  await askForCode(context, { email, address: request.ip, browserSha256 });
  cookies.setAskedFor(email, browserSha256);
  return reply.redirect(signInPath(readNext(next)), 303);
}

async function enter(
  context: Context,
  request: Request,
  reply: FastifyReply,
  cookies: SignInCookies,
  { code = '', email: typed, next }: Form,
): Promise<FastifyReply> {
  const email = cookies.askedFor ?? cleanEmail(typed ?? '');
  const of = pageOf(context, request, cookies, next);
  if (!isEmail(email))
    return show(reply, null, emailPage({ ...of, email, fault: 'is needed beside a code' }));
  const visitor = visitorOf(request, cookies);
  let fault = 'is not right, was used, or has run out';
  try {
    const begun = await signInByCode(context, { email, code }, visitor);
    if (begun === 'secondFactor') {
      cookies.forgetAskedFor();
      return reply.redirect(secondPath(readNext(next)), 303);
    }
    if (begun !== null) return goOn(reply, cookies, begun, next);
  } catch (error) {
    if (!(error instanceof DeskFull)) throw error;
    fault = error.message;
  }
  cookies.setAskedFor(email, visitor.browserSha256);
  return show(reply, null, codePage({ ...of, email, fault }));
}

/** Signs out here. Only the session's cookie is cleared: cookies of other services on the host, and the browser's id, stay. */
export async function endHere(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const cookies = new SignInCookies(context, request, reply);
  const session = cookies.sessionSha256 && (await findAnySession(context.db, cookies.sessionSha256));
  if (session) await signOut(context, actors.person(session.personId, request.id), session);
  const browserSha256 = cookies.browserSha256;
  if (browserSha256 !== null) await endHalfSignIn(context.db, browserSha256);
  cookies.endSession();
  return reply.header('clear-site-data', '"cache", "storage"').redirect('/console/sign-in', 303);
}

/** The address that the demo prints: opening it changes nothing, its button signs in, once. */
function serveDemo(app: FastifyInstance, context: Context): void {
  app.get<Sent>('/console/sign-in/demo/:token', async (request, reply) => {
    const { token = '' } = request.params;
    if (hashSessionToken(token) === null) throw new Problem('000002');
    requireDemo(context);
    const next = readNext(queryOf(request)['next']);
    return show(reply, null, demoPage(token, next, connectionOf(context, request)));
  });
  app.post<Sent>('/console/sign-in/demo/:token', async (request, reply) => {
    const cookies = new SignInCookies(context, request, reply);
    requireDemo(context);
    const hash = hashSessionToken(request.params['token'] ?? '');
    const isHere = cookies.connection !== 'refused';
    const begun = hash && isHere ? await signInByAddress(context, hash, visitorOf(request, cookies)) : null;
    if (begun === null)
      throw new Problem('000003', {
        message: 'This address was used, or has run out: the next start prints a new one',
      });
    return goOn(reply, cookies, begun, request.body?.['next']);
  });
}

/** Throws 403 on a public address, and where a gateway is real. */
function requireDemo({ config }: Context): void {
  if (!allowsDemo(config))
    throw new Problem('000003', {
      message: 'The demo is for a machine of its own: this installation is open to others',
    });
}
