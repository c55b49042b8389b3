/** Where the database of a command is, without its credentials. */
import type { Config } from '#base/config.ts';
import type { DatabaseLocation } from '#operation/status/read.ts';

export function locationOf({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabaseLocation {
  if (databaseUrl === null) return { embedded: true, place: dataDir };
  const { host, pathname } = new URL(databaseUrl);
  return { embedded: false, place: `${decodeURIComponent(host)}${pathname}` };
}
