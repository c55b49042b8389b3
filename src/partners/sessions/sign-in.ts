/** Signs a partner in with its app key and secret: POST /auth/token (decisions, section 3). */
import { createHmac } from 'node:crypto';
import { isLoopback } from '#config.ts';
import type { Context } from '#context.ts';
import { type RateLimit, rateLimitHeaders, tooManyRequests } from '#http/rate-limit.ts';
import { newId } from '#values/id.ts';
import { verifySecret } from '../secret.ts';
import { findAppKey, insertSignIn, readAttempts, returnAttempt, takeAttempt } from './store.ts';
import { accessTokenLifeSeconds, after, hashToken, newTokenPair, refreshTokenLifeSeconds, type TokenPair } from './tokens.ts';
import { unauthorised } from './unauthorised.ts';

export const signInLimit: RateLimit = { policy: 'failed-sign-ins', quota: 10, windowSeconds: 60 };

export interface Credentials {
  readonly partnerId: string | null;
  readonly appKey: string;
  readonly secret: string;
  /** The caller's address: failures are counted by partner and address. */
  readonly address: string;
}

export interface SignedIn {
  readonly pair: TokenPair;
  readonly headers: Record<string, string>;
}

/** A hash of nothing in particular: an unknown key takes as long to refuse as a wrong secret. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Sign-ins of one source wait for each other, so that attempts under way are not mistaken for failures. */
const queues = new Map<string, Promise<unknown>>();

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.catch(() => undefined);
  queues.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

/** Resolves to a new pair; throws 401 010001 or 010003, or 429 after ten failures in a minute. */
export function signIn(context: Context, credentials: Credentials): Promise<SignedIn> {
  const source = createHmac('sha256', context.secretKey)
    .update(`${credentials.partnerId} ${credentials.address}`)
    .digest();
  return inTurn(source.toString('base64'), () => attempt(context, credentials, source));
}

async function attempt(context: Context, credentials: Credentials, source: Buffer): Promise<SignedIn> {
  const { db, clock, config } = context;
  const stamp = await takeAttempt(db, source, signInLimit.quota);
  if (stamp === null) {
    const { resetMs } = await readAttempts(db, source);
    throw tooManyRequests(signInLimit, resetMs, 'Too many failed sign-ins; wait before the next one');
  }
  if (credentials.partnerId === null) {
    throw unauthorised('010001', 'Send your partner id in the header X-Partner-ID');
  }
  const holder = await findAppKey(db, credentials.partnerId, credentials.appKey);
  if (holder === null) throw unauthorised('010001', 'The partner in X-Partner-ID is unknown');
  const matches = await verifySecret(credentials.secret, holder.secretHash ?? nobodysHash);
  if (holder.secretHash === null || !matches) throw unauthorised('010003', 'The app key or the secret is wrong');
  if (!holder.partnerActive) throw unauthorised('010003', 'This partner is suspended; ask the operator');
  if (holder.isDemo && !isLoopback(config.host)) {
    throw unauthorised('010003', 'The demo partner works on this machine only');
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
  await returnAttempt(db, source, stamp);
  const { used, resetMs } = await readAttempts(db, source);
  return { pair, headers: rateLimitHeaders(signInLimit, signInLimit.quota - used, resetMs) };
}
