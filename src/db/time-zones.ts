/** The time zones that the database's server knows: its own list, which may be older or shorter than this process's. */
import type { Queryable } from './database.ts';
import { perDatabase } from './per-database.ts';

/** Names that the server has taken; it has some 600. */
const knownOf = perDatabase(() => new Set<string>());

/** Whether the server has a zone of exactly this name. An abbreviation is none. */
export async function knowsTimezone(db: Queryable, name: string): Promise<boolean> {
  const known = knownOf(db);
  if (known.has(name)) return true;
  // The view reads the server's files; a cast would take abbreviations, and end the transaction where it takes nothing.
  const rows = await db.query('SELECT FROM pg_timezone_names WHERE name = $1 LIMIT 1', [name]);
  if (rows.length > 0) known.add(name);
  return rows.length > 0;
}
