/** Where the database of a command is, without its credentials. */
import type { Config } from '#base/config.ts';
import type { DatabaseLocation } from '#operation/status/read.ts';

export function locationOf({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabaseLocation {
  if (databaseUrl === null) return { embedded: true, place: dataDir };
  return { embedded: false, place: placeOf(databaseUrl) };
}

/** Of a database's address: host, port and name, without credentials. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(host)}${pathname}`;
}
