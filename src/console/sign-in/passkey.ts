/** /console/sign-in/passkey: signs in by a passkey, without an address or a code. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { DeskFull } from '#product/people/desk/take.ts';
import { askForPasskey, signInByPasskey } from '#product/people/factors/passkeys/sign-in.ts';
import { partyOf } from '../frame/party.ts';
import { noScript } from '../frame/passkey-form.ts';
import { show } from '../frame/routes.ts';
import { goOn, pageOf, type Sent, visitorOf } from './begun.ts';
import { SignInCookies } from './cookies.ts';
import { emailPage } from './pages.ts';

export function servePasskeySignIn(app: FastifyInstance, context: Context): void {
  app.post<Sent>('/console/sign-in/passkey/options', async (request, reply) => {
    const cookies = new SignInCookies(context, request, reply);
    if (cookies.connection === 'refused')
      throw new Problem('000003', { message: 'Nobody signs in over a connection that is not encrypted' });
    const visitor = visitorOf(request, cookies);
    return reply.send(await askForPasskey(context.db, partyOf(context, request), visitor));
  });
  app.post<Sent>('/console/sign-in/passkey', async (request, reply) => {
    const cookies = new SignInCookies(context, request, reply);
    const { credential = '', next } = request.body ?? {};
    const refuse = (passkeyFault: string) =>
      show(reply, null, emailPage({ ...pageOf(context, request, cookies, next), email: '', passkeyFault }));
    if (cookies.connection === 'refused') return refuse('can not be used over this connection');
    if (credential === '') return refuse(noScript);
    const party = partyOf(context, request);
    try {
      const begun = await signInByPasskey(context, party, credential, visitorOf(request, cookies));
      return begun === null
        ? refuse('is not known here, or took longer than five minutes: try again')
        : goOn(reply, cookies, begun, next);
    } catch (error) {
      if (!(error instanceof DeskFull)) throw error;
      return refuse(`is right, but ${error.message}`);
    }
  });
}
