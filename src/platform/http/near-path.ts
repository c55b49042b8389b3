/** The path of an operation that was most likely meant by one that is none. */
import { nearestName } from '#base/values/near-name.ts';

/** No operation's path is nearly as long. */
const longest = 250;

/** `/booking` → `/bookings`, `/workshop/w-1/template` → `/workshops/w-1/templates`; null when none is like it. `patterns` have `:id` for a parameter. */
export function nearestPath(path: string, patterns: Iterable<string>): string | null {
  if (path.length > longest) return null;
  const parts = partsOf(path);
  for (const pattern of patterns) {
    const wanted = partsOf(pattern);
    if (wanted.length !== parts.length) continue;
    // A parameter is what was sent; each other part has to be like it.
    const meant = wanted.map((part, at) =>
      part.startsWith(':') ? parts[at] : nearestName(parts[at] ?? '', [part]),
    );
    if (meant.every((part) => part)) return `/${meant.join('/')}`;
  }
  return null;
}

/** Empty ones left out: `//bookings/` is `/bookings`. */
const partsOf = (path: string) => path.split('/').filter((part) => part !== '');
