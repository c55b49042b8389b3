/** Whether the customer of a booking can be texted that the car is ready, and why not. */
import type { Telling } from './store.ts';

/** Why nobody is told; `silent`: nobody was to be. */
export type NotTold = 'silent' | 'erased' | 'noPhone' | 'optedOut' | 'cancelled' | 'toldAlready';

/** For people. */
export const notToldInWords: Readonly<Record<NotTold, string>> = {
  silent: 'nobody is told, as you wished',
  erased: "nobody is told: the customer's data was erased",
  noPhone: 'nobody is told: the booking has no phone number',
  optedOut: 'nobody is told: the customer has opted out of SMS',
  cancelled: 'nobody is told: the booking is cancelled',
  toldAlready: 'nobody is told: the customer was told before',
};

/** Countries whose opt-outs do not stop notices of bookings. */
interface Exempt {
  readonly optOutExemptCountries: readonly string[];
}

/** Null: the customer is told that the car is ready. */
export function whyNotTold(telling: Telling, asked: Exempt & { readonly again: boolean }): NotTold | null {
  if (telling.status === 'cancelled') return 'cancelled';
  return whyNoSms(telling, asked) ?? (telling.told && !asked.again ? 'toldAlready' : null);
}

/** Whom a notice by SMS would go to. */
export type Addressee = Pick<Telling, 'phone' | 'country' | 'erased' | 'optedOut'>;

/** Why no notice goes by SMS; null: it does. */
export function whyNoSms(
  { phone, country, erased, optedOut }: Addressee,
  { optOutExemptCountries }: Exempt,
): NotTold | null {
  if (!phone.startsWith('+')) return erased ? 'erased' : 'noPhone';
  return optedOut && !optOutExemptCountries.includes(country) ? 'optedOut' : null;
}
