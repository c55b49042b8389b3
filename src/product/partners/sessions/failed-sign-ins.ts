/**
 * Limits failed sign-ins: ten a minute for one partner and network (specification: Signing in 9), and a hundred for one partner
 * over all networks. Successes never count.
 */

import { networkOf } from '#base/values/network.ts';
import type { AttemptBound } from '#platform/attempts/limit.ts';
import type { RateLimit } from '#platform/http/rate-limit.ts';

const signInLimit: RateLimit = { policy: 'failed-sign-ins', quota: 10, windowSeconds: 60 };
const partnerQuota = 100;

export interface Source {
  /** Null when no partner has the id: all unknown ids of one network count together, in one row. */
  readonly partnerId: string | null;
  /**
   * Whether the partner has the app key. Failures with unknown keys have a separate limit, so that a caller who knows only a
   * partner's id can't block its sign-ins.
   */
  readonly keyKnown: boolean;
  /** The caller's IP address. */
  readonly address: string;
  /** Gets the RateLimit headers of the response, with any status. */
  readonly onLimit: (headers: Record<string, string>) => void;
}

export function boundOf({ partnerId, keyKnown, address, onLimit }: Source): AttemptBound {
  return {
    limit: signInLimit,
    refusal: 'Too many failed sign-ins; wait before the next one',
    source: [partnerId, networkOf(address)],
    ceilings: partnerId === null ? [] : [{ of: ['partner', partnerId, keyKnown], quota: partnerQuota }],
    failure: 401,
    onLimit,
  };
}
