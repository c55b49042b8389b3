/** /console/sign-in/second: the second factor, after the code from the e-mail. Without it nobody is signed in. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { queryOf } from '#platform/pages/form.ts';
import { DeskFull } from '#product/people/desk/take.ts';
import { findHalfSignIn } from '#product/people/sessions/half-open/store.ts';
import { finishByRecoveryCode, finishByTotp } from '#product/people/sessions/second-factor.ts';
import { show } from '../frame/routes.ts';
import { goOn, pageOf, type Request, type Sent, visitorOf } from './begun.ts';
import { SignInCookies } from './cookies.ts';
import { signInPath } from './next.ts';
import { recoveryPage, secondPage } from './second-pages.ts';

export function serveSecondFactor(app: FastifyInstance, context: Context): void {
  app.get<Sent>('/console/sign-in/second', (request, reply) => {
    const { next, by } = queryOf(request);
    return ask(context, request, reply, { next, isRecovery: by === 'recovery-code' });
  });
  app.post<Sent>('/console/sign-in/second', async (request, reply) => {
    const cookies = new SignInCookies(context, request, reply);
    const { code = '', recoveryCode, next } = request.body ?? {};
    const isRecovery = recoveryCode !== undefined;
    const again = (fault: string) => ask(context, request, reply, { next, isRecovery, fault });
    if (cookies.connection === 'refused') return reply.redirect(signInPath(null), 303);
    const visitor = visitorOf(request, cookies);
    try {
      const done = isRecovery
        ? await finishByRecoveryCode(context, recoveryCode, visitor)
        : await finishByTotp(context, code, visitor);
      if (done === null) return reply.redirect(signInPath(null), 303);
      return done === 'wrong' ? again('is not right, or was used already') : goOn(reply, cookies, done, next);
    } catch (error) {
      if (error instanceof DeskFull) return again(error.message);
      if (!(error instanceof Problem && error.status === 429)) throw error;
      return again('was wrong too often: wait a quarter of an hour, or take another way');
    }
  });
}

interface Asked {
  readonly next: string | undefined;
  readonly isRecovery: boolean;
  readonly fault?: string;
}

/** The page; redirects to the sign-in if this browser has no sign-in waiting for a second factor. */
async function ask(
  context: Context,
  request: Request,
  reply: FastifyReply,
  { next, isRecovery, fault }: Asked,
): Promise<FastifyReply> {
  const cookies = new SignInCookies(context, request, reply);
  const browserSha256 = cookies.browserSha256;
  const half = browserSha256 && (await findHalfSignIn(context.db, browserSha256));
  if (half === null) return reply.redirect(signInPath(null), 303);
  const page = { ...pageOf(context, request, cookies, next), fault };
  return show(reply, null, isRecovery ? recoveryPage(half, page) : secondPage(half, page));
}
