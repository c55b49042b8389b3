/** Finds links in a text, as phones do. */

export interface Link {
  /** Bounds for `String.slice`. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Every link that names its scheme, up to the next white space. */
export function linksIn(text: string): Link[] {
  // A quick test first, since every string of every request is checked.
  if (!text.includes('://')) return [];
  return [...text.matchAll(/https?:\/\/\S+/giu)].map(({ index: start, 0: link }) => ({
    start,
    end: start + link.length,
    text: link,
  }));
}

/** The link that a cut at this place of the text would break; null for none. */
export function linkAcross(links: readonly Link[], at: number): Link | null {
  return links.find(({ start, end }) => start < at && at < end) ?? null;
}

/** Applies `change` to the pieces of the text between its links. */
export function aroundLinks(text: string, change: (piece: string) => string): string {
  let done = '';
  let at = 0;
  for (const { start, end, text: link } of linksIn(text)) {
    done += change(text.slice(at, start)) + link;
    at = end;
  }
  return done + change(text.slice(at));
}
