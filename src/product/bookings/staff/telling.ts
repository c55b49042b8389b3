/** Whether the customer of a booking can get an SMS that the car is ready, and why not. */
import type { Telling } from './store.ts';

/** Why no SMS is sent; `silent`: the caller wanted none. */
export type NotTold = 'silent' | 'erased' | 'noPhone' | 'optedOut' | 'cancelled' | 'toldAlready';

/** In words for people. */
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

/** Null: the customer gets the SMS. */
export function whyNotTold(telling: Telling, asked: Exempt & { readonly again: boolean }): NotTold | null {
  if (telling.status === 'cancelled') return 'cancelled';
  return whyNoSms(telling, asked) ?? (telling.told && !asked.again ? 'toldAlready' : null);
}

/** The recipient of a notice by SMS. */
export type Addressee = Pick<Telling, 'phone' | 'country' | 'erased' | 'optedOut'>;

/** Why no notice is sent by SMS; null: it is sent. */
export function whyNoSms(
  { phone, country, erased, optedOut }: Addressee,
  { optOutExemptCountries }: Exempt,
): NotTold | null {
  if (!phone.startsWith('+')) return erased ? 'erased' : 'noPhone';
  return optedOut && !optOutExemptCountries.includes(country) ? 'optedOut' : null;
}
