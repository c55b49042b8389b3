/** Identifiers: UUIDv7, lower-case on the wire. In SQL their time is read by `made_at.sql` and `first_id.sql`. */
import { createHash, randomUUIDv7 } from 'node:crypto';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

let latest = '';

/** The next value of the time and counter of an id (48 and 12 bits), with the random bits of `tail`. */
function following(id: string, tail: string): string {
  const counter = Number.parseInt(id.slice(15, 18), 16) + 1;
  if (counter < 0x1000) return `${id.slice(0, 15)}${counter.toString(16).padStart(3, '0')}${tail.slice(18)}`;
  const time = (Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + 1).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000${tail.slice(18)}`;
}

/** A new identifier. Those of one process sort in the order they were made; over processes, to the millisecond. */
export function newId(): string {
  // Node draws the random bytes of 128 ids at once.
  const fresh = randomUUIDv7();
  latest = fresh > latest ? fresh : following(latest, fresh);
  return latest;
}

/** The id of a text: the same each time (UUIDv8, of its SHA-256). */
export function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** True for a UUID of any version in its 8-4-4-4-12 form, in either case: PostgreSQL accepts it as a uuid. */
export function isId(text: string): boolean {
  return form.test(text);
}

/** An id that no row has, and that sorts before all others. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/** An id as it was sent: one that is no UUID is nobody's. */
export function idOr<T extends string | null>(id: string | null | undefined, absent: T): string | T {
  if (id === null || id === undefined) return absent;
  return isId(id) ? id : nilId;
}

/** When a UUIDv7 was made, by the machine clock; null for other ids. */
export function timeOfId(id: string): Date | null {
  return isId(id) && id[14] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) : null;
}
