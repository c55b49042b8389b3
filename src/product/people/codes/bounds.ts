/** Limits on requested codes: for a network, and for an address. Printed codes are not limited. */
import { networkOf } from '#base/values/network.ts';
import { Problem } from '#errors.ts';
import { countAttempt } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';
import { isKnownBrowser } from './store.ts';

const windowSeconds = 3_600;
const refusal = 'Too many codes were asked for';
const bound = (quota: number, ...source: readonly string[]) => ({
  limit: { policy: 'sign-in-codes', quota, windowSeconds },
  refusal,
  source: ['sign-in codes', ...source],
});

export interface Asked {
  /** Compared without case; limited whether or not somebody has it. */
  readonly email: string;
  /** The caller's IP address. */
  readonly address: string;
  readonly browserSha256: Buffer;
}

/**
 * Counts a requested code: 20 an hour for a network, 5 for an address from one network, 10 for an address over all networks. Beyond
 * those a browser in which the person has signed in before gets another 10 an hour. False: the limit is reached.
 */
export async function mayAsk(
  { db }: Pick<Context, 'db'>,
  { email, address, browserSha256 }: Asked,
): Promise<boolean> {
  const network = networkOf(address);
  const account = email.toLowerCase();
  const bounds = [
    bound(20, 'network', network),
    bound(5, 'both', network, account),
    bound(10, 'address', account),
  ];
  const isKnown = await isKnownBrowser(db, email, browserSha256);
  for (const each of bounds) {
    if (await isWithin(db, each)) continue;
    return isKnown && isWithin(db, bound(10, 'browser', browserSha256.toString('hex'), account));
  }
  return true;
}

async function isWithin(db: Context['db'], of: ReturnType<typeof bound>): Promise<boolean> {
  try {
    await countAttempt({ db }, of);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
