/**
 * SQL of the lists of a partner's own rows, newest created first, and of the filters that a list and the feed of the same rows
 * have. The table has columns `id`, `partner_id` and `status`, and an index of the latter two and `id`.
 */

/** By name of the filter: the SQL type of its value, and the condition on `row`, given the value's parameter. */
export type FilterColumns<Name extends string> = Readonly<
  Record<Name, { readonly type: string; readonly is: (value: string) => string }>
>;

export interface FilterParameters<Name extends string> {
  /** The conditions of the filters that are set. */
  readonly conditions: readonly string[];
  readonly values: readonly unknown[];
  $(name: Name): string;
}

/** One statement for each set of filters: absent filters do not appear in it. `first` is the number of the first parameter. */
export function filterParameters<Name extends string>(
  columns: FilterColumns<Name>,
  filters: Readonly<Partial<Record<NoInfer<Name>, unknown>>>,
  first: number,
): FilterParameters<Name> {
  const names = (Object.keys(columns) as Name[]).filter((name) => filters[name] !== undefined);
  const $ = (name: Name) => `$${first + names.indexOf(name)}::${columns[name].type}`;
  return {
    conditions: names.map((name) => columns[name].is($(name))),
    values: names.map((name) => filters[name]),
    $,
  };
}

/** What a page of `newestIds` comes before that has none before it. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The newest ids, for `SELECT … ORDER BY id DESC`: one status after the other, each by its index. Takes the partner as `$1`, the
 * statuses as `$2`, the id that they come before as `$3`, and how many as `$4`.
 */
export function newestIds(table: string, conditions: readonly string[]): string {
  return `SELECT own.id FROM unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT row.id FROM ${table} AS row
       WHERE ${['row.partner_id = $1::uuid', 'row.status = wanted.status', 'row.id < $3::uuid', ...conditions].join(' AND ')}
       ORDER BY row.id DESC LIMIT $4::integer) AS own`;
}
