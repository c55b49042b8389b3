/**
 * Brings the library that the project's own Node needs and that a bare Debian or Ubuntu lacks; test/libraries.test.ts lists all that is
 * needed. Runs on Node 18.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const library = 'libatomic1';
/** Of a network that does not answer, apt tells after this long. */
const timeoutSeconds = 20;
const options = [
  ...[`Acquire::http::Timeout=${timeoutSeconds}`, `Acquire::https::Timeout=${timeoutSeconds}`],
  ...['Acquire::Retries=0', 'Acquire::Languages=none', 'DPkg::Lock::Timeout=60'],
].flatMap((option) => ['-o', option]);

/** The command `node` of npm's scripts and of npx. Only this Node and what it starts look for the library there, where nothing else is. */
const command = (name) => `#!/bin/sh
modules=$(cd "\${0%/*}/.." && pwd)
LD_LIBRARY_PATH="$modules/.libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$modules/${name}/bin/node" "$@"
`;

/**
 * Root has apt install it. For another user, and where that fails, it is put into `modules` (node_modules, where the package `name` has the
 * Node), after the package index was loaded into a folder that is removed again. `run` resolves to null when a command succeeds, and
 * `isThere` tells whether it helped. Where neither way works, nothing has changed.
 */
export async function provideLibrary({ modules, name, run, isThere }) {
  if (process.getuid() === 0) {
    await run(['apt-get', ...options, 'update']);
    await run(['apt-get', ...options, 'install', '-y', '--no-install-recommends', library]);
    if (isThere()) return;
  }
  const folder = join(modules, '.libraries');
  const work = join(modules, '.libraries.new');
  try {
    for (const needed of ['lists/partial', 'archives/partial'])
      mkdirSync(join(work, needed), { recursive: true });
    const apt = ['apt-get', ...options, '-o', `Dir::State=${work}`, '-o', `Dir::Cache=${work}`];
    await run([...apt, 'update'], work);
    await run([...apt, 'download', library], work);
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    if (archive === undefined || (await run(['dpkg', '-x', archive, 'files'], work)) !== null) return;
    const [platform] = readdirSync(join(work, 'files/usr/lib'));
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(work, 'files/usr/lib', platform), folder);
    writeFileSync(join(work, 'node'), command(name), { mode: 0o755 });
    renameSync(join(work, 'node'), join(modules, '.bin', 'node'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
