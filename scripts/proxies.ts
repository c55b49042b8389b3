/**
 * `npm run proxies`: each reverse proxy of docs/deployment.md with its sample of `deploy/`, run by the real program in front of the
 * product: edits with `If-Match`, event streams, uploads, sign-ins. `npm test` does the same with nginx and Caddy.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findProxy, type ProxyName, proxyPackages } from '../test/harness/proxy-programs.ts';
import { installPackages } from './test/apt.ts';
import { run } from './test/run.ts';

const all = Object.keys(proxyPackages) as ProxyName[];
const usage = `npm run proxies                    all of them
npm run proxies -- NAME …          those alone: ${all.join(', ')}

What is not there comes from Debian's archive, where root runs it; no service of a package is started.
`;
const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
const chosen = positionals.length === 0 ? all : all.filter((name) => positionals.includes(name));

async function main(): Promise<number> {
  if (values.help || chosen.length < positionals.length) {
    process.stderr.write(usage);
    return values.help ? 0 : 2;
  }
  let missing = 0;
  for (const name of chosen.filter((each) => findProxy(each) === null)) {
    const reason = await installPackages(run, name, [proxyPackages[name]]);
    if (reason === null) continue;
    process.stdout.write(`✖ ${name}: ${reason}\n`);
    missing++;
  }
  const there = chosen.filter((name) => findProxy(name) !== null);
  if (there.length === 0) return 1;
  const { status } = spawnSync(
    process.execPath,
    ['bin/run.mjs', 'scripts/test.ts', 'test/deploy/proxies.test.ts'],
    {
      ...{ cwd: fileURLToPath(new URL('..', import.meta.url)), stdio: 'inherit' },
      env: { ...process.env, PITLANE_TEST_PROXIES: there.join(' ') },
    },
  );
  return status === 0 && missing === 0 ? 0 : 1;
}

process.exitCode = await main();
