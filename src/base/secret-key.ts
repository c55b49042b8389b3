/** The installation's secret key: from the environment, else made once and kept in the data folder. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processSettings } from '#base/config/process.ts';
import { ConfigError } from '#base/config/setting.ts';
import type { Config } from '#base/config.ts';
import { createPrivateFile, makeFolder } from '#base/private-file.ts';

/**
 * 32 bytes: PITLANE_SECRET_KEY, else the file `secret-key` (64 hex digits) of the data folder, which is made when absent.
 * Throws ConfigError when the file is broken, can't be read or can't be made.
 */
export function loadSecretKey(config: Pick<Config, 'dataDir' | 'secretKey'>): Buffer {
  if (config.secretKey !== null) return config.secretKey;
  const path = secretKeyFile(config);
  const text = readOrMake(config.dataDir, path);
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new ConfigError(
      `${path} is not a secret key (64 hex digits): restore it from a backup, or what it encrypted can't be read any more`,
    );
  }
  return Buffer.from(text, 'hex');
}

/** Where the key is kept when no setting has it. */
export function secretKeyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'secret-key');
}

/** Fingerprints of the keys that a process has: they tell whether two processes have the same, and nothing else about them. 32 hex digits each. */
export interface KeyFingerprints {
  readonly current: string;
  /** The fingerprints of PITLANE_FORMER_SECRET_KEYS. */
  readonly former: readonly string[];
}

type KeySettings = Pick<Config, 'dataDir' | 'secretKey' | 'formerSecretKeys'>;

/** Null while there is no key, and none is made. Throws like `loadSecretKey`. */
export function keyFingerprints(config: KeySettings): KeyFingerprints | null {
  if (config.secretKey === null && !existsSync(secretKeyFile(config))) return null;
  return {
    current: fingerprintOf(loadSecretKey(config)),
    former: (config.formerSecretKeys ?? []).map(fingerprintOf),
  };
}

const fingerprintOf = (key: Buffer) =>
  createHmac('sha256', key).update('pitlane secret key').digest('hex').slice(0, 32);

/** Where the key is from, for people. */
export function secretKeySource(config: Pick<Config, 'dataDir' | 'secretKey'>): string {
  return config.secretKey === null ? secretKeyFile(config) : processSettings.secretKey.name;
}

function readOrMake(dataDir: string, path: string): string {
  try {
    makeFolder(dataDir);
    if (!existsSync(path)) createPrivateFile(path, `${randomBytes(32).toString('hex')}\n`);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `the secret key can't be kept in the data folder ${dataDir}: ${reason}; set PITLANE_SECRET_KEY, or PITLANE_DATA_DIR to a folder that can be written`,
    );
  }
}
