/** Codes that open a page are bounded in guesses: by the visitor's address, and over all addresses. */
import { type FailureBound, limitFailures } from '#attempts/limit.ts';
import type { Context } from '#context.ts';
import { Problem } from '#errors.ts';
import { networkOf } from '#values/network.ts';

/** Wrong tries an hour of one address. */
const perAddress = 10;
/**
 * Wrong tries an hour over all addresses. A code of ten characters is one of 10^15: among a million that are valid, these tries
 * find one in 200 million hours; of eight characters, among 100,000, one in 10,000 hours.
 */
const overAll = 1_000;

export interface Guess {
  /** Which codes are guessed at, such as `manage`. Each of them is counted by itself. */
  readonly of: string;
  /** A smaller circle than all addresses: the workshop at which the codes are valid, say. */
  readonly at?: string;
  /** The visitor's IP address: `request.ip`. */
  readonly address: string;
}

/**
 * What `find` finds; null is a wrong guess: 404. Throws 429, without calling `find`, after ten wrong guesses an hour from one
 * address, or a thousand from all.
 */
export function boundedGuess<T>(
  context: Pick<Context, 'db'>,
  { of, at = '', address }: Guess,
  find: () => Promise<T | null>,
): Promise<T> {
  const bound: FailureBound = {
    limit: { policy: 'wrong-codes', quota: perAddress, windowSeconds: 3_600 },
    refusal: 'There were too many wrong codes',
    source: ['guess', of, networkOf(address)],
    ceiling: { of: ['guesses', of, at], quota: overAll },
    failure: 404,
  };
  return limitFailures(context, bound, async () => {
    const found = await find();
    if (found === null) throw new Problem('000002', { message: 'There is no such code' });
    return found;
  });
}
