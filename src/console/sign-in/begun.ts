/** Shared by every way to sign in: the caller's details, and the redirect after a session has begun. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#platform/context.ts';
import type { Form } from '#platform/pages/form.ts';
import { mailsCodes } from '#product/people/codes/ask.ts';
import type { NewSignIn, Visitor } from '#product/people/sessions/begin.ts';
import { partyOf } from '../frame/party.ts';
import type { SignInCookies } from './cookies.ts';
import { readNext } from './next.ts';
import type { SignInPage } from './pages.ts';

export type Sent = { Body: Form | undefined; Params: Record<string, string> };
export type Request = FastifyRequest<Sent>;

/** The frame of all pages of the sign-in. */
export const pageOf = (
  context: Context,
  request: FastifyRequest,
  { connection }: SignInCookies,
  next: string | undefined,
): Omit<SignInPage, 'email'> => ({
  ...{ next: readNext(next), connection, isMailed: mailsCodes(context.config) },
  origin: partyOf(context, request).origin,
});

export const visitorOf = (request: FastifyRequest, cookies: SignInCookies): Visitor => ({
  requestId: request.id,
  address: request.ip,
  userAgent: request.headers['user-agent'],
  browserSha256: cookies.nameBrowser(),
  formerSha256: cookies.sessionSha256,
});

export function goOn(
  reply: FastifyReply,
  cookies: SignInCookies,
  { token, hasKeptForm }: NewSignIn,
  next?: string,
): FastifyReply {
  cookies.startSession(token);
  return reply.redirect(hasKeptForm ? '/console/sign-in/kept' : (readNext(next) ?? '/console'), 303);
}
