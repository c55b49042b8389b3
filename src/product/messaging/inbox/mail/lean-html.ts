/** HTML as the library's way to text takes it in linear time: without what is not read, and with no tag that is long or never closed. */

/** In characters: a longer tag keeps its name alone. The library looks for `href` within a tag in quadratic time. */
const tagAtMost = 1_000;
/** In characters of what is left; Outlook's styles alone have 100,000, and are not left. */
const htmlAtMost = 1_000_000;

const nameOf = /^<\/?[a-z][a-z0-9]{0,20}(?![a-z0-9])/i;
/** Their content is no text of the e-mail; a comment ends at the first end, the others at their closing tag. */
const blocks = [
  { open: /<!--/y, close: /-->/g },
  { open: /<style(?![a-z0-9])/iy, close: /<\/style(?![a-z0-9])/gi },
  { open: /<script(?![a-z0-9])/iy, close: /<\/script(?![a-z0-9])/gi },
];

/** Looks once at each character, but for a few more at the ends of blocks. Words stay as they are; a `<` that begins no tag stays a `<` of the text. */
export function leanHtml(html: string): string {
  const parts: string[] = [];
  let [length, at] = [0, 0];
  const keep = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  const unclosed = new Set<RegExp>();

  /** Where the block ends that begins here; -1: none does, or it is never closed. */
  function endOfBlock(start: number): number {
    for (const { open, close } of blocks) {
      open.lastIndex = close.lastIndex = start;
      if (unclosed.has(close) || !open.test(html)) continue;
      const end = close.test(html) ? html.indexOf('>', close.lastIndex - 1) + 1 : 0;
      if (end > 0) return end;
      // Nor is any later one.
      unclosed.add(close);
    }
    return -1;
  }

  while (at < html.length && length < htmlAtMost) {
    const start = html.indexOf('<', at);
    keep(html.slice(at, start < 0 ? html.length : start));
    if (start < 0) break;
    if (!/[a-z/!?]/i.test(html.charAt(start + 1))) {
      keep('&lt;');
      at = start + 1;
      continue;
    }
    const end = html.indexOf('>', start) + 1;
    if (end === 0) {
      // Nothing that follows is a tag.
      keep(html.slice(start).replaceAll('<', '&lt;'));
      break;
    }
    const block = endOfBlock(start);
    keep(block < 0 ? leanTag(html.slice(start, end)) : ' ');
    at = block < 0 ? end : block;
  }
  return parts.join('').slice(0, htmlAtMost);
}

function leanTag(tag: string): string {
  if (tag.length <= tagAtMost) return tag;
  const [name] = nameOf.exec(tag) ?? [];
  return name === undefined ? ' ' : `${name}>`;
}
