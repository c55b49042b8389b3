/** The header that gives the place of a part in a long message (3GPP TS 23.040, section 9.2.3.24). */
import { type DefaultAlphabet, dataCoding } from './data-coding.ts';
import type { Host } from './host.ts';
import { parameter } from './messages.ts';

export interface PartPosition {
  /** The same number in all parts of one message, for one sender and recipient. */
  readonly series: number;
  readonly total: number;
  /** From 1. */
  readonly number: number;
}

/** One part as it is submitted. */
export interface Part {
  readonly coding: number;
  /** True when the octets begin with the header. */
  readonly withHeader: boolean;
  readonly octets: Buffer;
  readonly parameters: readonly (readonly [tag: number, value: Buffer])[];
}

/** How a long text is sent: in parts with a user data header, in parts with the sar_ parameters, or whole in message_payload. */
export type LongTextForm = 'udh' | 'sar' | 'payload';

export interface TextForm {
  /** The carrier's alphabet of `data_coding` 0. */
  readonly alphabet: DefaultAlphabet;
  readonly longText: LongTextForm;
}

export const usualForm: TextForm = { alphabet: 'gsm7', longText: 'udh' };

/** The header counts parts in one octet. */
export const partsAtMost = 255;

function encodeUcs2(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

const inLatin1 = /^[\0-\xff]*$/;
/** UCS-2 units in a part with a header. */
const ucs2PerPart = 67;

/** The functions of the host that texts are encoded by. */
export type TextFunctions = Pick<Host, 'isGsm7' | 'split' | 'encodeGsm7'>;

/** The parts of a text, in the smallest alphabet that holds all of it. */
function encoded(
  text: string,
  alphabet: DefaultAlphabet,
  { isGsm7, split, encodeGsm7 }: TextFunctions,
): { coding: number; parts: Buffer[] } {
  if (!isGsm7(text)) return { coding: dataCoding.ucs2, parts: split(text).map(encodeUcs2) };
  if (alphabet === 'gsm7') return { coding: dataCoding.default, parts: split(text).map(encodeGsm7) };
  if (inLatin1.test(text)) {
    const parts = split(text).map((part) => Buffer.from(part, 'latin1'));
    return { coding: dataCoding.default, parts };
  }
  // Characters of the SMS alphabet that Latin-1 lacks, such as € and Greek letters, of one unit each.
  const cut = text.length <= 70 ? [text] : (text.match(new RegExp(`[^]{1,${ucs2PerPart}}`, 'g')) ?? []);
  return { coding: dataCoding.ucs2, parts: cut.map(encodeUcs2) };
}

/** A text as it is submitted; `series` is a number up to 255 that differs from the last one's. */
export function encodeParts(text: string, series: number, form: TextForm, host: TextFunctions): Part[] {
  const { coding, parts } = encoded(text, form.alphabet, host);
  const [only] = parts;
  const nothing = Buffer.alloc(0);
  if (parts.length === 1 && only) return [{ coding, withHeader: false, octets: only, parameters: [] }];
  if (form.longText === 'payload') {
    const whole = [parameter.messagePayload, Buffer.concat(parts)] as const;
    return [{ coding, withHeader: false, octets: nothing, parameters: [whole] }];
  }
  return parts.map((part, index) => {
    const place = [parts.length & 0xff, index + 1];
    if (form.longText === 'udh') {
      const header = Buffer.from([5, 0, 3, series, ...place]);
      return { coding, withHeader: true, octets: Buffer.concat([header, part]), parameters: [] };
    }
    const [total = 0, number = 0] = place;
    const parameters = [
      [parameter.seriesReference, Buffer.from([0, series])],
      [parameter.seriesTotal, Buffer.from([total])],
      [parameter.seriesNumber, Buffer.from([number])],
    ] as const;
    return { coding, withHeader: false, octets: part, parameters };
  });
}

/** The part without its header, and its place; null when the message is not one of several parts. Never throws. */
export function readHeader(octets: Buffer): { readonly text: Buffer; readonly place: PartPosition | null } {
  const end = 1 + (octets[0] ?? 0);
  const header = octets.subarray(1, end);
  let place: PartPosition | null = null;
  for (let at = 0; at + 2 <= header.length; ) {
    const [kind, length = 0] = header.subarray(at, at + 2);
    const value = header.subarray(at + 2, at + 2 + length);
    if (kind === 0 && length === 3) place = positionOf(value[0] ?? 0, value.subarray(1));
    if (kind === 8 && length === 4 && value.length === 4)
      place = positionOf(value.readUInt16BE(0), value.subarray(2));
    at += 2 + length;
  }
  return { text: octets.subarray(end), place };
}

function positionOf(series: number, [total = 0, number = 0]: Buffer): PartPosition | null {
  return asPosition(series, total, number);
}

/** Null when the values describe no part of several. */
export function asPosition(series: number, total: number, number: number): PartPosition | null {
  return total > 1 && number >= 1 && number <= total ? { series, total, number } : null;
}
