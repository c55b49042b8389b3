/** Checks that the replica of the settings is one, and is read from. */
import type { Config } from '#base/config.ts';
import type { Database } from '#platform/db/database.ts';
import { statesInWords } from '#platform/db/replica/state.ts';
import { readReplica } from '../status/replica.ts';
import type { Finding } from './finding.ts';

export async function* checkReplica(db: Database, config: Config): AsyncGenerator<Finding> {
  const found = await readReplica(db, config);
  if (found === null || found.state === 'used') return;
  const message = `the replica of DATABASE_REPLICA_URL: ${statesInWords[found.state]}`;
  yield { kind: 'replica', workshopId: null, code: null, at: null, message, repaired: false };
}
