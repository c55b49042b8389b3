/** The driver's errors in this program's terms. */
import pg from 'pg';

/**
 * PostgreSQL is unreachable, has no free connection, or cancelled the statement after its time-out. The statement took no effect,
 * unless the connection was lost during its commit: then the outcome is unknown.
 */
export class DatabaseUnavailable extends Error {}

/** The disk of PostgreSQL is full. Reading goes on. */
export class DatabaseFull extends DatabaseUnavailable {}

/**
 * No connection (but 08P01, a malformed message, is a bug of ours), access denied, no such database, too many connections, shut
 * down, cancelled or terminated after a time-out, read-only (a standby after a failover), or a disk error.
 */
const unavailable = /^(?:080|28|3D|53|57P0|57014$|25P0[34]$|25006$|58030$)/;
/**
 * Errors after which the statement, and so its transaction, was certainly rolled back: wrong values, violated constraints,
 * conflicts (but 40003, "completion unknown"), bugs of ours, unavailable locks.
 */
const rolledBack = /^(?:21|22|23|40(?!003)|42|44|55|P0)/;
/** disk_full */
const diskFull = '53100';
/** lock_not_available */
const lockTimeout = '55P03';
/** The driver's messages about a lost connection, which have no code. */
const connectionLost =
  /^(?:Connection terminated|Query read timeout|timeout exceeded|Cannot use a pool)|not queryable/;

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the violated constraint, or undefined when the error is no such violation. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

/** Whether PostgreSQL reported that the statement took no effect. False for a lost connection: its outcome is unknown. */
export function provesRollback(error: unknown): boolean {
  return rolledBack.test(sqlState(error) ?? '');
}

/** Whether the statement was cancelled because others held a lock for longer than its `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === lockTimeout;
}

/** Whether PostgreSQL answers but does not let this user in, or has no such database. */
export function isTurnedAway(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && /^(?:28|3D)/.test(sqlState(error.cause) ?? '');
}

/** A pooler's own error, such as PgBouncer's `query_wait_timeout`: it has the code of a malformed message, but names no place in PostgreSQL's source. */
function isPoolers(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '08P01' && error.routine === undefined;
}

/** The driver's error in this program's terms: bugs and violated constraints are not changed. */
export function translate(error: unknown): unknown {
  const state = sqlState(error);
  if (state !== undefined) {
    if (isPoolers(error)) return new DatabaseUnavailable('the pooler has no session', { cause: error });
    if (!unavailable.test(state)) return error;
    if (state === diskFull) return new DatabaseFull("PostgreSQL's disk is full", { cause: error });
    return new DatabaseUnavailable(`PostgreSQL answered ${state}`, { cause: error });
  }
  // Errors of the operating system name the call that failed.
  const isConnection = error instanceof Error && ('syscall' in error || connectionLost.test(error.message));
  return isConnection ? new DatabaseUnavailable('no connection to PostgreSQL', { cause: error }) : error;
}
