/** Adds a passkey for a signed-in person. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { InvalidInput } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { nameFault } from '#base/values/name.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Database } from '#platform/db/database.ts';
import { lockPerson } from '../../store.ts';
import { type AddedFactor, afterAdding, type Holder } from '../added.ts';
import { hasFactor } from '../store.ts';
import { putChallenge, takeChallenge } from './challenges/store.ts';
import type { RelyingParty } from './relying-party.ts';
import { handleOf, readResponse, verified } from './response.ts';
import { insertPasskey, listPasskeys, passkeysAtMost } from './store.ts';

const timeoutMs = 300_000;
/** The algorithms of authenticators: EdDSA, ES256, RS256. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** The options from which the browser creates a passkey; they replace earlier ones of this session. */
export async function offerPasskey(
  db: Database,
  { id: rpID }: RelyingParty,
  { personId, email, sessionId }: Holder,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const present = await listPasskeys(db, personId);
  const options = await generateRegistrationOptions({
    ...{ rpName: 'Pitlane', rpID, userName: email, userDisplayName: email, userID: handleOf(personId) },
    ...{ attestationType: 'none', timeout: timeoutMs, supportedAlgorithmIDs },
    excludeCredentials: present.map(({ credentialId }) => ({ id: credentialId })),
    // Discoverable, so that nobody types an address; with a PIN or fingerprint, so that it counts as two factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await putChallenge(db, { sessionId }, options.challenge);
  return options;
}

export interface NewPasskeyResponse {
  /** JSON of the credential that the browser created. */
  readonly credential: string;
  /** The name that the person gives it. */
  readonly name: string;
}

/** Throws InvalidInput for an invalid, repeated or late answer, and when the person has the maximum number of passkeys. */
export async function addPasskey(
  context: ChangeContext,
  actor: Actor,
  party: RelyingParty,
  holder: Holder,
  { credential, name }: NewPasskeyResponse,
): Promise<AddedFactor> {
  const { db } = context;
  const fault = nameFault(name);
  if (fault !== null) throw new InvalidInput([{ field: 'name', message: fault }]);
  const { personId, sessionId, vouchedBy } = holder;
  const made = await verify(party, await takeChallenge(db, { sessionId }), credential);
  if (made === null) throw refused('could not be made: try again, within five minutes, on this page');
  return change(context, async ({ tx, now }) => {
    await lockPerson(tx, personId);
    const hadFactor = await hasFactor(tx, personId);
    const passkey = { ...made, id: newId(), personId, name, host: party.id, vouchedBy };
    if (!(await insertPasskey(tx, passkey)))
      throw refused(`is known here already, or you have ${passkeysAtMost}: remove one first`);
    const added = await afterAdding(tx, {
      ...{ actor, holder, hadFactor, passkeyId: passkey.id },
      ...{ what: 'passkeyAdded', at: now },
    });
    return added;
  });
}

const refused = (message: string) => new InvalidInput([{ field: 'passkey', message }]);

/** How a browser reaches an authenticator, such as `usb`; these values are not verified. */
const isTransport = (each: unknown): each is string =>
  typeof each === 'string' && /^[a-z-]{1,20}$/.test(each);

async function verify({ id, origin }: RelyingParty, challenge: string | null, credential: string) {
  const response = readResponse<RegistrationResponseJSON>(credential);
  if (challenge === null || response === null) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { registrationInfo } =
    (await verified(() =>
      verifyRegistrationResponse({
        ...{ response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id },
        ...{ requireUserVerification: true, supportedAlgorithmIDs },
      }),
    )) ?? {};
  if (registrationInfo === undefined) return null;
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  const { transports } = response.response;
  const named: readonly unknown[] = Array.isArray(transports) ? transports : [];
  return {
    ...{ credentialId, counter, publicKey: Buffer.from(publicKey) },
    transports: named.filter(isTransport).slice(0, 8),
  };
}
