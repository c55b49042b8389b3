/** Makes HTML of a text: escapes it, and links its URLs, addresses and phone numbers. */
import { plain } from './email-content.ts';

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** URLs, e-mail addresses, and phone numbers with a country code. */
const usual = /(https?:\/\/[^\s<>"']+)|([^\s"'<>,;:()[\]@]{1,64}@[\w.-]{1,255}\w)|\+\d{7,15}(?!\w)/gi;

/** The phones of a text, as they stand there, with their E.164 numbers. */
export type Phones = ReadonlyMap<string, string>;

/** With `phones` their links are made too; null: no links at all. Addresses and numbers run from left to right, whatever surrounds them. Keeps line breaks. */
export function inline(raw: string, phones: Phones | null): string {
  const text = plain(raw).trim();
  const written = [...(phones?.keys() ?? [])].filter(Boolean);
  let html = '';
  let at = 0;
  for (const { index, whole, url, address } of followed(text, written)) {
    // Punctuation that ends a sentence is not part of a link.
    const shown = whole.replace(/[.,;:!?)\]]+$/, '');
    const number = phones?.get(whole) ?? shown;
    const target = url !== undefined ? shown : address !== undefined ? mailto(shown) : `tel:${number}`;
    html += withBreaks(text.slice(at, index));
    html +=
      phones === null
        ? `<bdi dir="ltr">${escaped(shown)}</bdi>`
        : `<a href="${escaped(target)}" dir="ltr" style="color:#0b57a4">${escaped(shown)}</a>`;
    at = index + shown.length;
  }
  return html + withBreaks(text.slice(at));
}

interface Followed {
  readonly index: number;
  readonly whole: string;
  readonly url?: string | undefined;
  readonly address?: string | undefined;
}

/** What becomes a link, from left to right. The phones are no part of the expression, which would be compiled for each e-mail. */
function* followed(text: string, phones: readonly string[]): Generator<Followed> {
  for (let from = 0; ; ) {
    usual.lastIndex = from;
    const [match, phone] = [usual.exec(text), firstOf(text, phones, from)];
    const next: Followed | null =
      match !== null && (phone === null || match.index <= phone.index)
        ? { index: match.index, whole: match[0], url: match[1], address: match[2] }
        : phone;
    if (next === null) return;
    yield next;
    from = next.index + next.whole.length;
  }
}

/** The phone that stands first in the text; of several at one place the first of the list. */
function firstOf(text: string, phones: readonly string[], from: number): Followed | null {
  let first: Followed | null = null;
  for (const whole of phones) {
    const index = text.indexOf(whole, from);
    if (index >= 0 && (first === null || index < first.index)) first = { index, whole };
  }
  return first;
}

/** Encodes the whole address: `?bcc=…` in it must not become a header of the e-mail (RFC 6068). */
function mailto(address: string): string {
  // A lone surrogate can't be encoded.
  return `mailto:${address.toWellFormed().split('@').map(encodeURIComponent).join('@')}`;
}

function withBreaks(text: string): string {
  return escaped(text).replaceAll('\n', '<br>');
}
