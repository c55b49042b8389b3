/** The parameters of a statement, declared once: each name with its SQL type, from which TypeScript knows the type of its value. */

/** The value of each type. */
interface ValueTypes {
  uuid: string;
  text: string;
  'text[]': readonly string[];
  'uuid[]': readonly (string | null)[];
  bytea: Buffer;
  boolean: boolean;
  integer: number;
  'integer[]': readonly number[];
  float8: number;
  timestamptz: Date;
  'timestamptz[]': readonly Date[];
  jsonb: object;
}

/** The value types of a statement over a set, whose rows are JSON: bytes are text such as `\x00ff`. */
interface JsonValueTypes extends Omit<ValueTypes, 'bytea'> {
  bytea: string;
}

type SqlType = keyof ValueTypes;

/** A type, and whether the value may be null: `uuid`, `uuid null`. */
export type Parameters = Readonly<Record<string, SqlType | `${SqlType} null`>>;

type ValueOf<Declared, Types extends Record<SqlType, unknown>> = Declared extends SqlType
  ? Types[Declared]
  : Declared extends `${infer Type extends SqlType} null`
    ? Types[Type] | null
    : never;

/** The values of one call of a statement. */
export type Values<P extends Parameters> = { readonly [Name in keyof P]: ValueOf<P[Name], ValueTypes> };

/** The values of one call of a statement over a set. */
export type RowValues<P extends Parameters> = {
  readonly [Name in keyof P]: ValueOf<P[Name], JsonValueTypes>;
};

/** The type as SQL has it: a parameter of any type may be null. */
export function sqlType(declared: string): string {
  return declared.replace(/ null$/, '');
}

/** The column of a field: `notifyPhones` → `notify_phones`. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A row as `jsonb_to_recordset` reads it: `notifyPhones` is the column `notify_phones`. */
export function inColumns(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value]));
}

/** Rows for `jsonb_to_recordset`, as JSON. */
export function recordset(rows: readonly object[]): string {
  return JSON.stringify(rows.map(inColumns));
}
