/** The code of a booking that people read out on the phone: eight characters of Crockford's base32. */
import { randomBytesInBulk } from './random.ts';

/** No I, L, O (taken for 1 and 0) and no U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new random code, one of about 10^12: the insert must still handle one that is taken. */
export function newBookingCode(): string {
  // 256 is a multiple of 32: every character is equally likely.
  let code = '';
  for (const byte of randomBytesInBulk(8)) code += alphabet.charAt(byte % 32);
  return code;
}

/** A code as people write it down, as it is stored: in capitals, without spaces and hyphens, and without the letters that it never has. */
export function readBookingCode(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
