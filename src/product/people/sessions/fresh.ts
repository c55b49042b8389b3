/** Actions that are hard to undo require a sign-in within the last 15 minutes. */
import type { Clock } from '#base/clock.ts';
import type { SignedIn } from './store.ts';

const freshForMs = 15 * 60_000;

/** Whether the session began within the last 15 minutes, by the machine's clock. A session resumed with a PIN is never fresh. */
export function isFresh(
  { signedInAt, switchedAt }: Pick<SignedIn, 'signedInAt' | 'switchedAt'>,
  clock: Clock,
): boolean {
  return switchedAt === null && clock.machineNow().getTime() - signedInAt.getTime() < freshForMs;
}
