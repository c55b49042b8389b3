/** SQL about a primary and its replica: which server it is, and how far its log has come. */
import type { Queryable } from '../database.ts';
import { type Position, positionOf, withoutHeader } from './position.ts';

interface Server {
  /** The identifier of the installation of PostgreSQL: copies have the same. */
  readonly system: string;
  /** It grows by one with each failover. */
  readonly timeline: number;
}

export interface PrimarySeen extends Server {
  /** All that is visible by now is before it. */
  readonly position: Position;
  /** The end of the last record before it, which a replica can name. */
  readonly lastEnd: Position;
}

/** Throws where it is a standby. The position includes what is committed and not yet on disk, so a replica may not have been sent it. */
export async function lookAtPrimary(db: Queryable): Promise<PrimarySeen> {
  const [row] = await db.query<{ system: string; file: string; position: string; pageBytes: string }>(
    `SELECT s.system_identifier::text AS system, pg_walfile_name(its.position) AS file, its.position::text AS position,
            current_setting('wal_block_size') AS page_bytes
       FROM pg_control_system() s, pg_current_wal_insert_lsn() AS its (position)`,
  );
  if (row === undefined) throw new Error('pg_control_system has one row');
  const position = positionOf(row.position);
  return {
    ...{ system: row.system, timeline: Number.parseInt(row.file.slice(0, 8), 16), position },
    lastEnd: withoutHeader(position, Number(row.pageBytes)),
  };
}

export interface ReplicaSeen extends Server {
  readonly isStandby: boolean;
  readonly replayed: Position;
}

/**
 * Its timeline is the newest that it says anything of: what it receives, which it tells roles of pg_read_all_stats alone, or else what its control file
 * says, which may be some minutes behind.
 */
export async function lookAtReplica(db: Queryable): Promise<ReplicaSeen> {
  const [row] = await db.query<{
    system: string;
    isStandby: boolean;
    timeline: number;
    replayed: string | null;
  }>(
    `SELECT s.system_identifier::text AS system, pg_is_in_recovery() AS is_standby, pg_last_wal_replay_lsn()::text AS replayed,
            greatest(c.timeline_id, r.min_recovery_end_timeline, (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline
       FROM pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r`,
  );
  if (row === undefined) throw new Error('pg_control_system has one row');
  const { replayed, ...rest } = row;
  return { ...rest, replayed: replayed === null ? 0n : positionOf(replayed) };
}

/** Ends each statement of the transaction that takes longer. */
export async function limitStatements(tx: Queryable, withinMs: number): Promise<void> {
  await tx.query(`SELECT set_config('statement_timeout', $1, true)`, [String(withinMs)]);
}
