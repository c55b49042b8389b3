/** Where the database of a command is, without its credentials. */
import type { Config } from '#base/config.ts';
import type { DatabasePlace } from '#operation/status/read.ts';

export function placeOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabasePlace {
  if (databaseUrl === null) return { embedded: true, place: dataDir };
  const { host, pathname } = new URL(databaseUrl);
  return { embedded: false, place: `${decodeURIComponent(host)}${pathname}` };
}
