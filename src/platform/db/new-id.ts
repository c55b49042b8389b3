/** A new UUIDv7 as an SQL expression, for rows that a statement makes by itself (PostgreSQL has one from 18 only). */
const milliseconds = `substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)`;
const random = 'uuid_send(gen_random_uuid())';

// Version 4 is 0100 and version 7 is 0111: the two bits that differ are set. Bits count from the lowest of each byte.
export const newIdSql = `encode(
  set_bit(set_bit(overlay(${random} PLACING ${milliseconds} FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid`;
