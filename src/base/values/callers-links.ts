/**
 * Texts that callers wrote, as they stand in what we send: nothing in them becomes a link, on a phone or in a mail program. Those make links
 * by themselves, of `https://…`, `www.…`, bare domains, e-mail addresses and IP addresses, and each by rules of its own.
 */
import tlds from 'tlds' with { type: 'json' };

/** Top-level domains in lower case, and names that are none, yet are taken for one. */
const topLevel = new Set([...tlds, ...'example invalid internal local localhost onion test'.split(' ')]);

/** Invisible characters, which some phones ignore: they neither hide a link here nor break one for certain. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\p{White_Space})\p{Cc}/gu;
const controls = /(?!\p{White_Space})\p{Cc}/gu;
/** To normalise a long run of marks takes quadratic time, so of one no more is looked at than any language uses. */
const endOfMarkRun = /(?<=\p{M}{30})\p{M}+/gu;

const schemes = 'callto|facetime|geo|javascript|mailto|market|mms|sip|skype|sms|smsto|tel|whatsapp|xmpp';
const schemed = new RegExp(`(?<![\\p{L}\\p{N}])(${schemes}):(?=\\S)`, 'giu');
const www = /(?<![\p{L}\p{N}])www[.。]\S/iu;
const ipv4 = /\d(?:[.。]\d+){3}/;
/** A label after a dot that is not the first character. The ideographic full stop is a dot in domains too. */
const laterLabel = /(?<=[^.。])[.。]([\p{L}\p{M}\p{N}-]+)/gu;
/** Texts that may be links by rules that we don't know: a top-level domain newer than our list, an address on a host without a dot. */
const doubtful = /[.。]\p{M}*\p{L}[\p{L}\p{M}\p{N}-]|@\S/u;

/** As a reader sees it, and as forms of other widths are resolved: `ｅｖｉｌ．ｃｏｍ` is `evil.com`. */
function bareOf(text: string): string {
  return text.replace(unseen, '').replace(endOfMarkRun, '').normalize('NFKC');
}

/** Tells whether a word, as `bareOf` gives it, is a link. */
function isLink(word: string): boolean {
  if (word.includes('://') || word.search(schemed) >= 0 || www.test(word) || ipv4.test(word)) return true;
  return [...word.toLowerCase().matchAll(laterLabel)].some(([, label = '']) => {
    // A link also ends where a hyphen or another script begins.
    const [letters = ''] = /^[a-z]+(?![a-z\d])/.exec(label) ?? [];
    return topLevel.has(label) || topLevel.has(letters) || label.startsWith('xn--');
  });
}

/** With a space wherever a link would need two parts to stand together. */
function broken(word: string): string {
  return word
    .replace(/([.。])(?=[^\s.。])/g, '$1 ')
    .replace(/:(?=\/\/)/g, ': ')
    .replace(schemed, '$1: ')
    .replace(/(?<=\S)@/g, ' @')
    .replace(/@(?=\S)/g, '@ ');
}

/** ASCII that can be part of no link: most texts, told quickly. */
const harmless = /^[\n -\-/-9;-?A-~]*$/;

/** Shows each word of the text that is, or may be, a link in another way; null leaves it out. A text without any stays as it is. */
function shownWords(given: string, show: (bare: string) => string | null): string {
  if (harmless.test(given)) return given;
  // Some places leave them out, others put a space there.
  const text = given.replace(controls, '');
  if (!/[.。:@]/.test(bareOf(text))) return text;
  let shown = '';
  for (const [, space = '', word = ''] of text.matchAll(/(\p{White_Space}*)(\P{White_Space}*)/gu)) {
    const bare = bareOf(word);
    const instead = isLink(bare) || doubtful.test(bare) ? show(bare) : word;
    if (instead !== null) shown += space + instead;
  }
  return shown === text ? text : shown.trim();
}

/** True for a text in which phones would find a link. */
export function holdsLink(text: string): boolean {
  return text.split(/\p{White_Space}+/u).some((word) => isLink(bareOf(word)));
}

/** For e-mails: every word is there to be read, and none becomes a link (`https: //evil. example`). */
export function withBrokenLinks(text: string): string {
  return shownWords(text, broken);
}

/** For SMS: without the words that are links. What only looks a little like one stays, with a space in it (`J.Smith` is `J. Smith`). */
export function withoutLinks(text: string): string {
  return shownWords(text, (bare) => (isLink(bare) ? null : broken(bare)));
}

/** How a caller's text is shown in what goes out by a channel. */
export const shownBy = { sms: withoutLinks, email: withBrokenLinks } as const;

/** In place of a rego that is a link, or a phone number, in an SMS. */
export const someCar = 'your car';

/** A rego as it is shown by a channel. No country has one of nine digits and no letter. */
export function regoShownBy(channel: keyof typeof shownBy, rego: string): string {
  if (channel === 'sms' && (holdsLink(rego) || /^\+?[\d-]{9,}$/.test(rego))) return someCar;
  return shownBy[channel](rego);
}

/** An e-mail address that was checked. It is a link, to whoever has it; one whose first part would become a link of its own is not. */
export function addressShownBy(channel: keyof typeof shownBy, address: string): string {
  const local = address.slice(0, address.lastIndexOf('@'));
  const isPlain = /^(?!www\.)[\w.+-]*$/i.test(local) || !holdsLink(local);
  return isPlain ? address : shownBy[channel](address);
}
