/** The section of an export for one table. */

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
  /** Computed columns by name: SQL expressions over the row `t`. */
  readonly made?: Readonly<Record<string, string>>;
  /** Columns without use for the customer: those that all rows of the workshop have, and internal ones. */
  readonly leftOut: readonly string[];
  /** The key of its pages; `id` unless given. */
  readonly key?: readonly (readonly [column: string, type: 'uuid' | 'text'])[];
  /** Rows of a page; 500 unless given. */
  readonly pageSize?: number;
}

/** `'id name'` → `['id', 'name']` */
export const words = (list: string): readonly string[] => list.split(/\s+/).filter(Boolean);
