/** Reads only the headers of an e-mail (RFC 5322): the author, and whether a program sent it. */
import PostalMime from 'postal-mime';
import { authorOf } from './author.ts';

/** Bytes. */
export const headersAtMost = 256 * 1024;

export interface MailHeaders {
  /** Without brackets; null: it has none. */
  readonly messageId: string | null;
  /** The address of the author (From), in lower case; null: there is no single author. */
  readonly author: string | null;
  /** True for an e-mail that a program sent: out of office, a bounce, a mailing list (RFC 3834). */
  readonly isAutomatic: boolean;
}

/** Reads nothing after the headers, and at most 256 KiB. Throws an Error when the headers are longer. */
export async function readHeaders(raw: Buffer): Promise<MailHeaders> {
  const { headers, messageId } = await PostalMime.parse(headersOf(raw));
  const valuesOf = (name: string) => headers.filter(({ key }) => key === name).map(({ value }) => value);
  const header = (name: string) => valuesOf(name)[0]?.trim() ?? '';
  const submitted = header('auto-submitted');
  return {
    messageId: messageId?.replace(/^\s*<|>\s*$/g, '') || null,
    author: authorOf(valuesOf('from')),
    isAutomatic:
      (submitted !== '' && !/^no\b/i.test(submitted)) ||
      /^(?:bulk|junk|list|auto_reply)\b/i.test(header('precedence')) ||
      /^multipart\/report\b/i.test(header('content-type')) ||
      ['list-id', 'x-autoreply', 'x-autorespond', 'x-auto-reply'].some((name) => header(name) !== ''),
  };
}

/** Up to the first empty line. */
function headersOf(raw: Buffer): Buffer {
  const start = raw.subarray(0, headersAtMost);
  for (let from = 0; from < start.length; ) {
    const end = start.indexOf(0x0a, from);
    if (end < 0) break;
    if (start.subarray(from, end).every((byte) => byte === 0x0d)) return start.subarray(0, from);
    from = end + 1;
  }
  if (raw.length > headersAtMost) throw new RangeError('the headers are longer than 256 KiB');
  return start;
}
