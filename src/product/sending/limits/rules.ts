/**
 * Which numbers get no SMS, for every sender and text: premium-rate numbers, numbers outside the operator's countries, and numbers
 * that belong to no country.
 */
import { numberFacts } from '#base/values/phone.ts';

/** Why an SMS was not handed to a gateway, in words for people. The keys are values of `sms.reason`. */
export const limitTexts = {
  premiumRate: 'Not sent: premium-rate numbers get no SMS.',
  countryNotAllowed: 'Not sent: numbers of this country get no SMS from here.',
  dailyCeiling: "Not sent: the day's number of SMS is used up. The next day begins at midnight UTC.",
  noWayOut:
    'Not sent: its sender can not be answered, and without a public address of this service it has no link by which to stop such texts.',
} as const;
export type LimitReason = keyof typeof limitTexts;

/** True when the reason is an operator's limit. That is no failure: there is neither a retry nor a dead letter. */
export function isLimit(reason: string | null): reason is LimitReason {
  return reason !== null && Object.hasOwn(limitTexts, reason);
}

/**
 * Why the number (E.164) gets no SMS; null when it may. `allowed` holds ISO 3166 codes (empty: all countries) and calling codes
 * such as `+881`: a number that belongs to no country gets SMS only when its calling code is listed.
 */
export function numberRefusal(number: string, allowed: readonly string[]): LimitReason | null {
  const { type, country, countrylessCode } = numberFacts(number);
  if (type === 'PREMIUM_RATE') return 'premiumRate';
  if (countrylessCode !== null) return allowed.includes(countrylessCode) ? null : 'countryNotAllowed';
  if (allowed.every(isCallingCode)) return null;
  return country !== null && allowed.includes(country) ? null : 'countryNotAllowed';
}

const isCallingCode = (entry: string) => entry.startsWith('+');
