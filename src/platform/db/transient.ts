/** Transient errors: they say nothing about the work that failed with them. */
import { DatabaseUnavailable } from './errors.ts';

/**
 * Whether an error passes by itself: a lost connection, a deadlock, a lock that others held for too long, a time-out, a full disk.
 * The same work may succeed when it is retried.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Classes 08 connection, 40 rollback, 53 resources, 55 locks, 57 intervention; and the driver's own E… codes.
  return /^(?:08|40|53|55|57)/.test(state) || /^E[A-Z]{3,}$/.test(state);
}
