/** The alphabet that the data_coding of a message names (SMPP 3.4, section 5.2.19; 3GPP TS 23.038, section 4). */
import type { Charset } from './host.ts';

/** The alphabet that a carrier takes `data_coding` 0 for. */
export type DefaultAlphabet = 'gsm7' | 'latin1';

export const dataCoding = { default: 0x00, ucs2: 0x08 } as const;

/** SMPP's own values, except the default alphabet and binary. */
const charsets: Readonly<Record<number, Charset>> = {
  1: 'latin1',
  3: 'latin1',
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  8: 'utf-16be',
  10: 'iso-2022-jp',
  13: 'euc-jp',
  14: 'euc-kr',
};
/** Bits 2 and 3 of a GSM coding group. Binary is read as Latin-1, so that no customer's text is dropped. */
const alphabets = ['gsm7', 'latin1', 'utf-16be', 'gsm7'] as const;

/** `alphabet` is the carrier's default one. */
export function charsetOf(coding: number, alphabet: DefaultAlphabet = 'gsm7'): Charset {
  if (coding === dataCoding.default) return alphabet;
  const group = coding >> 4;
  if (group === 0) return charsets[coding] ?? (coding === 2 || coding === 4 ? 'latin1' : 'gsm7');
  if (group === 0xf) return (coding & 0x04) === 0 ? 'gsm7' : 'latin1';
  if (group === 0xe) return 'utf-16be';
  return group < 4 ? (alphabets[(coding >> 2) & 3] ?? 'gsm7') : 'gsm7';
}
