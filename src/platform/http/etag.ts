/** Entity tags: of versioned resources, and of what clients keep (RFC 9110, 8.8.3 and 13.1). */

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The versions of a record that a caller has seen, any of which it may still have; undefined: any at all. */
export type Seen = number | readonly number[] | undefined;

/**
 * Reads a header `If-Match`: undefined when there is none, or it is `*`; a tag that is no version names none (specification: Changing a
 * booking 9).
 */
export function seenIn(ifMatch: string | undefined): Seen {
  const tags = ifMatch?.split(',').map((tag) => plain(tag.trim()));
  if (tags === undefined || tags.includes('*')) return undefined;
  return tags.flatMap((tag) => (/^"[1-9]\d{0,9}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []));
}

export const matchesVersion = (seen: Seen, version: number): boolean =>
  seen === undefined || (typeof seen === 'number' ? seen === version : seen.includes(version));

/** Whether a list of tags, as of If-None-Match, is `*` or has this one, as it is or as a proxy that compresses has made it. */
export function namesTag(list: string | undefined, etag: string): boolean {
  const tags = list?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.includes('*') || tags.some((tag) => plain(tag) === plain(etag));
}

/**
 * A proxy that compresses an answer changes its tag, since its bytes are others now, and clients send back what they got: nginx and
 * HAProxy make it weak (`W/"3"`), Apache and newer releases of Caddy add the encoding (`"3-gzip"`), Jetty with two hyphens.
 */
const plain = (tag: string) => tag.replace(/^W\//, '').replace(/-{1,2}(?:gzip|br|zstd|deflate)"$/, '"');
