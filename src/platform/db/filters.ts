/** SQL of optional filters: those that are absent (undefined or null) do not appear in the statement. */
import { announceSet } from './announce.ts';

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
  const names = (Object.keys(columns) as Name[]).filter((name) => (filters[name] ?? null) !== null);
  const $ = (name: Name) => `$${first + names.indexOf(name)}::${columns[name].type}`;
  const conditions = names.map((name) => columns[name].is($(name)));
  announceSet(conditions);
  return {
    conditions,
    values: names.map((name) => filters[name]),
    $,
  };
}
