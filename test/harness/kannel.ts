/**
 * A real Kannel for tests. `npm test` finds or installs it for the files that import this one:
 * `test('…', { skip: noKannel }, …)`.
 */
import { atEnd } from './clean-up.ts';
import { type Kannel, type KannelOptions, runKannel } from './kannel-processes.ts';
import { findKannel } from './kannel-programs.ts';

const programs = findKannel();

/** Why tests with Kannel are skipped; false when they are not. */
export const noKannel: string | false =
  programs === null
    ? (process.env['PITLANE_TEST_NO_KANNEL'] ?? 'there is no Kannel: apt-get install kannel kannel-extras')
    : false;

/** `callbackUrl` is where Pitlane listens. Ended when the test file ends. */
export async function startKannel(callbackUrl: string, options?: KannelOptions): Promise<Kannel> {
  if (programs === null) throw new Error('there is no Kannel');
  const kannel = await runKannel(programs, callbackUrl, options);
  atEnd(kannel.remove);
  return kannel;
}
