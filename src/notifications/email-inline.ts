/** A text as HTML: nothing of it is markup, and what can be followed is a link. */
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
const followed = /(https?:\/\/[^\s<>"']+)|([^\s"'<>,;:()[\]@]{1,64}@[\w.-]{1,255}\w)|\+\d{7,15}(?!\w)/gi;

/** Line breaks stay. Addresses and numbers read from left to right, whatever stands round them. */
export function inline(raw: string, follow?: 'links'): string {
  const text = plain(raw).trim();
  let html = '';
  let at = 0;
  for (const match of text.matchAll(followed)) {
    const [whole, url, address] = match;
    // What ends a sentence is no part of a link.
    const shown = whole.replace(/[.,;:!?)\]]+$/, '');
    const target = url !== undefined ? shown : address !== undefined ? mailto(shown) : `tel:${shown}`;
    html += withBreaks(text.slice(at, match.index));
    html +=
      follow === undefined
        ? `<bdi dir="ltr">${escaped(shown)}</bdi>`
        : `<a href="${escaped(target)}" dir="ltr" style="color:#0b57a4">${escaped(shown)}</a>`;
    at = match.index + shown.length;
  }
  return html + withBreaks(text.slice(at));
}

/** An address is nothing but an address: `?bcc=…` in it is no header of the e-mail that is written (RFC 6068). */
function mailto(address: string): string {
  // Half of a pair of surrogates could not be encoded.
  return `mailto:${address.toWellFormed().split('@').map(encodeURIComponent).join('@')}`;
}

function withBreaks(text: string): string {
  return escaped(text).replaceAll('\n', '<br>');
}
