/** SQL expressions that build wire values. */

/** An instant as the wire has it: UTC with milliseconds and `Z`; null stays null. */
export function instantJson(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
