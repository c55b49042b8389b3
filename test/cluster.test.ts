/** `npm run cluster` in short, on real servers: a rolling restart and a failover under load, and how it ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processesOf } from '../scripts/cluster/folder.ts';
import { noCluster } from '../scripts/cluster/programs.ts';
import { childEnvironment } from './harness/child.ts';
import { until } from './harness/wait.ts';

const script = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** As a person does, with a temporary folder of its own, so that another cluster of this machine is not taken for it. */
function runCluster(t: TestContext, ...args: string[]) {
  const temporary = mkdtempSync(join(tmpdir(), 'pitlane-'));
  // The user of Debian's PostgreSQL has to get in.
  chmodSync(temporary, 0o755);
  const command = [script('bin/run.mjs'), script('scripts/cluster.ts'), ...args];
  const child = spawn(process.execPath, command, {
    env: childEnvironment({ TMPDIR: temporary }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(temporary, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  });
  return { child, temporary, said: text(child.stdout), complained: text(child.stderr) };
}

/** Waits until both PostgreSQL have begun, and resolves to the number of processes. */
async function untilBegun(temporary: string): Promise<number> {
  await until('a cluster has begun', () => globSync(join(temporary, '*', 'node2', 'data')).length > 0);
  return processesOf(temporary).length;
}

test('each process is restarted and the leader killed under load: no request fails in the restart, nothing is lost or sent twice', {
  skip: noCluster,
  timeout: 300_000,
}, async (t) => {
  const { child, temporary, said, complained } = runCluster(t, '--trial', '--failovers', '1', '--rate', '20');
  const [code] = await once(child, 'exit');
  const output = `${await said}${await complained}`;
  assert.equal(code, 0, output);
  assert.match(
    output,
    /^restarted: api1, api2, worker1, worker2; \d+ bookings meanwhile, failed requests: none$/m,
  );
  assert.match(output, /^failover 1: node node\d killed, node\d leads after/m);
  assert.match(output, /^reports: [1-9]\d* read, [1-9]\d* of them from the replica, at most \d\.\d s old/m);
  assert.match(output, /^✔ nothing acknowledged was lost, nothing was made or sent twice$/m);
  assert.deepEqual([processesOf(temporary), readdirSync(temporary)], [[], []]);
});

test('always: killed, it leaves no process and no folder', {
  skip: noCluster,
  timeout: 180_000,
}, async (t) => {
  const { child, temporary } = runCluster(t);
  assert.ok((await untilBegun(temporary)) > 4);
  child.kill('SIGKILL');
  const left = () => [...processesOf(temporary), ...readdirSync(temporary)];
  const deadline = AbortSignal.timeout(30_000);
  while (left().length > 0 && !deadline.aborted) await pause(100);
  assert.deepEqual(left(), []);
});

test('a number that is not one is refused by name, before anything starts', {
  skip: noCluster,
}, async (t) => {
  const { child, complained } = runCluster(t, '--trial', '--failovers', 'many');
  const [code] = await once(child, 'exit');
  assert.equal(code, 2);
  assert.match(
    await complained,
    /^--failovers is a whole number from 0 to 1000, not "many"\n\nnpm run cluster /,
  );
});
