/** Entity tags of versioned resources (RFC 9110, 8.8.3 and 13.1.1). */

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The versions of a record that a caller has seen, any of which it may still have; undefined: any at all. */
export type Seen = number | readonly number[] | undefined;

/** Reads a header `If-Match`: undefined when there is none, or it is `*`. A weak tag, and one that is no version, names none. */
export function seenIn(ifMatch: string | undefined): Seen {
  const tags = ifMatch?.split(',').map((tag) => tag.trim());
  if (tags === undefined || tags.includes('*')) return undefined;
  return tags.flatMap((tag) => (/^"[1-9]\d{0,9}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []));
}

export const matchesVersion = (seen: Seen, version: number): boolean =>
  seen === undefined || (typeof seen === 'number' ? seen === version : seen.includes(version));
