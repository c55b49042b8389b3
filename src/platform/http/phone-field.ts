/** A phone number in a body can be judged only in the country of the workshop that it is for. */

import { parsePhone } from '#base/values/phone.ts';
import type { FieldError } from '#errors.ts';

export interface JudgedPhone {
  /** E.164; null when none was sent, when it is not valid, or when there is no country. */
  readonly phone: string | null;
  /** The faults, for `accept` of the call. */
  readonly found: readonly FieldError[];
}

/** `countryOf` resolves to null when there is no such workshop or booking; it is called only when a text was sent. */
export async function judgePhone(
  field: string,
  sent: unknown,
  countryOf: () => Promise<string | null>,
): Promise<JudgedPhone> {
  const country = typeof sent === 'string' && sent !== '' ? await countryOf() : null;
  if (country === null) return { phone: null, found: [] };
  const phone = parsePhone(String(sent), country);
  return { phone, found: phone === null ? [invalidPhone(field, country)] : [] };
}

/** The fault of a text that is not a phone number of that country (ISO 3166). */
export function invalidPhone(field: string, country: string): FieldError {
  return {
    field,
    message: `must be a valid phone number in ${country}, or one with its country code such as +61 400 000 001`,
  };
}
