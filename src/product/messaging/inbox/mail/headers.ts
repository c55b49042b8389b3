/** Reads only the headers of an e-mail (RFC 5322): the author, and whether a program sent it. */
import PostalMime from 'postal-mime';
import { authorOf } from './author.ts';

/** Bytes. */
export const headersAtMost = 256 * 1024;

export interface MailHeaders {
  /** Without brackets; null: it has none. */
  readonly messageId: string | null;
  /** The address of the author (From), in lower case; null: there is no single author above the first line that is no header. */
  readonly author: string | null;
  /** True for an e-mail that a program sent: out of office, a bounce, a mailing list (RFC 3834). */
  readonly isAutomatic: boolean;
}

/** Reads nothing after the headers, and at most 256 KiB. Throws an Error when the headers are longer. */
export async function readHeaders(raw: Buffer): Promise<MailHeaders> {
  const above = headersOf(raw);
  const { headers: own, messageId } = await PostalMime.parse(wellFormed(above));
  // A program that writes a line of its own among them is still a program.
  const { headers } = await PostalMime.parse(above);
  const header = (name: string) => headers.find(({ key }) => key === name)?.value.trim() ?? '';
  const submitted = header('auto-submitted');
  return {
    messageId: messageId?.replace(/^\s*<|>\s*$/g, '') || null,
    author: authorOf(own.filter(({ key }) => key === 'from').map(({ value }) => value)),
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

/** A name with its colon, or the next line of one: of white space and something else. */
const headerLine = /^[\x21-\x39\x3b-\x7e]+[ \t]*:/;
const nextLine = /^[ \t]+[^ \t\r\n]/;
/** The line that a mailbox file, and Exim for a program that it pipes to, puts above an e-mail. */
const mailboxLine = /^>?From +[^:\s]/;

/** Up to the first line that is no header: for most programs the text begins there, so that a `From:` below it names no author. */
function wellFormed(headers: Buffer): Buffer {
  const lines = headers.toString('latin1').split('\n');
  const first = mailboxLine.test(lines[0] ?? '') ? 1 : 0;
  const end = lines.findIndex(
    (line, n) => n >= first && !headerLine.test(line) && !(n > first && nextLine.test(line)),
  );
  return Buffer.from(lines.slice(first, end < 0 ? lines.length : end).join('\n'), 'latin1');
}
