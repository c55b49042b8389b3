/** Where Exim is: that of Debian's package exim4-daemon-light. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Null when there is none. */
export function findExim(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'exim4')).find((path) => existsSync(path)) ?? null;
}
