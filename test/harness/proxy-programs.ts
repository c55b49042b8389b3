/** Where nginx and Caddy are: those of Debian's packages nginx-light and caddy. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ProxyName = 'nginx' | 'caddy';

/** Null when there is none. */
export function findProxy(name: ProxyName): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
