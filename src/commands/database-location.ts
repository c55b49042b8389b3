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

/** Returns host, port and name of a database's address, without credentials. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(host)}${pathname}`;
}
