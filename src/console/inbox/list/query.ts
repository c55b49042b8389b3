/** Which conversations are listed: as the address of a page of the inbox says. */
import { isId } from '#base/values/id.ts';
import type { Form } from '#platform/pages/form.ts';

export const filters = {
  waiting: 'Waiting for us',
  mine: 'Assigned to me',
  all: 'All',
  done: 'Done',
  failed: 'Failed',
} as const;
export type FilterName = keyof typeof filters;

export interface Listing {
  readonly filter: FilterName;
  /** What is looked for; null: nothing. */
  readonly search: string | null;
  /** The last of the page before; null: the first page. */
  readonly before: string | null;
}

export function listingOf(query: Form): Listing {
  const filter = query['filter'] ?? '';
  const before = query['before'] ?? '';
  return {
    filter: Object.hasOwn(filters, filter) ? (filter as FilterName) : 'waiting',
    search: (query['q'] ?? '').trim() || null,
    before: isId(before) ? before : null,
  };
}

/** Behind a path of the inbox: leads to the same list; empty for what waits. */
export function queryFor({ filter, search, before }: Listing): string {
  const query = new URLSearchParams({
    ...(filter !== 'waiting' && { filter }),
    ...(search !== null && { q: search }),
    ...(before !== null && { before }),
  });
  return query.size === 0 ? '' : `?${query}`;
}
