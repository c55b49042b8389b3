/** The replica for operators: whether a process that looks at it now would read from it. */
import type { Config } from '#base/config.ts';
import { createLog } from '#base/log.ts';
import type { Database } from '#platform/db/database.ts';
import { lookUntilKnown } from '#platform/db/replica/follow.ts';
import { openReplica } from '#platform/db/replica/replica.ts';
import type { ReplicaState } from '#platform/db/replica/state.ts';

export interface ReplicaStatus {
  readonly state: ReplicaState;
  /** How old its newest data may be; null: unknown. */
  readonly ageSeconds: number | null;
}

/** Takes two seconds at most where it is behind, longer where it does not answer. Null: none is set. */
export async function readReplica(
  primary: Database,
  { databaseReplicaUrl: url }: Pick<Config, 'databaseReplicaUrl'>,
): Promise<ReplicaStatus | null> {
  if (url === null) return null;
  const log = createLog('silent');
  const replica = openReplica({ url, primary, log, applicationName: 'pitlane' });
  try {
    await lookUntilKnown(replica);
    const { state, ageMs } = replica.seen();
    return { state, ageSeconds: ageMs === null ? null : Math.round(ageMs / 100) / 10 };
  } finally {
    await replica.close();
  }
}
