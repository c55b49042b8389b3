/** Redacts a gateway's text about a failure, so that it may be stored, shown and logged. */
import { hidden, withoutEmails, withoutNumbers } from './redacted-contacts.ts';

/** Longer than any text that was seen of a gateway. */
const lengthAtMost = 200;

type Step = (text: string) => string;

const without =
  (pattern: RegExp, replacement: string = hidden): Step =>
  (text) =>
    text.replace(pattern, replacement);

/** The expressions, in their order. No match begins at a character that the expression has looked at already. */
const steps: readonly Step[] = [
  // Addresses: of web pages, of hosts, of people.
  without(/[a-z][a-z0-9+.-]{0,30}:\/\/\S+/gi),
  without(/\bwww\.\S+/gi),
  withoutEmails,
  without(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g),
  // Credentials, by their name or by their form.
  without(/\b(Basic|Bearer)\s+[\w+/=.~-]{6,}/gi, `$1 ${hidden}`),
  without(
    /\b(pass(?:word|wd)?|pwd|secret|token|api[-_ ]?key|key|authorization|signature|user(?:name)?)(["']?\s*[=:]\s*)(?!Basic|Bearer)\S+/gi,
    `$1$2${hidden}`,
  ),
  without(/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi),
  (text) => withoutNumbers(text, { codes: true }),
];

/** One line without addresses, credentials and phone numbers, 200 characters at most; empty where nothing is left. */
export function redactedGatewayText(text: string): string {
  let words = text
    .slice(0, 1_000)
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  for (const step of steps) words = step(words);
  const characters = [...words];
  return characters.length > lengthAtMost
    ? `${characters.slice(0, lengthAtMost - 1).join('')}${hidden}`
    : words;
}
