/** Texts of people without the phone numbers and e-mail addresses in them. Each step looks at a character a bounded number of times. */

/** Stands where something was hidden. */
export const hidden = '…';

/** Characters without width: `0491\u200b570156` is read as a number. */
const invisible = /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]--[\t\n\v\f\r]]/gv;
/** Marks that stand on no letter, so on a digit or on what separates digits. */
const marks = /(?<=[^\p{L}\p{M}])\p{M}+/gu;

/**
 * The text without phone numbers and e-mail addresses, which hides rather too much than too little (specification: The console). A
 * text that has none stays as it is; one that has some loses its invisible characters too.
 */
export function redactedContacts(text: string): string {
  const visible = text.replace(invisible, '').replace(marks, '');
  const shown = withoutNumbers(withoutEmails(visible));
  return shown === visible ? text : shown;
}

/** In an address of a web page it is `%40`. */
const at = /[@＠﹫]|%40/u;
const inWord = /\S(?:[@＠﹫]|%40)\S/u;
const spacesAtMost = 3;

/** Without words that have an @ inside, and without two words between which one stands: `kim @ mail.example`, but not `4 @ $129.00`. */
export function withoutEmails(text: string): string {
  if (!at.test(text)) return text;
  // Words stand at even places, white space between them.
  const parts = text.split(/(\s+)/);
  const isHidden = new Set<number>();
  parts.forEach((word, n) => {
    if (!at.test(word)) return;
    const isNear = (space: number) => (parts[space] ?? '').length <= spacesAtMost;
    const first = at.test(word.charAt(0)) && isNear(n - 1) ? Math.max(n - 2, 0) : n;
    const last = at.test(word.charAt(word.length - 1)) && isNear(n + 1) ? n + 2 : n;
    const pieces = parts
      .slice(first, last + 1)
      .join('')
      .split(at);
    const isEmail = /[\p{L}\p{N}]/u.test(pieces[0] ?? '') && /\p{L}/u.test(pieces.at(-1) ?? '');
    if (!isEmail && !inWord.test(word)) return;
    for (let each = first; each <= last; each++) isHidden.add(each);
  });
  return parts.map((part, n) => (!isHidden.has(n) ? part : isHidden.has(n - 1) ? '' : hidden)).join('');
}

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const year = '(?:19|20|21)\\d\\d';
const clock = '(?:[01]?\\d|2[0-3]):[0-5]\\d';
const seconds = ':[0-5]\\d(?:\\.\\d{1,3})?';
const isoDate = `${year}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])`;
const time = `${clock}(?:\\s?[ap]m|\\s?[-–]\\s?${clock})?`;
const amount = '(?:\\d{1,3}(?:,\\d{3}){0,2}\\.\\d\\d|(?:\\d,)?\\d{1,3},\\d{3})';

/** The dates, times and prices that our own pages and texts have; each is of bounded length. */
const ownForms = [
  `(?:[1-9]|[12]\\d|3[01]) ${month} ${year}(?:,? ${time})?`,
  `${isoDate}(?:[T ]${clock}(?:${seconds})?(?:Z|[+-]\\d\\d:\\d\\d)?)?`,
  time,
  `(?:[$€£]|(?:R|CHF)\\s?)${amount}`,
];
/** A gateway's code of an error: `0x00000045`. */
const code = '0x[\\dA-Fa-f]{1,16}';

/** Such a form where it stands alone: no part of a word, and not tied to another digit by a sign, as groups of a number are. */
const alone = (forms: readonly string[]) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}+＋]|\\p{N}[^\\p{L}\\p{N}\\s]|[+＋]\\p{N}{1,3}\\s|\\p{N}[)）]\\s)(?:${forms.join('|')})(?![\\p{L}\\p{N}]|[^\\p{L}\\p{N}\\s]\\p{N})`,
    'gu',
  );
const keptOfPeople = alone(ownForms);
const keptOfGateways = alone([...ownForms, code]);

/** Stand for what is kept while numbers are looked for; none of the texts has them. A number ends at one with letters, not at one without. */
const [letters, sign] = ['\u0001', '\u0002'];
const placeOrNumber =
  /[\u0001\u0002]|(?:[+＋﹢⁺][^\p{L}\p{N}\u0001]{0,3}?)?[(（]?\p{N}(?:[^\p{L}\p{N}\u0001]{0,3}\p{N})*/gu;

/**
 * Without numbers: seven digits of any script or more, six after + or 0, with at most three characters between two of them that are
 * neither letter nor digit. `text` has no control characters but white space. `codes`: hexadecimal codes stay.
 */
export function withoutNumbers(text: string, { codes = false } = {}): string {
  const kept: string[] = [];
  const placed = text.replace(codes ? keptOfGateways : keptOfPeople, (form) => {
    kept.push(form);
    return /\p{L}/u.test(form) ? letters : sign;
  });
  let next = 0;
  return placed.replace(placeOrNumber, (found) => {
    const shown = found.replace(/[\u0001\u0002]/g, () => kept[next++] ?? '');
    return isNumber(found) ? hidden : shown;
  });
}

/** Tells whether a run of digits is a number. In a script with a zero of its own six digits are enough. */
function isNumber(found: string): boolean {
  const digits = found.replace(/\P{N}/gu, '');
  const isLocal = /^[1-9]/.test(digits) && !/^[+＋﹢⁺]/u.test(found);
  return (digits.match(/./gu) ?? []).length >= (isLocal ? 7 : 6);
}
