/** Redacts a gateway's text about a failure, so that it may be stored, shown and logged. */

const hidden = '…';
/** Longer than any text that was seen of a gateway. */
const lengthAtMost = 200;

/** A long number, except hexadecimal codes; or groups of digits after +, ( or 0. */
const phones = [
  [/(?<!0x[\da-f]*)\+?\d{7,}/gi, hidden],
  [/(?<![\w.])(?:\+|\(|0)(?:[\s().-]*\d){7,}/g, hidden],
] as const;
const emails = [/\S+@\S+/g, hidden] as const;

const rules: readonly (readonly [RegExp, string])[] = [
  // Addresses: of web pages, of hosts, of people.
  [/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, hidden],
  [/\bwww\.\S+/gi, hidden],
  emails,
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, hidden],
  // Credentials, by their name or by their form.
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{6,}/gi, `$1 ${hidden}`],
  [
    /\b(pass(?:word|wd)?|pwd|secret|token|api[-_ ]?key|key|authorization|signature|user(?:name)?)(["']?\s*[=:]\s*)(?!Basic|Bearer)\S+/gi,
    `$1$2${hidden}`,
  ],
  [/\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi, hidden],
  ...phones,
];

/** A text of people, without the phone numbers and e-mail addresses in it. */
export function redactedContacts(text: string): string {
  return [emails, ...phones].reduce(
    (words, [pattern, replacement]) => words.replace(pattern, replacement),
    text,
  );
}

/** One line without addresses, credentials and phone numbers, 200 characters at most; empty where nothing is left. */
export function redactedGatewayText(text: string): string {
  let words = text
    .slice(0, 1_000)
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  for (const [pattern, replacement] of rules) words = words.replace(pattern, replacement);
  const characters = [...words];
  return characters.length > lengthAtMost
    ? `${characters.slice(0, lengthAtMost - 1).join('')}${hidden}`
    : words;
}
