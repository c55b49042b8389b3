/** The result of a look-up that has not found the message in a provider's list. */
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import type { SmsLookUp } from './gateway.ts';

/** A message that is not in the list after this time will not appear in it. */
const usuallyShowsWithinMs = 3_600_000;

/**
 * No provider documents how soon a message appears in its list, so its absence proves nothing: the result is `unknown`, and
 * asking again is worthwhile for `showsWithinMs` by the provider's clock, unless the account may not read the list at all.
 */
export function notFoundYet(
  answer: HttpResponse,
  madeAt: Date,
  showsWithinMs = usuallyShowsWithinMs,
): SmsLookUp {
  if (answer.state !== 'answered') return { state: 'unknown' };
  const ageMs = Date.parse(answer.headers.date ?? '') - madeAt.getTime();
  const isPointless = [401, 403, 404, 405].includes(answer.status) || ageMs > showsWithinMs;
  return isPointless ? { state: 'unknown', permanent: true } : { state: 'unknown' };
}
