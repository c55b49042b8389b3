/**
 * A new UUIDv7 as an SQL expression, for rows that a statement makes by itself (PostgreSQL has one from 18 only). Time is 60 bits, as RFC
 * 9562 (6.2, method 3) allows: milliseconds and 4,096ths of one, so that rows of one transaction sort in the order of their statements.
 */
export const newIdSql = idSqlAt('clock_timestamp()');

/** An id that sorts as if it had been created at an instant (an SQL expression). */
export function idSqlAt(at: string): string {
  const time = `lpad(to_hex((extract(epoch FROM ${at}) * 1000000)::bigint * 512 / 125), 15, '0')`;
  return `(overlay(${time} PLACING '7' FROM 13 FOR 0) || substr(gen_random_uuid()::text, 20))::uuid`;
}
