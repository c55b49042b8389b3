/**
 * A new UUIDv7 as an SQL expression, for rows that a statement makes by itself (PostgreSQL has one from 18 only). Time is 60 bits, as RFC
 * 9562 (6.2, method 3) allows: milliseconds and 4,096ths of one, so that rows of one transaction sort in the order of their statements.
 */
const time = `lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0')`;
const random = `substr(gen_random_uuid()::text, 20)`;

export const newIdSql = `(overlay(${time} PLACING '7' FROM 13 FOR 0) || ${random})::uuid`;
