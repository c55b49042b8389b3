/** The time zones that the database's server knows: its own list, which may be older or shorter than this process's. */
import { type Queryable, serverOf } from './database.ts';

/** Names that a server has accepted; it knows about 600. */
const knownBy = new Map<string, Set<string>>();

/** Whether the server has a time zone of exactly this name. Abbreviations do not count. */
export async function knowsTimezone(db: Queryable, name: string): Promise<boolean> {
  const server = serverOf(db);
  const known = knownBy.get(server ?? '') ?? new Set();
  if (known.has(name)) return true;
  // The view reads the server's files, all 600; a cast would take abbreviations, and end the transaction where it takes nothing.
  const rows = await db.query('SELECT FROM pg_timezone_names WHERE name = $1 LIMIT 1', [name]);
  if (rows.length > 0 && server !== undefined) knownBy.set(server, known.add(name));
  return rows.length > 0;
}
