/** Where PgBouncer is: that of Debian's package pgbouncer. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Null when it is not there. */
export function findPgBouncer(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path)) ?? null;
}
