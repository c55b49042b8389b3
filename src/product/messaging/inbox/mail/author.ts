/** Who wrote an e-mail, of its From header (RFC 5322). */
import { isEmail } from '#base/values/email.ts';

/** Characters; a header's line has up to 998. */
const lengthAtMost = 1_000;
const quoted = /"(?:[^"\\]|\\.)*"/g;
const comment = /\([^()]*\)/g;
const mailbox = /^(?:[^<>"(),;:]*<\s*([^\s<>]+)\s*>|\s*([^\s<>"(),;:]+))\s*$/;
const address = /[^\s<>@]+@[^\s<>@]+/g;

/**
 * The address of the one author, in lower case; null unless there is one header with one address that every reader takes for the
 * author's: what checks SPF, DKIM and DMARC before us may look at another one of two. `Sender` has no say, as in DMARC: it names
 * whoever handed the e-mail over for its author.
 */
export function authorOf(fromHeaders: readonly string[]): string | null {
  const [value = '', ...others] = fromHeaders;
  if (others.length > 0 || value.length > lengthAtMost) return null;
  const bare = value.replace(quoted, ' ').replace(comment, ' ');
  const [, inBrackets, alone] = mailbox.exec(bare) ?? [];
  const author = (inBrackets ?? alone ?? '').toLowerCase();
  const named = new Set(bare.toLowerCase().match(address));
  return named.size === 1 && isEmail(author) ? author : null;
}
