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
const usual = /(https?:\/\/[^\s<>"']+)|([^\s"'<>,;:()[\]@]{1,64}@[\w.-]{1,255}\w)|\+\d{7,15}(?!\w)/;

/** The phones of a text, as they stand there, with their E.164 numbers. */
export type Phones = ReadonlyMap<string, string>;

/** With `phones` their links are made too; null: no links at all. Addresses and numbers run from left to right, whatever surrounds them. Keeps line breaks. */
export function inline(raw: string, phones: Phones | null): string {
  const text = plain(raw).trim();
  const written = [...(phones?.keys() ?? [])].filter(Boolean).map((phone) => RegExp.escape(phone));
  const followed = new RegExp([usual.source, ...written].join('|'), 'gi');
  let html = '';
  let at = 0;
  for (const match of text.matchAll(followed)) {
    const [whole, url, address] = match;
    // Punctuation that ends a sentence is not part of a link.
    const shown = whole.replace(/[.,;:!?)\]]+$/, '');
    const number = phones?.get(whole) ?? shown;
    const target = url !== undefined ? shown : address !== undefined ? mailto(shown) : `tel:${number}`;
    html += withBreaks(text.slice(at, match.index));
    html +=
      phones === null
        ? `<bdi dir="ltr">${escaped(shown)}</bdi>`
        : `<a href="${escaped(target)}" dir="ltr" style="color:#0b57a4">${escaped(shown)}</a>`;
    at = match.index + shown.length;
  }
  return html + withBreaks(text.slice(at));
}

/** Encodes the whole address: `?bcc=…` in it must not become a header of the e-mail (RFC 6068). */
function mailto(address: string): string {
  // A lone surrogate can't be encoded.
  return `mailto:${address.toWellFormed().split('@').map(encodeURIComponent).join('@')}`;
}

function withBreaks(text: string): string {
  return escaped(text).replaceAll('\n', '<br>');
}
