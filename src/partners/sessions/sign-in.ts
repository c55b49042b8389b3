/** Signs a partner in with its app key and secret: POST /auth/token (decisions, section 3). */
import { allowsDemo } from '#config/demo.ts';
import type { Context } from '#context.ts';
import { newId } from '#values/id.ts';
import { verifySecret } from '../secret.ts';
import { limitFailures, type Source } from './attempts.ts';
import { findAppKey, insertSignIn } from './store.ts';
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
  readonly partnerId: string | null;
  readonly appKey: string;
  readonly secret: string;
}

/** A hash of nothing in particular: an unknown key takes as long to refuse as a wrong secret. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Resolves to a new pair; throws 401 010001 or 010003, or 429 after ten failures in a minute. */
export function signIn(
  context: Context,
  credentials: Credentials,
  source: Omit<Source, 'partnerId'>,
): Promise<TokenPair> {
  const { partnerId } = credentials;
  return limitFailures(context, { ...source, partnerId }, () => exchange(context, credentials));
}

async function exchange({ db, clock, config }: Context, credentials: Credentials): Promise<TokenPair> {
  if (credentials.partnerId === null) {
    throw unauthorised('010001', 'Send your partner id in the header X-Partner-ID');
  }
  const holder = await findAppKey(db, credentials.partnerId, credentials.appKey);
  if (holder === null) throw unauthorised('010001', 'The partner in X-Partner-ID is unknown');
  const matches = await verifySecret(credentials.secret, holder.secretHash ?? nobodysHash);
  if (holder.secretHash === null || !matches)
    throw unauthorised('010003', 'The app key or the secret is wrong');
  if (!holder.partnerActive) throw unauthorised('010003', 'This partner is suspended; ask the operator');
  if (holder.isDemo && !allowsDemo(config)) {
    throw unauthorised('010003', 'The demo partner works on this machine only, and with the sandbox alone');
  }

  const now = clock.now();
  const pair = newTokenPair();
  const started = await insertSignIn(db, {
    signInId: newId(),
    partnerId: credentials.partnerId,
    appKey: credentials.appKey,
    accessHash: hashToken(pair.token),
    accessExpiresAt: after(now, accessTokenLifeSeconds),
    refreshHash: hashToken(pair.refreshToken),
    refreshExpiresAt: after(now, refreshTokenLifeSeconds),
    now,
  });
  if (!started) throw unauthorised('010003', 'The app key or the secret is wrong');
  return pair;
}
