/** Codes that people read out on the phone or type from an SMS: Crockford's base32, without characters that look alike. */
import { randomBytesInBulk } from './random.ts';

/** No I, L, O (taken for 1 and 0) and no U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new random code of `length` characters, of 5 bits each: the insert must still handle one that is taken. */
export function newCode(length: number): string {
  // 256 is a multiple of 32: every character is equally likely.
  let code = '';
  for (const byte of randomBytesInBulk(length)) code += alphabet.charAt(byte % 32);
  return code;
}

/** A booking's code: eight characters, one of about 10^12. */
export const newBookingCode = (): string => newCode(8);

/** For a code in the form of `readCode`. */
export const isBookingCode = (code: string): boolean => /^[0-9A-Z]{8}$/.test(code);

/** A code as people write it down, as it is stored: in capitals, without spaces and hyphens, and without the letters that it never has. */
export function readCode(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
