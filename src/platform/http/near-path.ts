/** The operation's path that an unknown path most likely meant. */
import { nearestName } from '#base/values/near-name.ts';

/** Longer than the path of any operation. */
const longest = 250;

/** `/booking` → `/bookings`, `/workshop/w-1/template` → `/workshops/w-1/templates`; null when none is like it. `patterns` have `:id` for a parameter. */
export function nearestPath(path: string, patterns: Iterable<string>): string | null {
  if (path.length > longest) return null;
  const parts = partsOf(path);
  for (const pattern of patterns) {
    const wanted = partsOf(pattern);
    if (wanted.length !== parts.length) continue;
    // Parameters are taken as sent; every other part has to be similar.
    const meant = wanted.map((part, at) =>
      part.startsWith(':') ? parts[at] : nearestName(parts[at] ?? '', [part]),
    );
    if (meant.every((part) => part)) return `/${meant.join('/')}`;
  }
  return null;
}

/** Empty ones left out: `//bookings/` is `/bookings`. */
const partsOf = (path: string) => path.split('/').filter((part) => part !== '');
