/** Admits a process to the database by its secret key, or refuses it. */
import { ConfigError } from '#base/config/setting.ts';
import type { Config } from '#base/config.ts';
import { loadSealing, type Sealing } from '#base/sealing.ts';
import { type KeyFingerprints, keyFingerprints, secretKeySource } from '#base/secret-key.ts';
import type { Database, Queryable } from '#platform/db/database.ts';
import { judgeKey, type KeyState, shortFingerprint } from './rules.ts';
import { nameFirstKey, nameKey, readNamedKey } from './store.ts';

type KeySettings = Pick<Config, 'dataDir' | 'secretKey' | 'formerSecretKeys'>;

export interface Admission {
  readonly key: Extract<KeyState, 'current' | 'successor' | 'former'>;
  readonly sealing: Sealing;
}

/**
 * For a server: creates a key when there is none and the database names none, has the database name its key when it names none,
 * and takes over from one of its former keys. Throws ConfigError when the database names another key, and what `loadSecretKey`
 * throws.
 */
export async function admitServer(db: Database, config: KeySettings): Promise<Admission> {
  const sealing = await admittedSealing(db, config);
  const own = keyFingerprints(config);
  if (own === null) throw new Error('a key was made');
  const key = await db.transaction(async (tx) => {
    const named = await nameFirstKey(tx, own);
    const state = judgeKey(named, own);
    if (state !== 'current' && state !== 'successor' && state !== 'former') throw refusal(config, named, own);
    // Data under a dropped key can't be read any more, so processes that use it are refused.
    if (state === 'successor' || (state === 'current' && !isSame(named, own))) await nameKey(tx, own);
    return state;
  });
  return { key, sealing };
}

/**
 * For a command that seals or opens: names nothing, and makes a key where there is none and none is named. Throws ConfigError when the
 * database is another key's, and as `loadSecretKey` does.
 */
export async function admittedSealing(db: Queryable, config: KeySettings): Promise<Sealing> {
  const named = await readNamedKey(db);
  const own = keyFingerprints(config);
  const state = judgeKey(named, own);
  if (named !== null && (state === 'other' || state === 'absent')) throw refusal(config, named, own);
  return loadSealing(config);
}

const isSame = (one: KeyFingerprints, other: KeyFingerprints) =>
  new Set(one.former).symmetricDifference(new Set(other.former)).size === 0;

/** Says what is wrong with the key of a process, and what to do. */
export function refusal(
  config: KeySettings,
  named: KeyFingerprints,
  own: KeyFingerprints | null,
): ConfigError {
  const source = secretKeySource(config);
  const theirs = `that of this database (fingerprint ${shortFingerprint(named.current)})`;
  const what =
    own === null
      ? `${source} is not there, and the database has a secret key (fingerprint ${shortFingerprint(named.current)})`
      : `${source} (fingerprint ${shortFingerprint(own.current)}) is another secret key than ${theirs}`;
  return new ConfigError(
    `${what}: what it encrypts nobody else could read; use the database's, or list that in PITLANE_FORMER_SECRET_KEYS to change it; when it is lost: pitlane secret-key replace`,
  );
}
