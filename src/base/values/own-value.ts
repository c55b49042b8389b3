/** Looks names from outside up in a table. */

/**
 * The table's own value for the name; undefined where it has none. `table[name]` would also find what every object has, such as
 * `toString` and `constructor`, which then stands in a page.
 */
export const ownValue = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
