/** What a busy machine alone can make a test fail with: such a file runs once more. */
import type { FileResult } from './results.ts';

/**
 * Why a test failed: `waited` for something that did not come in time (its own limit of time, a wait that ended, a process or port that did not
 * come up), `cut` off with the test around it, or `wrong`.
 */
export type Kind = 'waited' | 'cut' | 'wrong';

/** In the title of a test about a double, a loss, an order, a place, money, tenancy or a permission: it is never forgiven. */
export const never = 'always:';

/** Errors of waits, by their names: the tests' own (`test/harness/wait.ts`), Playwright's, and an AbortSignal's. */
const waits = new Set(['WaitEnded', 'TimeoutError']);

/** Of the error of a `test:fail` event. */
export function kindOf(error: unknown): Kind {
  if (typeof error !== 'object' || error === null) return 'wrong';
  const { name, code, failureType, cause } = error as Readonly<Record<string, unknown>>;
  if (code !== 'ERR_TEST_FAILURE') return waits.has(String(name)) ? 'waited' : 'wrong';
  if (failureType === 'testTimeoutFailure') return 'waited';
  return failureType === 'cancelledByParent' ? 'cut' : kindOf(cause);
}

/** True when the file fell by waits alone, and by no test that says `always:`. */
export function mayBeForgiven({ failures }: FileResult): boolean {
  return (
    failures.some(({ kind }) => kind === 'waited') &&
    failures.every(({ kind, name }) => kind !== 'wrong' && !name.includes(never))
  );
}
