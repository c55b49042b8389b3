/** Checks that the settings have the secret key of the database: a server with another key does not start. */

import type { Config } from '#base/config.ts';
import { keyFingerprints } from '#base/secret-key.ts';
import type { Queryable } from '#platform/db/database.ts';
import { refusal } from '#platform/key-fingerprint/admit.ts';
import { judgeKey } from '#platform/key-fingerprint/rules.ts';
import { readNamedKey } from '#platform/key-fingerprint/store.ts';
import type { Finding } from './finding.ts';

export async function* checkSecretKey(db: Queryable, config: Config): AsyncGenerator<Finding> {
  const named = await readNamedKey(db);
  const own = keyFingerprints(config);
  const state = judgeKey(named, own);
  if (named === null || state === 'current' || state === 'successor') return;
  const message =
    state === 'former'
      ? 'the secret key of these settings is a former one: what is encrypted under the current one can not be read with it'
      : refusal(config, named, own).message;
  yield { kind: 'secretKey', workshopId: null, code: null, at: null, message, repaired: false };
}
