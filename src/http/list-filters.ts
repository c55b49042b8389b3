/** The filters that several lists have, from a query (specification: Lists and feeds 4). */
import { normaliseString } from '#values/text.ts';
import { checkedInstant } from './checked-instant.ts';
import type { Filters } from './paging.ts';

interface Query {
  readonly workshopId?: string;
  readonly externalId?: string;
  readonly from?: string;
  readonly to?: string;
}

/** As they are compared; an absent filter filters nothing. */
export interface CommonFilters {
  readonly workshopId?: string;
  readonly externalId?: string;
  /** From this instant on, and before that one. */
  readonly from?: Date;
  readonly to?: Date;
}

/** Each in the form in which the compared value was stored; an empty reference filters nothing. */
export function commonFilters({ workshopId, externalId, from, to }: Query): CommonFilters {
  const reference = normaliseString(externalId ?? '');
  return {
    ...(workshopId === undefined ? {} : { workshopId: workshopId.toLowerCase() }),
    ...(reference === '' ? {} : { externalId: reference }),
    ...periodOf({ from, to }),
  };
}

/** The query has been judged: it does not end before it begins. */
export function periodOf(query: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const [from, to] = [query.from, query.to].map((text) =>
    text === undefined ? undefined : checkedInstant(text),
  );
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** As a cursor is bound to them: an instant has one notation. */
export function filterTexts(filters: Readonly<Record<string, string | Date | undefined>>): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  );
}
