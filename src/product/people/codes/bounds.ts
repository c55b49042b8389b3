/** How many codes may be asked for: of one network, and for one address. What was printed is under none of these. */
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
  /** Counted without case, whether somebody has it or not. */
  readonly email: string;
  /** The caller's IP address. */
  readonly address: string;
  readonly browserSha256: Buffer;
}

/**
 * Counts one that is asked for: 20 an hour of a network, 5 for an address and network, 10 for an address over all. Past those a browser
 * in which that person has signed in still gets 10 an hour. False: none may be sent.
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
