/** Whether a replica may be read, by what it and the primary say of themselves. */
import type { Reached } from './position.ts';
import type { PrimarySeen, ReplicaSeen } from './store.ts';

/** A replica that is further behind is not read at all. */
export const behindAtMostMs = 10_000;

export type ReplicaState =
  /** Not looked at often enough to know. */
  | 'unseen'
  | 'used'
  /** Over ten seconds behind, or still in the time before a failover. */
  | 'lagging'
  /** It does not answer. */
  | 'gone'
  /** It does not let this installation in. */
  | 'turnsAway'
  /** It is reached through a pooler. */
  | 'pooled'
  /** It is the primary itself, or another one that takes writes. */
  | 'notReplica'
  /** It follows another installation's PostgreSQL. */
  | 'otherInstallation'
  /** It has what the primary lacks: it follows a server that leads no more. */
  | 'ahead';

export const statesInWords: Readonly<Record<ReplicaState, string>> = {
  unseen: 'not looked at yet',
  used: 'used',
  lagging: 'not used: it is more than 10 s behind',
  gone: 'not used: it does not answer',
  turnsAway:
    'NOT USED: it does not let this installation in: check user, password and name of the database in DATABASE_REPLICA_URL',
  pooled: 'NOT USED: there is a pooler in between, and it has to be asked directly',
  notReplica: 'NOT USED: it is no replica, but takes writes itself',
  otherInstallation: "NOT USED: it follows another installation's PostgreSQL",
  ahead: 'NOT USED: it has what the primary lacks, so it follows a server that leads no more',
};

export interface Judged {
  readonly state: ReplicaState;
  /** How old its newest data may be; null: unknown. */
  readonly ageMs: number | null;
}

/**
 * `replica` was asked before `primary`, so that it can't have more. `reached` has the earlier looks, all of which it passed. A replica on an older timeline
 * than the primary's may follow the former one.
 */
export function judge(
  replica: ReplicaSeen,
  primary: PrimarySeen | null,
  reached: Reached,
  nowMs: number,
): Judged {
  if (!replica.isStandby) return { state: 'notReplica', ageMs: null };
  if (primary !== null && replica.system !== primary.system)
    return { state: 'otherInstallation', ageMs: null };
  if (primary !== null && (replica.timeline > primary.timeline || replica.replayed > primary.position))
    return { state: 'ahead', ageMs: null };
  if (primary !== null && replica.timeline < primary.timeline) return { state: 'lagging', ageMs: null };
  if (reached.isEmpty()) return { state: 'unseen', ageMs: null };
  const newest = reached.newestIn(replica.replayed);
  const ageMs = newest === null ? null : nowMs - newest;
  return { state: ageMs !== null && ageMs <= behindAtMostMs ? 'used' : 'lagging', ageMs };
}
