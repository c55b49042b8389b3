/** Below /console/me: passkeys, the authenticator app and recovery codes. All of them need a sign-in of the last 15 minutes. */

import { InvalidInput } from '#base/operator-error.ts';
import { idOr, nilId } from '#base/values/id.ts';
import type { AddedFactor } from '#product/people/factors/added.ts';
import { addPasskey, offerPasskey } from '#product/people/factors/passkeys/add.ts';
import { renewRecoveryCodes } from '#product/people/factors/recovery-codes/renew.ts';
import { removeFactor, type WhichFactor } from '#product/people/factors/remove.ts';
import { offerSeed, setUpTotp } from '#product/people/factors/totp/set-up.ts';
import { findTotp } from '#product/people/factors/totp/store.ts';
import type { ConsolePage, ConsoleResponse, PersonRoute } from '../../frame/console-page.ts';
import { type FormKey, type Refused, submit } from '../../frame/form-key/submit.ts';
import { partyOf } from '../../frame/party.ts';
import { noScript } from '../../frame/passkey-form.ts';
import { setUpPath, whereToSignIn } from '../../frame/routes.ts';
import type { Visit } from '../../frame/visit.ts';
import { showMe } from '../show.ts';
import { newPasskeyPage, recoveryCodesPage, setUpPage, totpPage } from './pages.ts';

const path = '/console/me';

type Handle = PersonRoute['handle'];
const afresh =
  (handle: Handle): Handle =>
  async (visit) =>
    (await whereToSignIn(visit)) ?? handle(visit);

/** The set-up is also open to people without the second factor that their workshop requires. */
export const methodRoutes: readonly PersonRoute[] = [
  {
    ...{ method: 'GET', path: setUpPath.replace('/console/', ''), isSetUp: true },
    handle: async ({ who }) => (who.lacksFactorFor === null ? { to: path } : setUpPage(who.lacksFactorFor)),
  },
  {
    ...{ method: 'GET', path: 'me/passkeys/new', isSetUp: true },
    handle: afresh(async (visit) => newPasskey(visit, null)),
  },
  {
    ...{ method: 'POST', path: 'me/passkeys/options', isSetUp: true, isScripted: true },
    handle: afresh(async ({ context, request, who }) => ({
      json: await offerPasskey(context.db, partyOf(context, request), who),
    })),
  },
  { ...{ method: 'POST', path: 'me/passkeys', isSetUp: true }, handle: afresh(addOne) },
  {
    ...{ method: 'POST', path: 'me/passkeys/:id/remove' },
    handle: afresh((visit) => remove(visit, { passkeyId: idOr(visit.params['id'], nilId) })),
  },
  {
    ...{ method: 'GET', path: 'me/totp', isSetUp: true },
    handle: afresh((visit) => totp(visit, null)),
  },
  { ...{ method: 'POST', path: 'me/totp', isSetUp: true }, handle: afresh(confirmTotp) },
  { ...{ method: 'POST', path: 'me/totp/remove' }, handle: afresh((visit) => remove(visit, 'totp')) },
  { ...{ method: 'POST', path: 'me/recovery-codes' }, handle: afresh(renewCodes) },
];

const newPasskey = (visit: Visit, refused: Refused | null): ConsolePage =>
  newPasskeyPage(visit, partyOf(visit.context, visit.request), refused);

async function totp({ context, who, form }: Visit, refused: Refused | null): Promise<ConsolePage> {
  const present = await findTotp(context.db, who.personId);
  const offered = await offerSeed(context.sealing, who, form['offered']);
  return totpPage(offered, present !== null, refused);
}

function addOne(visit: Visit): Promise<ConsoleResponse> {
  const { context, actor, request, who, form } = visit;
  const { credential = '', name = '' } = form;
  return adding(visit, 'passkeyAdded', newPasskey, async (key, to) => {
    if (credential === '') throw new InvalidInput([{ field: 'passkey', message: noScript }]);
    const party = partyOf(context, request);
    return addPasskey(key.once(to), actor, party, who, { credential, name });
  });
}

function confirmTotp(visit: Visit): Promise<ConsoleResponse> {
  const { actor, who, form } = visit;
  const { offered = '', code = '' } = form;
  return adding(visit, 'totpSet', totp, (key, to) => setUpTotp(key.once(to), actor, who, { offered, code }));
}

/** The session gets its new token. New recovery codes are shown in this response only, since they must not appear in an address. */
async function adding(
  visit: Visit,
  said: string,
  again: (visit: Visit, refused: Refused) => Promise<ConsolePage> | ConsolePage,
  add: (key: FormKey, to: string) => Promise<AddedFactor>,
): Promise<ConsoleResponse> {
  const to = `${path}?said=${said}`;
  let added: AddedFactor | null = null;
  const answer = await submit(
    visit,
    async (key) => {
      added = await add(key, to);
      return to;
    },
    (refused) => again(visit, refused),
  );
  if (added === null) return answer;
  const { token: sessionToken, recoveryCodes } = added as AddedFactor;
  return { ...(recoveryCodes === null ? answer : recoveryCodesPage(recoveryCodes)), sessionToken };
}

function remove(visit: Visit, which: WhichFactor): Promise<ConsoleResponse> {
  const { actor, who } = visit;
  const to = `${path}?said=removed`;
  return submit(
    visit,
    async (key) => {
      await removeFactor(key.once(to), actor, who, which);
      return to;
    },
    (refused) => showMe(visit, refused),
  );
}

async function renewCodes(visit: Visit): Promise<ConsoleResponse> {
  const { actor, who } = visit;
  let codes: readonly string[] | null = null;
  const answer = await submit(
    visit,
    async (key) => {
      codes = await renewRecoveryCodes(key.once(path), actor, who);
      return path;
    },
    (refused) => showMe(visit, refused),
  );
  return codes === null ? answer : recoveryCodesPage(codes);
}
