/** Limits guesses of codes that open a page: by the visitor's address, and over all addresses. */

import { networkOf } from '#base/values/network.ts';
import { Problem } from '#errors.ts';
import { countFailure, type FailureBound, limitFailures } from '#platform/attempts/limit.ts';
import type { Context } from '#platform/context.ts';

/** Wrong tries an hour of one address. */
const perAddress = 10;
/** Wrong tries an hour over all addresses, of each sort of code. */
const overAll = 1_000;

/** Wrong tries of pairs an hour over all addresses: far more than people mistype. */
const perCircle = { workshop: 100, phone: 20 } as const;
/** Wrong tries an hour of one address while a workshop or a phone is over those limits. */
const perAddressPast = 3;

interface Visitor {
  /** The visitor's IP address: `request.ip`. */
  readonly address: string;
}

export interface Guess extends Visitor {
  /** The kind of code, such as `quote`. Each kind is counted separately. */
  readonly of: string;
}

export interface PairGuess extends Visitor {
  /** Null: at the page that asks for no workshop. */
  readonly workshopId: string | null;
  /** E.164; without a workshop, whose country is not known, the last digits. */
  readonly phone: string;
}

const boundOf = (of: string, { address }: Visitor) => ({
  limit: { policy: 'wrong-codes', quota: perAddress, windowSeconds: 3_600 },
  refusal: 'There were too many wrong codes',
  source: ['guess', of, networkOf(address)],
});

const noSuchCode = () => new Problem('000002', { message: 'There is no such code' });

/**
 * Returns the result of `find` by a code alone. A right one is always answered, so that nobody's guesses close the links of others: what keeps a
 * code from being found is its length. Null is a wrong guess: 404, or 429 after ten of one address within the hour, or a thousand of all.
 *
 * A code of ten characters is one of 10^15. Whoever tries a thousand a second finds one of a million that are valid in two weeks, and
 * sees a page without name, phone and e-mail.
 */
export async function boundedGuess<T>(
  context: Pick<Context, 'db'>,
  { of, ...visitor }: Guess,
  find: () => Promise<T | null>,
): Promise<T> {
  const found = await find();
  if (found !== null) return found;
  const bound: FailureBound = {
    ...boundOf(of, visitor),
    ceilings: [{ of: ['guesses', of], quota: overAll }],
  };
  await countFailure(context, bound);
  throw noSuchCode();
}

/**
 * Returns the result of `find` by a short code and a phone together; null is a wrong guess: 404. Throws 429, also for a right pair and without
 * calling `find`, after ten wrong guesses of one address within the hour; after three, while there were a hundred at the workshop, or
 * twenty with the phone. So guesses of many addresses leave few to each of them, and a customer at another address still gets in.
 */
export function boundedPairGuess<T>(
  context: Pick<Context, 'db'>,
  { workshopId, phone, ...visitor }: PairGuess,
  find: () => Promise<T | null>,
): Promise<T> {
  const bound = {
    ...boundOf('look-up', visitor),
    ceilings: [
      { of: ['look-up at', workshopId ?? 'anywhere'], quota: perCircle.workshop },
      { of: ['look-up of', phone], quota: perCircle.phone },
    ],
    quotaPastCeiling: perAddressPast,
    failure: 404,
  } as const;
  return limitFailures(context, bound, async () => {
    const found = await find();
    if (found === null) throw noSuchCode();
    return found;
  });
}
