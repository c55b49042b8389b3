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

/** Null: the customer is told. */
export function whyNotTold(
  { phone, status, country, erased, optedOut, told }: Telling,
  asked: {
    readonly again: boolean;
    /** Countries whose opt-outs do not stop notices of bookings. */
    readonly optOutExemptCountries: readonly string[];
  },
): NotTold | null {
  if (status === 'cancelled') return 'cancelled';
  if (!phone.startsWith('+')) return erased ? 'erased' : 'noPhone';
  if (optedOut && !asked.optOutExemptCountries.includes(country)) return 'optedOut';
  return told && !asked.again ? 'toldAlready' : null;
}
