/**
 * Converts a text to HTML: escapes it, and links its URLs, addresses and known phones. Callers' texts in it have no links any more
 * (`#values/callers-links.ts`).
 */
import { plain } from './email-content.ts';

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** URLs and e-mail addresses. */
const usual = /(https?:\/\/[^\s<>"']+)|([^\s"'<>,;:()[\]@]{1,64}@[\w.-]{1,255}\w)/gi;

/** The phones as they are written in a text, with their E.164 numbers. */
export type Phones = ReadonlyMap<string, string>;

/** How links are made. */
export interface Links {
  readonly phones: Phones;
  /** `#rrggbb` */
  readonly colour: string;
}

/**
 * Links URLs, addresses and known phones; with null, nothing is linked. Addresses and numbers run from left to right in any text.
 * Keeps line breaks.
 */
export function inline(raw: string, links: Links | null): string {
  const text = plain(raw).trim();
  const written = [...(links?.phones.keys() ?? [])].filter(Boolean);
  let html = '';
  let at = 0;
  for (const { index, whole, url, address } of followed(text, written)) {
    // Punctuation that ends a sentence is not part of a link.
    const shown = whole.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '');
    const target =
      url !== undefined ? shown : address !== undefined ? mailto(shown) : `tel:${links?.phones.get(whole)}`;
    html += withBreaks(text.slice(at, index));
    html +=
      links === null
        ? `<bdi dir="ltr">${escaped(shown)}</bdi>`
        : `<a href="${escaped(target)}" dir="ltr" style="color:${links.colour}">${escaped(shown)}</a>`;
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

/**
 * The links of a text, from left to right; of several at one position the first in the list. Phones are searched as strings, not by
 * the expression, which would have to be compiled for each e-mail. Each search continues after the last link, once its own match
 * lies before that.
 */
function* followed(text: string, phones: readonly string[]): Generator<Followed> {
  const searches = [
    searchOf((from) => {
      usual.lastIndex = from;
      const match = usual.exec(text);
      return match && { index: match.index, whole: match[0], url: match[1], address: match[2] };
    }),
    ...phones.map((whole) =>
      searchOf((from) => {
        const index = text.indexOf(whole, from);
        return index < 0 ? null : { index, whole };
      }),
    ),
  ];
  for (let from = 0; ; ) {
    let next: Followed | null = null;
    for (const search of searches) {
      const found = search(from);
      if (found !== null && (next === null || found.index < next.index)) next = found;
    }
    if (next === null) return;
    yield next;
    from = next.index + next.whole.length;
  }
}

/** Caches a match until it has been passed. */
function searchOf(find: (from: number) => Followed | null): (from: number) => Followed | null {
  let found: Followed | null | undefined;
  return (from) => {
    if (found === undefined || (found !== null && found.index < from)) found = find(from);
    return found;
  };
}

/** Encodes the whole address, so that `?bcc=…` in it does not become a header of the e-mail (RFC 6068). */
function mailto(address: string): string {
  // A lone surrogate can't be encoded.
  return `mailto:${address.toWellFormed().split('@').map(encodeURIComponent).join('@')}`;
}

function withBreaks(text: string): string {
  return escaped(text).replaceAll('\n', '<br>');
}
