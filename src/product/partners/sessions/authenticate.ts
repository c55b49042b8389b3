/** The bearer check of every partner operation (specification: Signing in 1 and 8). */
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { allowsDemo } from '#base/config/demo.ts';
import type { Context } from '#platform/context.ts';
import { partnerIdOf, sentPartner, unknownPartner } from './partner-header.ts';
import { lookUpToken, type TokenHolder, type TokenLookUp } from './store.ts';
import { hashToken, hasTokenForm } from './tokens.ts';
import { noCredentials, unauthorised } from './unauthorised.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The partner that the access token was issued to; empty outside the partner API. */
    partnerId: string;
    /** The app key of its sign-in; empty outside the partner API. */
    appKey: string;
  }
}

/** A look-up is cached for this long, so an operator's revocation takes effect within this time. */
const cacheForMs = 2_000;
const cacheSize = 10_000;

export interface Authenticator {
  /** Resolves to the partner and app key of the token, or throws 401 010000 or 010001. */
  authenticate(request: FastifyRequest): Promise<Pick<TokenHolder, 'partnerId' | 'appKey'>>;
  /** Clears the cache, after this process has revoked tokens. */
  forget(): void;
}

function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw noCredentials();
  if (!/^\s*bearer\b/i.test(header))
    throw unauthorised('010000', 'Write Bearer before the access token: Authorization: Bearer <token>');
  const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (token === undefined || !hasTokenForm(token))
    throw unauthorised('010000', 'The access token is not valid');
  return token;
}

export function createAuthenticator(context: Pick<Context, 'db' | 'clock' | 'config'>): Authenticator {
  const { db, clock, config } = context;
  const now = () => clock.machineNow().getTime();
  const cache = new LRUCache<string, Promise<TokenLookUp>>({
    ...{ max: cacheSize, ttl: cacheForMs - 1, ttlResolution: 0, perf: { now } },
  });

  function lookUp(token: string, partnerId: string | null): Promise<TokenLookUp> {
    const hash = hashToken(token);
    const key = `${hash.toString('base64')} ${partnerId}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const answer = lookUpToken(db, hash, partnerId);
    cache.set(key, answer);
    answer.catch(() => cache.delete(key));
    return answer;
  }

  return {
    forget: () => cache.clear(),
    async authenticate(request) {
      const token = bearerToken(request);
      const sent = sentPartner(request);
      const partnerId = partnerIdOf(sent);
      const found = await lookUp(token, partnerId);
      if (
        found.expiresAt === undefined ||
        found.expiresAt === null ||
        found.partnerId === undefined ||
        found.appKey === undefined
      ) {
        throw unauthorised('010000', 'The access token is not valid');
      }
      if (found.revoked) throw unauthorised('010000', 'The access token was revoked; sign in again');
      if (found.expiresAt <= clock.now()) {
        throw unauthorised('010000', 'The access token has expired; refresh it or sign in again');
      }
      if (partnerId === null || !found.headerKnown) throw unknownPartner(sent);
      if (found.partnerId !== partnerId) {
        throw unauthorised('010000', 'The access token is not one of the partner in X-Partner-ID');
      }
      if (!found.partnerActive) throw unauthorised('010000', 'This partner is suspended; ask the operator');
      if (found.isDemo && !allowsDemo(config))
        throw unauthorised(
          '010000',
          'The demo partner works on this machine only, and with the sandbox alone',
        );
      return { partnerId, appKey: found.appKey };
    },
  };
}
