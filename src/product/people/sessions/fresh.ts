/** What is hard to take back asks for a sign-in of the last 15 minutes. */
import type { Clock } from '#base/clock.ts';
import type { SignedIn } from './store.ts';

const freshForMs = 15 * 60_000;

/** Whether the session began within the last 15 minutes, by the machine's clock. */
export function isFresh({ signedInAt }: Pick<SignedIn, 'signedInAt'>, clock: Clock): boolean {
  return clock.machineNow().getTime() - signedInAt.getTime() < freshForMs;
}
