/** The fingerprint in a backup, by which a restore knows whether it has the same secret key. */
import type { Config } from '#base/config.ts';
import { keyFingerprints } from '#base/secret-key.ts';
import type { Database } from '#platform/db/database.ts';
import { readNamedKey } from '#platform/key-fingerprint/store.ts';

type KeySettings = Pick<Config, 'dataDir' | 'secretKey' | 'formerSecretKeys'>;

/**
 * The fingerprint of the database's key, rather than that of these settings, which may be those of another machine. Null when
 * neither has a key.
 */
export async function secretKeyMark(db: Database, config: KeySettings): Promise<string | null> {
  const key = (await readNamedKey(db)) ?? keyFingerprints(config);
  return key?.current ?? null;
}
