/** SQL expressions that build wire values. */

/** An instant as the wire has it: UTC with milliseconds and `Z`; null stays null. */
export function instantJson(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A column of this SQL type as a value for `jsonb_build_object`. */
export function jsonValue(type: string, column: string): string {
  if (type === 'timestamptz') return instantJson(column);
  return type.endsWith('[]') ? `to_jsonb(${column})` : column;
}
