/** The address of a database that answers now, without starting one. */
import type { Config } from '#base/config.ts';
import { readOwner } from './owner.ts';
import { isReachable } from './provision.ts';

/** Null: none answers within two seconds, or no server runs the embedded one. */
export async function attachableUrl({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<string | null> {
  const owner = databaseUrl === null ? readOwner(dataDir) : null;
  const url = databaseUrl ?? (owner?.purpose === 'server' ? owner.url : null);
  return url !== null && (await isReachable(url)) ? url : null;
}
