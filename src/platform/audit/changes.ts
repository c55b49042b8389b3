/** Finds the fields that a change changed. */

export type Fields = Readonly<Record<string, unknown>>;

export interface Changes {
  readonly before: Fields;
  readonly after: Fields;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The fields whose JSON differs; an absent field counts as null. Null: nothing differs. */
export function changesOf(before: Fields, after: Fields): Changes | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !same(before[name], after[name]));
  if (changed.length === 0) return null;
  const of = (fields: Fields) => Object.fromEntries(changed.map((name) => [name, fields[name] ?? null]));
  return { before: of(before), after: of(after) };
}
