/** Kannel, a real SMS gateway for its tests: found, or installed from Debian when possible. */
import { findKannel } from '../../test/harness/kannel-programs.ts';
import { installPackages } from './apt.ts';
import type { Run } from './run.ts';

/** Resolves to null when it is there, else to why it is not; never rejects. */
export async function provideKannel(run: Run): Promise<string | null> {
  if (findKannel() !== null) return null;
  const missing = await installPackages(run, 'Kannel', ['kannel', 'kannel-extras']);
  if (missing !== null) return missing;
  // The tests start their own; the package's must not run beside them.
  await run('invoke-rc.d', ['kannel', 'stop']);
  return findKannel() === null ? 'Kannel was installed but is not where Debian puts it' : null;
}
