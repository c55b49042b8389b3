/** Which numbers get no SMS, whoever sends and whatever it says: premium-rate ones, and those of other countries than the operator's. */
import { countryOf, numberType } from '#values/phone.ts';

/** Why an SMS was not handed to a gateway at all, as told to people. The keys are words of `sms.reason`. */
export const limitTexts = {
  premiumRate: 'Not sent: premium-rate numbers get no SMS.',
  countryNotAllowed: 'Not sent: numbers of this country get no SMS from here.',
  dailyCeiling: "Not sent: the day's number of SMS is used up. The next day begins at midnight UTC.",
} as const;
export type LimitReason = keyof typeof limitTexts;

/** True of a reason that is a limit of the operator's: nothing is wrong, so nothing is tried again and nobody has to look at it. */
export function isLimit(reason: string | null): reason is LimitReason {
  return reason !== null && Object.hasOwn(limitTexts, reason);
}

/**
 * Why the number (E.164) gets no SMS; null when it may. `countries` are ISO 3166 codes; empty: all. A number that belongs to no
 * one country (satellites, international services) is none of theirs.
 */
export function numberRefusal(number: string, countries: readonly string[]): LimitReason | null {
  if (numberType(number) === 'PREMIUM_RATE') return 'premiumRate';
  if (countries.length === 0) return null;
  const country = countryOf(number);
  return country !== null && countries.includes(country) ? null : 'countryNotAllowed';
}
