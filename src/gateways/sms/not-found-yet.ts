/** What a look-up in a provider's list says that has not found the message. */
import type { HttpAnswer } from '#gateways/http-call.ts';
import type { SmsLookUp } from './gateway.ts';

/** What a list does not show after this time it will not show. */
const usuallyShowsWithinMs = 3_600_000;

/**
 * No provider documents how soon a message is in its list, so that it is not there is never a proof: `unknown`, and worth
 * another look for `showsWithinMs` by the provider's clock, unless the account may not look at all.
 */
export function notFoundYet(
  answer: HttpAnswer,
  madeAt: Date,
  showsWithinMs = usuallyShowsWithinMs,
): SmsLookUp {
  if (answer.state !== 'answered') return { state: 'unknown' };
  const ageMs = Date.parse(answer.headers.date ?? '') - madeAt.getTime();
  const isPointless = [401, 403, 404, 405].includes(answer.status) || ageMs > showsWithinMs;
  return isPointless ? { state: 'unknown', permanent: true } : { state: 'unknown' };
}
