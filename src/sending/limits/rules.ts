/** Which numbers get no SMS, whatever the sender and text: premium-rate numbers, and numbers outside the operator's countries. */
import { countryOf, numberType } from '#values/phone.ts';

/** Why an SMS was not handed to a gateway, as text for people. The keys are values of `sms.reason`. */
export const limitTexts = {
  premiumRate: 'Not sent: premium-rate numbers get no SMS.',
  countryNotAllowed: 'Not sent: numbers of this country get no SMS from here.',
  dailyCeiling: "Not sent: the day's number of SMS is used up. The next day begins at midnight UTC.",
} as const;
export type LimitReason = keyof typeof limitTexts;

/** True when the reason is a limit of the operator: nothing failed, so there is neither a retry nor a dead letter. */
export function isLimit(reason: string | null): reason is LimitReason {
  return reason !== null && Object.hasOwn(limitTexts, reason);
}

/**
 * Why the number (E.164) gets no SMS; null when it may. `countries` are ISO 3166 codes; empty: all. A number without a country
 * (satellites, international services) is in none of them.
 */
export function numberRefusal(number: string, countries: readonly string[]): LimitReason | null {
  if (numberType(number) === 'PREMIUM_RATE') return 'premiumRate';
  if (countries.length === 0) return null;
  const country = countryOf(number);
  return country !== null && countries.includes(country) ? null : 'countryNotAllowed';
}
