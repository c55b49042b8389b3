/** The fields of a PDU's body (SMPP 3.4, section 3.1). A read never goes beyond the body. */
import { MalformedPdu } from './pdu.ts';

/** A C-Octet String: characters, then a zero. Throws for a text that holds other characters. */
export function cString(text: string): Buffer {
  if (!/^[\x01-\x7f]*$/.test(text)) throw new Error('a field of SMPP is ASCII');
  return Buffer.from(`${text}\0`, 'latin1');
}

/** Tag and length. */
const parameterHeaderBytes = 4;

export interface FieldReader {
  /** One octet. */
  octet(): number;
  /** Reads up to the zero, or to the end when the sender forgot the zero. */
  cString(): string;
  octets(count: number): Buffer;
  /**
   * The remaining octets as parameters by tag; the first of each tag counts. Trailing octets that form no parameter are ignored.
   */
  parameters(): ReadonlyMap<number, Buffer>;
}

/** Its functions throw MalformedPdu when the body is too short. */
export function fieldReader(body: Buffer): FieldReader {
  let at = 0;
  function octets(count: number): Buffer {
    if (at + count > body.length) throw new MalformedPdu('a body that ends within a field');
    at += count;
    return body.subarray(at - count, at);
  }
  return {
    octets,
    octet: () => octets(1)[0] ?? 0,
    cString() {
      if (at >= body.length) throw new MalformedPdu('a body that ends before a field');
      const end = body.indexOf(0, at);
      const text = body.toString('latin1', at, end < 0 ? body.length : end);
      at = end < 0 ? body.length : end + 1;
      return text;
    },
    parameters() {
      const found = new Map<number, Buffer>();
      while (body.length - at >= parameterHeaderBytes) {
        const tag = octets(2).readUInt16BE(0);
        const value = octets(octets(2).readUInt16BE(0));
        if (!found.has(tag)) found.set(tag, value);
      }
      return found;
    },
  };
}

/** The id in a submit_sm_resp; empty when it has none, as in a refusal. */
export const messageIdOf = (body: Buffer): string =>
  body.length === 0 ? '' : fieldReader(body).cString().trim();
