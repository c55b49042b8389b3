/** Partners and workshops for tests of the API, made by the operator's own verbs. */
import { actors } from '#base/values/actor.ts';
import { createPartner } from '#product/partners/create.ts';
import type { HashCost } from '#product/partners/secret.ts';
import { startSignIn } from '#product/partners/sessions/sign-in.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { setLink } from '#product/workshops/link.ts';
import type { SettingsInput } from '#product/workshops/settings.ts';
import type { Answer, RequestOptions, TestApp } from './app.ts';

/** The parts of an app that its partners and workshops need: another process over the same database will do. */
export interface ServingApp {
  readonly context: Pick<TestApp['context'], 'db' | 'clock'>;
  readonly request: TestApp['request'];
}

export interface SignedInPartner {
  readonly partnerId: string;
  readonly appKey: string;
  readonly secret: string;
  readonly token: string;
  readonly refreshToken: string;
  /** Calls an operation as this partner. */
  call(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
}

/** The least that argon2 takes, for secrets of tests: the usual cost is 30 ms of a core for each hash, and for each sign-in. */
export const cheapHash: HashCost = { memory: 8, passes: 1 };

/** With a pair of tokens as a sign-in gives it, and without the call: `src/product/partners/sessions/` shows that. */
export async function signedInPartner(app: ServingApp, name = 'Example Fleet'): Promise<SignedInPartner> {
  const { db, clock } = app.context;
  const credentials = await createPartner({ db, clock }, name, actors.operator, cheapHash);
  const { partnerId } = credentials;
  const pair = await startSignIn(db, clock, credentials);
  if (pair === null) throw new Error('the partner has no such app key');
  const { token, refreshToken } = pair;
  return {
    ...credentials,
    token,
    refreshToken,
    call: (method, path, body, options = {}) =>
      app.request(method, path, {
        ...(body === undefined ? {} : { body }),
        ...options,
        headers: { authorization: `Bearer ${token}`, 'x-partner-id': partnerId, ...options.headers },
      }),
  };
}

/** A workshop in Melbourne, linked to the partners that are named. */
export async function linkedWorkshop(
  app: Pick<ServingApp, 'context'>,
  partners: readonly Pick<SignedInPartner, 'partnerId'>[],
  settings: SettingsInput = {},
): Promise<string> {
  const { db, clock } = app.context;
  const { workshopId } = await createWorkshop(
    { db, clock },
    {
      name: 'Harbour Motors',
      country: 'AU',
      timezone: 'Australia/Melbourne',
      phone: '0355501234',
      email: 'desk@harbour.example',
      ...settings,
    },
    actors.operator,
  );
  for (const { partnerId } of partners)
    await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
  return workshopId;
}

/** The least that a booking needs. */
export function bookingBody(workshopId: string, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    workshopId,
    carRego: 'abc 123',
    bookingTime: '2030-03-02T22:30:00Z',
    customerName: 'Sam Taylor',
    customerPhone: '0491 570 006',
    customerEmail: 'sam@customer.example',
    ...changes,
  };
}
