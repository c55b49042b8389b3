/** The filters that several lists have, from a query (specification: Lists and feeds 4). */
import { checkedInstant } from './checked-instant.ts';
import type { Filters } from './paging.ts';

/** The query is valid: its end is not before its beginning. */
export function periodOf(query: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const [from, to] = [query.from, query.to].map((text) =>
    text === undefined ? undefined : checkedInstant(text),
  );
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** The filters in the form that cursors are bound to: an instant has one notation. */
export function filterTexts(filters: Readonly<Record<string, string | Date | undefined>>): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}
