/** The trail entry of an import: for long lists only the entries that differ, for a logo its digest. */
import { idOf } from '#base/values/id.ts';
import type { Changes, Fields } from '#platform/audit/changes.ts';
import type { Setup } from './setup.ts';

/** With more entries than this, only their number is recorded. */
const listedAtMost = 50;

/** The entries of a list that the other list lacks. */
function apart(of: readonly unknown[], other: readonly unknown[]): unknown {
  const known = new Set(other.map((item) => JSON.stringify(item)));
  const own = of.filter((item) => !known.has(JSON.stringify(item)));
  return own.length > listedAtMost ? `${own.length} entries` : own;
}

/** Whole sections are compared, so a list in another order is a change. */
export function setupChanges(before: Setup, after: Setup): Changes {
  return { before: shown(before, after), after: shown(after, before) };
}

function shown({ settings, ...lists }: Setup, other: Setup): Fields {
  const { page, ...more } = settings;
  const logo = page.logo && idOf(page.logo).slice(0, 8);
  const sections = Object.entries(lists).map(([name, section]) => {
    const others: unknown = other[name as keyof Setup];
    if (!Array.isArray(section) || !Array.isArray(others)) return [name, section];
    return [name, apart(section, others)];
  });
  return { ...more, page: { ...page, logo }, ...Object.fromEntries(sections) };
}
