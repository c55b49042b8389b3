/** Which attachments are kept: pictures within the limits of size and number. */
import { ownValue } from '#base/values/own-value.ts';
import type { InboundAttachment } from '#platform/gateways/sms/callbacks.ts';

/** The most attachments of one message; further ones are only mentioned in its text. */
export const attachmentsAtMost = 10;
export const sizeAtMostBytes = 5 * 1024 * 1024;
const urlAtMost = 2_000;
const typeAtMost = 100;

/** For each type, how its bytes begin (as Latin-1). */
const signatures: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'image/heic': /^.{4}ftyp(?:heic|heix|hevc|hevx|heim|heis|mif1|msf1)/s,
};

/** Why an attachment is not kept. */
export type Refusal =
  | 'typeNotAllowed'
  | 'otherContent'
  | 'tooLarge'
  | 'empty'
  /** It has no address, or one whose host is not allowed. */
  | 'addressNotAllowed';

/** The gateway declared no type: the bytes decide. */
const unknownType = 'unknown';

/** `Image/JPG; name=x` → `image/jpeg`, without characters that PostgreSQL can't store. */
export function typeOf(said: string): string {
  const [type = ''] = said.toWellFormed().replaceAll('\0', '').toLowerCase().split(';');
  const name = type.trim().slice(0, typeAtMost);
  return name === 'image/jpg' ? 'image/jpeg' : name || unknownType;
}

/** Null when bytes of this type may be kept; else the reason why not. */
export function refusalOf(contentType: string, content: Buffer): Refusal | null {
  const signature = ownValue(signatures, contentType);
  if (signature === undefined) return 'typeNotAllowed';
  if (content.length === 0) return 'empty';
  if (content.length > sizeAtMostBytes) return 'tooLarge';
  return hasSignature(content, signature) ? null : 'otherContent';
}

const hasSignature = (content: Buffer, signature: RegExp) =>
  signature.test(content.toString('latin1', 0, 32));

/** The type, which the bytes decide when the gateway declared none, and the reason when they may not be kept. */
export function judgeContent(
  said: string,
  content: Buffer,
): { readonly contentType: string; readonly reason: Refusal | null } {
  const found = Object.entries(signatures).find(([, signature]) => hasSignature(content, signature));
  const contentType = said === unknownType ? (found?.[0] ?? said) : said;
  return { contentType, reason: refusalOf(contentType, content) };
}

/** The state of an attachment when its message arrives. */
export interface Judged {
  readonly contentType: string;
  readonly state: 'waiting' | 'stored' | 'refused';
  readonly reason: Refusal | null;
  readonly sizeBytes: number | null;
  /** The bytes to keep; null when they are refused, or still have to be fetched. */
  readonly content: Buffer | null;
  /** The address to fetch them from. */
  readonly sourceUrl: string | null;
}

/** Judges an attachment from `storableAttachments`; it is `waiting` when its bytes have to be fetched. */
export function judge(attachment: InboundAttachment): Judged {
  const said = attachment.contentType;
  const none = { contentType: said, sizeBytes: null, content: null, sourceUrl: null };
  if ('url' in attachment) {
    const { url } = attachment;
    if (said !== unknownType && !Object.hasOwn(signatures, said))
      return { ...none, state: 'refused', reason: 'typeNotAllowed' };
    if (url === '' || url.length > urlAtMost) {
      return { ...none, state: 'refused', reason: 'addressNotAllowed' };
    }
    return { ...none, state: 'waiting', reason: null, sourceUrl: url };
  }
  const content = Buffer.from(attachment.base64, 'base64');
  const { contentType, reason } = judgeContent(said, content);
  const its = { ...none, contentType, sizeBytes: content.length };
  return reason === null
    ? { ...its, state: 'stored', reason, content }
    : { ...its, state: 'refused', reason };
}
