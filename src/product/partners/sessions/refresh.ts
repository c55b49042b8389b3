/** Exchanges a pair for a new one: POST /auth/refresh. Every failure is 400 010002. */
import { allowsDemo } from '#base/config/demo.ts';
import { Problem } from '#errors.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { decideRefresh } from './refresh-rules.ts';
import { exchangePair, lockSignIn, readPair, revokeSignIn } from './store.ts';
import {
  accessTokenLifeSeconds,
  after,
  hashToken,
  newTokenPair,
  refreshTokenLifeSeconds,
  type TokenPair,
} from './tokens.ts';

function rejected(): Problem {
  return new Problem('010002', {
    message: 'The refresh was rejected; sign in again with your app key and secret',
  });
}

/** `onRevoked` runs after the whole sign-in was revoked because used tokens were used again. */
export async function refresh(
  context: Context,
  partnerId: string | null,
  presented: TokenPair,
  onRevoked: () => void,
): Promise<TokenPair> {
  if (partnerId === null) throw rejected();
  const oldAccessHash = hashToken(presented.token);
  const oldRefreshHash = hashToken(presented.refreshToken);

  const outcome = await change(context, async ({ tx, now }) => {
    const signInId = await lockSignIn(tx, oldRefreshHash, partnerId);
    if (signInId === null) return 'rejected';
    const pair = await readPair(tx, signInId, oldAccessHash, oldRefreshHash);
    if (pair === null || (pair.isDemo && !allowsDemo(context.config))) return 'rejected';
    const decision = decideRefresh(pair, now);
    if (decision === 'theft') {
      await revokeSignIn(tx, signInId, now);
      return 'revoked';
    }
    if (decision === 'reject') return 'rejected';
    const next = newTokenPair();
    await exchangePair(tx, {
      signInId,
      accessHash: hashToken(next.token),
      accessExpiresAt: after(now, accessTokenLifeSeconds),
      refreshHash: hashToken(next.refreshToken),
      refreshExpiresAt: after(now, refreshTokenLifeSeconds),
      oldAccessHash,
      oldRefreshHash,
      now,
    });
    return next;
  });

  if (outcome === 'revoked') onRevoked();
  if (outcome === 'revoked' || outcome === 'rejected') throw rejected();
  return outcome;
}
