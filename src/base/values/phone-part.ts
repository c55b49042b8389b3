/** A search for a phone by a part of it. */
import { cleanPhone, parsePhone } from './phone.ts';

export interface PhonePart {
  /** E.164 of a whole number, or some of its digits. */
  readonly digits: string;
  readonly isWhole: boolean;
}

const fewest = 3;

/** A number in any form of the country, or digits of one, of which a leading 0 is the trunk's; null for anything else. */
export function partOfPhone(typed: string, country: string): PhonePart | null {
  const text = cleanPhone(typed);
  const whole = parsePhone(text, country);
  if (whole !== null) return { digits: whole, isWhole: true };
  if (!/^[\d\s()+./-]{1,64}$/.test(text)) return null;
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length < fewest ? null : { digits, isWhole: false };
}
