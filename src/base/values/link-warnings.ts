/** Warnings about links that are likely to break on a phone, or that make an SMS expensive. */
import { type Link, linksIn } from './links.ts';
import { charactersOutsideGsm } from './sms-alphabet.ts';

/** Phones differ in whether they take these for a part of the link. */
const trailing = new Set('.,:;!?\'"()[]{}<>*…«»‘’“”、。');

/** A link without a scheme, `pitlane.example/b`; not the end of an e-mail address, and not part of another link. */
const bareDomain =
  /(?<![\p{L}\p{N}@./_-])(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}(?:\p{L}{2}|com|net|org|info|biz|edu|gov|app|dev|shop|online|site|store|link|page|example)(?![\p{L}\p{N}@_-])(?:[/?#]\S*)?/giu;

/** Sentences for people, each about one link; none for a text without such links. */
export function linkWarnings(text: string): string[] {
  const links = linksIn(text);
  const warnings = links.flatMap((link) => warningsOf(text, link));
  for (const { index, 0: found } of text.matchAll(bareDomain)) {
    if (links.some(({ start, end }) => start <= index && index < end)) continue;
    const end = trailingOf(found);
    const domain = found.slice(0, found.length - end.length);
    const apart = end === '' ? '' : ', with a space behind it';
    warnings.push(`${domain} is no link on every phone: write https://${domain}${apart}`);
  }
  return [...new Set(warnings)];
}

function warningsOf(text: string, { start, text: link }: Link): string[] {
  const warnings: string[] = [];
  if (start > 0 && !/\s/.test(text.charAt(start - 1))) {
    warnings.push(`${link} is not separated from what is before it: put a space there`);
  }
  const end = trailingOf(link);
  if (end !== '') {
    warnings.push(
      `${link} ends with ${end}, which phones may take for part of the link: put a space before it`,
    );
  }
  const outside = charactersOutsideGsm(link);
  if (outside.length > 0) {
    warnings.push(
      `${link} has characters outside the SMS alphabet (${outside.join(' ')}), which make the whole text UCS-2${encoded(link)}`,
    );
  }
  return warnings;
}

function trailingOf(link: string): string {
  let at = link.length;
  while (at > 0 && trailing.has(link.charAt(at - 1))) at--;
  return link.slice(at);
}

function encoded(link: string): string {
  return URL.canParse(link) ? `: write ${new URL(link).href}` : '';
}
