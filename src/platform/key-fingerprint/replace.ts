/** Replaces a lost key. */
import type { Config } from '#base/config.ts';
import { OperatorError } from '#base/operator-error.ts';
import { keyFingerprints, loadSecretKey } from '#base/secret-key.ts';
import type { Database } from '#platform/db/database.ts';
import { findProcess } from '#platform/db/find-process.ts';
import { shortFingerprint } from './rules.ts';
import { nameKey, readNamedKey } from './store.ts';

export interface Replaced {
  /** Fingerprints, in short; null when none was named. */
  readonly before: string | null;
  readonly now: string;
}

/**
 * Names the key of these settings, which is made when absent, as that of the database. Throws OperatorError while servers or workers run,
 * and ConfigError as `loadSecretKey`.
 */
export async function replaceKey(
  db: Database,
  config: Pick<Config, 'dataDir' | 'secretKey' | 'formerSecretKeys'>,
): Promise<Replaced> {
  const process = await findProcess(db);
  if (process !== null)
    throw new OperatorError(`"${process}" is connected to the database: stop all servers and workers first`);
  loadSecretKey(config);
  const own = keyFingerprints(config);
  if (own === null) throw new Error('a key was made');
  const before = await readNamedKey(db);
  await nameKey(db, own);
  return { before: before && shortFingerprint(before.current), now: shortFingerprint(own.current) };
}
