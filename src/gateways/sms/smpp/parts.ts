/** The header by which a part of a long message names its place (3GPP TS 23.040, section 9.2.3.24). */
import { measureSms, splitSms } from '#values/sms-text.ts';
import { dataCoding } from './data-coding.ts';
import { encodeGsm7 } from './gsm7.ts';

export interface Place {
  /** The same in all parts of one message, between one sender and one recipient. */
  readonly series: number;
  readonly total: number;
  /** From 1. */
  readonly number: number;
}

export interface Parts {
  readonly coding: number;
  /** True when each begins with the header. */
  readonly withHeader: boolean;
  readonly octets: readonly Buffer[];
}

/** The header counts them in one octet. */
export const partsAtMost = 255;

function encodeUcs2(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** A text as it is handed over; `series` is a number up to 255, and not the last one's. */
export function encodeParts(text: string, series: number): Parts {
  const isGsm = measureSms(text).encoding === 'gsm7';
  const parts = splitSms(text).map(isGsm ? encodeGsm7 : encodeUcs2);
  const withHeader = parts.length > 1;
  return {
    coding: isGsm ? dataCoding.gsm7 : dataCoding.ucs2,
    withHeader,
    octets: withHeader
      ? parts.map((part, index) =>
          Buffer.concat([Buffer.from([5, 0, 3, series, parts.length & 0xff, index + 1]), part]),
        )
      : parts,
  };
}

/** A part without its header, and its place; null when it is none of several. Never throws. */
export function readHeader(octets: Buffer): { readonly text: Buffer; readonly place: Place | null } {
  const end = 1 + (octets[0] ?? 0);
  const header = octets.subarray(1, end);
  let place: Place | null = null;
  for (let at = 0; at + 2 <= header.length; ) {
    const [kind, length = 0] = header.subarray(at, at + 2);
    const value = header.subarray(at + 2, at + 2 + length);
    if (kind === 0 && length === 3) place = placeOf(value[0] ?? 0, value.subarray(1));
    if (kind === 8 && length === 4 && value.length === 4)
      place = placeOf(value.readUInt16BE(0), value.subarray(2));
    at += 2 + length;
  }
  return { text: octets.subarray(end), place };
}

function placeOf(series: number, [total = 0, number = 0]: Buffer): Place | null {
  return asPlace(series, total, number);
}

/** Null when it is none that several parts can have. */
export function asPlace(series: number, total: number, number: number): Place | null {
  return total > 1 && number >= 1 && number <= total ? { series, total, number } : null;
}
