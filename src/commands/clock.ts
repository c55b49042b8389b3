/** `pitlane clock`: the business clock, which the sandbox can move. */
import type { Command } from 'commander';
import { withSession } from './session.ts';
import { group, verb } from './verb.ts';

const about = `
Tokens, createdAt and updatedAt, kept answers and everything due on a date go by the business clock. The sandbox can move it
forward, for trying out; a real installation has it at the machine's time.

Setting it right takes back all moves at once, also while servers run; they follow within a second. What it means:

  - Dates that were given while the clock was ahead stay, and lie in the future for as long as it was ahead. A booking that is
    changed next gets an updatedAt after its last one all the same.
  - Tokens that were given while it was ahead live 48 hours (access) and 30 days (refresh) from now. Those that had expired only
    because it was moved are good again, for the rest of their time.
  - Answers kept under an Idempotency-Key while it was ahead are kept for 24 hours from now.
  - What fell due because it was moved has been done, and is not taken back. What was made due while it was ahead stays due then.
`;

export function registerClock(program: Command): void {
  const clock = group(program, 'clock', 'the business clock: set it right after the sandbox has moved it', [
    'clock reset',
  ]);
  const reset = {
    usage: 'reset',
    summary: "set the business clock back to the machine's time",
    examples: ['clock reset', 'clock reset --json'],
  };
  verb(clock, reset, () =>
    withSession(async ({ db, clock: now }) => {
      const { setClockRight } = await import('#operation/sandbox/right-clock.ts');
      const done = await setClockRight({ db, clock: now });
      const text =
        done.wasAheadSeconds === 0
          ? "the business clock was at the machine's time already"
          : `the business clock was ${done.wasAheadSeconds} s ahead, and is at the machine's time again`;
      return { json: done, text };
    }),
  ).addHelpText('after', about.trimEnd());
}
