/** Which attachments are kept: pictures, of a size and number that a person sends. */
import type { InboundAttachment } from '#platform/gateways/sms/callbacks.ts';

/** Of one message; what is more is counted in its text alone. */
export const attachmentsAtMost = 10;
export const sizeAtMostBytes = 5 * 1024 * 1024;
const urlAtMost = 2_000;
const typeAtMost = 100;

/** By the type, what the bytes begin with (as Latin-1). */
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
  /** It has no address that may be asked. */
  | 'addressNotAllowed';

/** Of one whose gateway names no type: the bytes tell. */
const unknownType = 'unknown';

/** `Image/JPG; name=x` → `image/jpeg`; a text that PostgreSQL can store. */
export function typeOf(said: string): string {
  const [type = ''] = said.toWellFormed().replaceAll('\0', '').toLowerCase().split(';');
  const name = type.trim().slice(0, typeAtMost);
  return name === 'image/jpg' ? 'image/jpeg' : name || unknownType;
}

/** Null when bytes of this type may be kept. */
export function refusalOf(contentType: string, content: Buffer): Refusal | null {
  const signature = Object.hasOwn(signatures, contentType) ? signatures[contentType] : undefined;
  if (signature === undefined) return 'typeNotAllowed';
  if (content.length === 0) return 'empty';
  if (content.length > sizeAtMostBytes) return 'tooLarge';
  return hasSignature(content, signature) ? null : 'otherContent';
}

const hasSignature = (content: Buffer, signature: RegExp) =>
  signature.test(content.toString('latin1', 0, 32));

/** The type, by the bytes where the gateway names none, and why they may not be kept. */
export function judgeContent(
  said: string,
  content: Buffer,
): { readonly contentType: string; readonly reason: Refusal | null } {
  const found = Object.entries(signatures).find(([, signature]) => hasSignature(content, signature));
  const contentType = said === unknownType ? (found?.[0] ?? said) : said;
  return { contentType, reason: refusalOf(contentType, content) };
}

/** What is known of an attachment when its message arrives. */
export interface Judged {
  readonly contentType: string;
  readonly state: 'waiting' | 'stored' | 'refused';
  readonly reason: Refusal | null;
  readonly sizeBytes: number | null;
  /** The bytes that are kept; null when they are refused, or have to be fetched. */
  readonly content: Buffer | null;
  /** Where they are fetched from. */
  readonly sourceUrl: string | null;
}

/** Of one as `storableAttachments` gives it; it is `waiting` when its bytes have to be fetched. */
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
