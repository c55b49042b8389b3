/** The alphabets of inbound SMS. */
import { decodeGsm7 } from './gsm7.ts';

/** `gsm7`, one septet an octet, or an encoding by its name in the Encoding Standard. */
export type Charset =
  | 'gsm7'
  | 'latin1'
  | 'utf-16be'
  | 'utf-16le'
  | 'shift_jis'
  | 'iso-8859-5'
  | 'iso-8859-8'
  | 'iso-2022-jp'
  | 'euc-jp'
  | 'euc-kr';

/** Unreadable octets become U+FFFD. */
export const decodeOctets = (octets: Buffer, charset: Charset): string =>
  charset === 'gsm7' ? decodeGsm7(octets) : new TextDecoder(charset).decode(octets);
