/** What an export has of one table. */

export interface Section {
  /** Its key in the JSON. */
  readonly name: string;
  /** Its heading on the page. */
  readonly title: string;
  readonly table: string;
  /** A condition on the row `t`: it is about the customer of the workshop `$1` whose rows are `$2`, with the phones `$3` (E.164). */
  readonly whose: string;
  /** Columns as they stand. */
  readonly columns: readonly string[];
  /** What is made of others, by its name: an SQL expression over the row `t`. */
  readonly made?: Readonly<Record<string, string>>;
  /** Columns that are of no use to the customer: what rows of the workshop have in common, and Pitlane's own book-keeping. */
  readonly leftOut: readonly string[];
  /** What its pages go by; `id` unless given. */
  readonly key?: readonly (readonly [column: string, type: 'uuid' | 'text'])[];
  /** Rows of a page; 500 unless given. */
  readonly pageSize?: number;
}

/** `'id name'` → `['id', 'name']` */
export const words = (list: string): readonly string[] => list.split(/\s+/).filter(Boolean);
