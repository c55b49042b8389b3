/** Filters that several records have. */

import { isId } from '#base/values/id.ts';
import { normaliseString } from '#base/values/text.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import type { Filter } from './record.ts';

/** The partner's reference; an empty one is no filter. */
export const externalId: Filter = {
  type: 'text',
  is: (value) => `row.external_id = ${value}`,
  read: (text) => normaliseString(text) || undefined,
  finds: true,
};

/** An id in this column; a text that is not an id matches no row. */
export const idIn = (column: string): Filter => ({
  type: 'uuid',
  is: (value) => `row.${column} = ${value}`,
  read: (text) => (isId(text) ? text.toLowerCase() : lowestId),
});

/** The same for a column in which few rows have the same id. */
export const fewIn = (column: string): Filter => ({ ...idIn(column), finds: true });

/** From one instant (inclusive) to another (exclusive). */
export const period = (column: string) => ({
  from: { type: 'timestamptz', is: (value: string) => `row.${column} >= ${value}`, read: checkedInstant },
  to: { type: 'timestamptz', is: (value: string) => `row.${column} < ${value}`, read: checkedInstant },
});
