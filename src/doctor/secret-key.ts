/** Whether the settings have the secret key of the database: a server with another one is refused. */

import type { Config } from '#config.ts';
import type { Queryable } from '#db/database.ts';
import { refusal } from '#key-fingerprint/admit.ts';
import { judgeKey } from '#key-fingerprint/rules.ts';
import { readNamedKey } from '#key-fingerprint/store.ts';
import { keyFingerprints } from '#secret-key.ts';
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
