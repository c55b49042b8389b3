/** Where reverse proxies are: those of Debian's packages. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The package of each. `npm test` runs the first two, `npm run proxies` all. */
export const proxyPackages = {
  nginx: 'nginx-light',
  caddy: 'caddy',
  apache2: 'apache2-bin',
  haproxy: 'haproxy',
  squid: 'squid',
} as const;
export type ProxyName = keyof typeof proxyPackages;

/** Null when there is none. */
export function findProxy(name: ProxyName): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
