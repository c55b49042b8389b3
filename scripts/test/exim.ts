/** Exim, a real mail server for the e-mail tests: found, or installed from Debian when possible. */
import { findExim } from '../../test/harness/exim-program.ts';
import { installPackages } from './apt.ts';
import type { Run } from './run.ts';

/** Resolves to null when it is there, else to why it is not; never rejects. */
export async function provideExim(run: Run): Promise<string | null> {
  if (findExim() !== null) return null;
  const missing = await installPackages(run, 'Exim', ['exim4-daemon-light']);
  if (missing !== null) return missing;
  // The tests start their own; the package's must not run beside them.
  await run('invoke-rc.d', ['exim4', 'stop']);
  return findExim() === null ? 'Exim was installed but is not where Debian puts it' : null;
}
