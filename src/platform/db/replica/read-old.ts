/** Reads data that may be some seconds old: on the replica, where there is one that is good enough. */
import type { Database, Queryable } from '../database.ts';
import type { Allowed, Replica } from './replica.ts';

/** Where reads that may be old go. */
export interface OldReads {
  readonly db: Database;
  /** Null: there is none, or this reader wants nothing old. */
  readonly replica: Replica | null;
}

/** Reports and exports. */
export const tenSeconds: Allowed = { maxAgeMs: 10_000 };

/**
 * Runs `read` on the replica, or on the primary: where there is no replica, where it is too old, and after any error there. `read` must decide nothing, and
 * may run twice. `onPrimary`: what runs there in its place.
 */
export async function readOld<T>(
  { db, replica }: OldReads,
  allowed: Allowed,
  read: (db: Queryable) => Promise<T>,
  onPrimary: () => Promise<T> = () => read(db),
): Promise<T> {
  const found = (await replica?.read(allowed, read)) ?? null;
  return found === null ? onPrimary() : found.value;
}
