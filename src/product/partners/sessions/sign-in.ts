/** Signs a partner in with its app key and secret: POST /auth/token. */

import type { Clock } from '#base/clock.ts';
import { allowsDemo } from '#base/config/demo.ts';
import { newId } from '#base/values/id.ts';
import { limitFailures } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { hashing } from '../hashing.ts';
import { verifySecret } from '../secret.ts';
import { boundOf, type Source } from './failed-sign-ins.ts';
import { partnerIdOf, unknownPartner } from './partner-header.ts';
import { findAppKey, insertSignIn, type KeyHolder } from './store.ts';
import {
  accessTokenLifeSeconds,
  after,
  hashToken,
  newTokenPair,
  refreshTokenLifeSeconds,
  type TokenPair,
} from './tokens.ts';
import { unauthorised } from './unauthorised.ts';

export interface Credentials {
  /** `X-Partner-ID` as sent; empty when it is missing. */
  readonly sentPartner: string;
  readonly appKey: string;
  readonly secret: string;
}

/** Resolves to a new pair; throws 401 010001 or 010003, 429 after ten failures in a minute, 503 while too many sign in. */
export async function signIn(
  context: Context,
  credentials: Credentials,
  source: Pick<Source, 'address' | 'onLimit'>,
): Promise<TokenPair> {
  const { sentPartner, appKey } = credentials;
  const partnerId = partnerIdOf(sentPartner);
  const holder = partnerId === null ? null : await findAppKey(context.db, partnerId, appKey);
  const known = { partnerId: holder && partnerId, keyKnown: holder !== null && holder.secretHash !== null };
  return limitFailures(context, boundOf({ ...source, ...known }), () =>
    exchange(context, credentials, partnerId, holder),
  );
}

async function exchange(
  { db, clock, config }: Context,
  credentials: Credentials,
  partnerId: string | null,
  holder: KeyHolder | null,
): Promise<TokenPair> {
  if (partnerId === null || holder === null) throw unknownPartner(credentials.sentPartner);
  const { secretHash } = holder;
  // An unknown key is refused faster than a wrong secret, so the timing reveals whether a key exists. That does not help to guess
  // one: a key is 256 random bits, and signing in also takes its secret, another 256.
  const matches = secretHash !== null && (await hashing(() => verifySecret(credentials.secret, secretHash)));
  if (!matches) throw unauthorised('010003', 'The app key or the secret is wrong');
  if (!holder.partnerActive) throw unauthorised('010003', 'This partner is suspended; ask the operator');
  if (holder.isDemo && !allowsDemo(config)) {
    throw unauthorised('010003', 'The demo partner works on this machine only, and with the sandbox alone');
  }

  const pair = await startSignIn(db, clock, { partnerId, appKey: credentials.appKey });
  if (pair === null) throw unauthorised('010003', 'The app key or the secret is wrong');
  return pair;
}

/** Stores a sign-in of an authenticated partner; resolves to its first pair, or to null when the app key has been deleted. */
export async function startSignIn(
  db: Queryable,
  clock: Clock,
  { partnerId, appKey }: { readonly partnerId: string; readonly appKey: string },
): Promise<TokenPair | null> {
  const now = clock.now();
  const pair = newTokenPair();
  const started = await insertSignIn(db, {
    signInId: newId(),
    partnerId,
    appKey,
    accessHash: hashToken(pair.token),
    accessExpiresAt: after(now, accessTokenLifeSeconds),
    refreshHash: hashToken(pair.refreshToken),
    refreshExpiresAt: after(now, refreshTokenLifeSeconds),
    now,
  });
  return started ? pair : null;
}
