/** /console/switch, and the forms by which a person returns to a shared desk; these need no sign-in. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actors } from '#base/values/actor.ts';
import { idOr, nilId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import type { Form } from '#platform/pages/form.ts';
import { findPinDate } from '#product/people/desk/pin/store.ts';
import { signOutDesk } from '#product/people/desk/sign-out.ts';
import { listDesk } from '#product/people/desk/store.ts';
import { type Switched, switchPerson } from '#product/people/desk/switch.ts';
import type { PersonRoute } from '../frame/console-page.ts';
import { browserSha256Of, connectionOf } from '../frame/cookie.ts';
import { show, signedIn } from '../frame/routes.ts';
import { goOn } from '../sign-in/begun.ts';
import { SignInCookies } from '../sign-in/cookies.ts';
import { endHere } from '../sign-in/routes.ts';
import { withoutSpaces } from './pin.ts';
import { switchPage } from './view.ts';

export const deskRoutes: readonly PersonRoute[] = [
  {
    method: 'GET',
    path: 'switch',
    async handle({ context, request, who }) {
      const browserSha256 = browserSha256Of(connectionOf(context, request), request);
      const hasPin = (await findPinDate(context.db, who.personId)) !== null;
      const people = await othersAt(context, browserSha256, who.sessionId);
      return switchPage({ people, own: { name: who.name, hasPin } });
    },
  },
];

const othersAt = async ({ db }: Context, browserSha256: Buffer | null, own: string | null) =>
  browserSha256 === null
    ? []
    : (await listDesk(db, browserSha256)).filter(({ sessionId }) => sessionId !== own);

type Sent = { Body: Form | undefined; Params: { readonly id: string } };

export function serveDesk(app: FastifyInstance, context: Context): void {
  app.post<Sent>('/console/sign-in/desk/:id', (request, reply) => comeBack(context, request, reply));
  app.post('/console/sign-out/everybody', async (request, reply) => {
    const { browserSha256 } = new SignInCookies(context, request, reply);
    const who = await signedIn(context, request);
    const actor = who === null ? actors.visitor(request.id) : actors.person(who.personId, request.id);
    if (browserSha256 !== null) await signOutDesk(context, actor, browserSha256);
    return endHere(context, request, reply);
  });
}

async function comeBack(
  context: Context,
  request: FastifyRequest<Sent>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const cookies = new SignInCookies(context, request, reply);
  const { browserSha256 } = cookies;
  const { pin, next } = request.body ?? {};
  const sessionId = idOr(request.params.id, nilId);
  const switched: Switched =
    browserSha256 === null
      ? { state: 'gone' }
      : await switchPerson(context, {
          ...{ sessionId, browserSha256, requestId: request.id },
          pin: withoutSpaces(pin),
        });
  if (switched.state === 'in') return goOn(reply, cookies, switched, next);
  const who = await signedIn(context, request);
  const people = await othersAt(context, browserSha256, who?.sessionId ?? null);
  return show(reply, null, switchPage({ people, own: null, ...saidOf(switched, sessionId) }));
}

function saidOf(switched: Exclude<Switched, { state: 'in' }>, sessionId: string) {
  if (switched.state === 'gone')
    return { message: 'This session has ended: sign in with a code, as somebody else.' };
  const { triesLeft } = switched;
  const left = triesLeft === 1 ? 'one try is left' : `${triesLeft} tries are left`;
  return { fault: { sessionId, message: `is not right: ${left}` } };
}
