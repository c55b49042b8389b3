/** The filter, search and page of the list of conversations, from the address of a page of the inbox. */
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
  /** The search text; null: none. */
  readonly search: string | null;
  /** The last conversation of the previous page; null: the first page. */
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

/** The query that leads to the same list, to be added to a path of the inbox; empty for the default list. */
export function queryFor({ filter, search, before }: Listing): string {
  const query = new URLSearchParams({
    ...(filter !== 'waiting' && { filter }),
    ...(search !== null && { q: search }),
    ...(before !== null && { before }),
  });
  return query.size === 0 ? '' : `?${query}`;
}
