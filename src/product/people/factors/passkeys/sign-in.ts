/** Signs a person in by a passkey, which identifies the person and counts as two factors. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { networkOf } from '#base/values/network.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Database } from '#platform/db/database.ts';
import { beginSession, type NewSignIn, recordFailure, type Visitor } from '../../sessions/begin.ts';
import { lockPerson } from '../../store.ts';
import { putChallenge, takeChallenge } from './challenges/store.ts';
import type { RelyingParty } from './relying-party.ts';
import { handleOf, readResponse, verified } from './response.ts';
import { findPasskey, type Passkey, usePasskey } from './store.ts';

const timeoutMs = 300_000;
/** Limits the challenges of one network: each allows one try. */
const perNetwork = { policy: 'passkeys', quota: 60, windowSeconds: 900 };

/**
 * The options for a browser's passkeys; they replace earlier ones of this browser. Throws 429 beyond 60 in 15 minutes from one
 * network.
 */
export async function askForPasskey(
  db: Database,
  { id: rpID }: RelyingParty,
  { address, browserSha256 }: Pick<Visitor, 'address' | 'browserSha256'>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const source = ['passkeys', networkOf(address)];
  await countAttempt({ db }, { limit: perNetwork, refusal: 'Passkeys were tried too often', source });
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    ...{ rpID, userVerification: 'required', timeout: timeoutMs },
  });
  await putChallenge(db, { browserSha256 }, options.challenge);
  return options;
}

/** `credential`: JSON of the browser's answer. Null: it is invalid, repeated or late, or nobody has that passkey. */
export async function signInByPasskey(
  context: ChangeContext,
  party: RelyingParty,
  credential: string,
  visitor: Visitor,
): Promise<NewSignIn | null> {
  const { db, clock } = context;
  const { browserSha256 } = visitor;
  const challenge = await takeChallenge(db, { browserSha256 });
  // Without a challenge nothing was tried, and no failure is recorded, so that strangers can't fill the trail.
  if (challenge === null) return null;
  const response = readResponse<AuthenticationResponseJSON>(credential);
  const passkey = response && (await findPasskey(db, response.id));
  const counter = response && passkey && (await verify(party, challenge, response, passkey));
  const begun =
    passkey === null || counter === null
      ? null
      : await change(context, async ({ tx, now }) => {
          if (!(await lockPerson(tx, passkey.personId))) return null;
          if (!(await usePasskey(tx, passkey.id, counter))) return null;
          const { personId, vouchedBy } = passkey;
          return beginSession(tx, { personId, vouchedBy, by: 'passkey' }, visitor, now);
        });
  if (begun === null) {
    const whose = { personId: passkey?.personId ?? null, by: 'passkey' } as const;
    await recordFailure(db, whose, visitor, clock.now());
  }
  return begun;
}

/** The authenticator's counter; null: the answer is invalid. */
async function verify(
  { id, origin }: RelyingParty,
  challenge: string,
  response: AuthenticationResponseJSON,
  { personId, publicKey, counter }: Passkey,
): Promise<number | null> {
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== Buffer.from(handleOf(personId)).toString('base64url'))
    return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const answer = await verified(() =>
    verifyAuthenticationResponse({
      ...{ response, expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id },
      credential: { id: response.id, publicKey: Uint8Array.from(publicKey), counter },
      requireUserVerification: true,
    }),
  );
  return answer?.verified ? answer.authenticationInfo.newCounter : null;
}
