/** The author of an e-mail, from its From header (RFC 5322). */
import { isEmail } from '#base/values/email.ts';

/** In characters; one line of a header has up to 998. */
const lengthAtMost = 1_000;
const quoted = /"(?:[^"\\]|\\.)*"/g;
const comment = /\([^()]*\)/g;
const mailbox = /^(?:[^<>"(),;:]*<\s*([^\s<>]+)\s*>|\s*([^\s<>"(),;:]+))\s*$/;
const address = /[^\s<>@]+@[^\s<>@]+/g;

/**
 * The address of the author, in lower case. Null unless there is exactly one From header with one address that every parser reads
 * the same way: the server that checked SPF, DKIM and DMARC may otherwise have checked another address. `Sender` is ignored, as in
 * DMARC: it names who handed the e-mail over for its author.
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
