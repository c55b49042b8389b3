/** Links in a text, as people's phones find them. */

export interface Link {
  /** As `String.slice` takes them. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Every link that names its scheme, up to the next white space. */
export function linksIn(text: string): Link[] {
  // Asked of every string of every request.
  if (!text.includes('://')) return [];
  return [...text.matchAll(/https?:\/\/\S+/giu)].map(({ index: start, 0: link }) => ({
    start,
    end: start + link.length,
    text: link,
  }));
}

/** The link that this place of the text lies within, so that cutting there would break it. */
export function linkAcross(links: readonly Link[], at: number): Link | null {
  return links.find(({ start, end }) => start < at && at < end) ?? null;
}

/** The text with everything but its links changed by `change`, which gets the pieces between them. */
export function aroundLinks(text: string, change: (piece: string) => string): string {
  let done = '';
  let at = 0;
  for (const { start, end, text: link } of linksIn(text)) {
    done += change(text.slice(at, start)) + link;
    at = end;
  }
  return done + change(text.slice(at));
}
