/** Entity tags: of versioned resources, and of what clients keep (RFC 9110, 8.8.3 and 13.1). */

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** True when there is no If-Match, or it is `*` or names this version (specification: Changing a booking 9). */
export function matchesVersion(ifMatch: string | undefined, version: number): boolean {
  return ifMatch === undefined || namesTag(ifMatch, etagOf(version));
}

/** Whether a list of tags, as of If-Match and If-None-Match, is `*` or has this one, as it is or as a proxy that compresses has made it. */
export function namesTag(list: string | undefined, etag: string): boolean {
  const tags = list?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.includes('*') || tags.some((tag) => plain(tag) === plain(etag));
}

/**
 * A proxy that compresses an answer changes its tag, since its bytes are others now, and clients send back what they got: nginx and
 * HAProxy make it weak (`W/"3"`), Apache and newer releases of Caddy add the encoding (`"3-gzip"`), Jetty with two hyphens.
 */
const plain = (tag: string) => tag.replace(/^W\//, '').replace(/-{1,2}(?:gzip|br|zstd|deflate)"$/, '"');
