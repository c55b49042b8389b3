/** The parts of a field of an order, and the kinds of fields. */
import type { Static, TSchema } from 'typebox';
import type { Parameters as SqlParameters, Values } from '#platform/db/parameters.ts';
import { checkedInstant } from '#platform/http/checked-instant.ts';
import { anyText, instant, integer, list, optional } from '#platform/http/fields.ts';

export interface Field {
  /** Its schema in a body. */
  readonly body: TSchema;
  /** The type of its column. */
  readonly type: SqlParameters[string];
  /** Converts the value of a body or response to the column's value. */
  readonly read: (wire: never) => unknown;
  /** The column's value when it is absent or null. */
  readonly empty: unknown;
  /** It may also change in a completed or cancelled booking. */
  readonly changesWhenFinal?: true;
}
export type Fields = Readonly<Record<string, Field>>;

/** One part of each field: the properties of a body, or the parameters of a statement. */
export function partOf<F extends Fields, Part extends 'body' | 'type'>(fields: F, part: Part) {
  const parts = Object.entries<Field>(fields).map(([name, field]) => [name, field[part]]);
  return Object.fromEntries(parts) as { readonly [Name in keyof F]: F[Name][Part] };
}

/** The values of the columns, from a body or a response. */
export function valuesOf<F extends Fields>(
  fields: F,
  wire: { readonly [Name in keyof F]?: Static<F[Name]['body']> },
): Values<{ readonly [Name in keyof F]: F[Name]['type'] }> {
  const values = Object.entries<Field>(fields).map(([name, { read, empty }]) => {
    const value = wire[name] ?? null;
    return [name, value === null ? empty : read(value as never)];
  });
  return Object.fromEntries(values);
}

const same = (wire: unknown) => wire;

export function textField(options: Parameters<typeof anyText>[0] = {}) {
  return { body: optional(anyText(options)), type: 'text null', read: same, empty: null } as const;
}

export function integerField(options: Parameters<typeof integer>[0]) {
  return { body: optional(integer(options)), type: 'integer null', read: same, empty: null } as const;
}

export function instantField(options: Parameters<typeof instant>[0]) {
  return {
    body: optional(instant(options)),
    type: 'timestamptz null',
    read: checkedInstant,
    empty: null,
  } as const;
}

/** Texts of up to 2,000 characters and several lines. */
export function textsField(options: Parameters<typeof list>[1] = {}) {
  const body = optional(list(anyText({ max: 2_000, of: 'lines' }), options));
  return { body, type: 'text[]', read: same, empty: [] } as const;
}
