/** Entity tags of versioned resources (RFC 9110, 8.8.3 and 13.1.1). */

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** True when there is no If-Match, or it is `*` or names this version; a weak tag never matches. */
export function matchesVersion(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined) return true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etagOf(version));
}
