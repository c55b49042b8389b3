/** How long a start may take: as long as PostgreSQL says how far it is. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder } from '../../../../test/fixtures/embedded.ts';
import { becomesReady, hasEnded } from './readiness.ts';

const silentAtMostMs = 1_000;

/** A program in the place of PostgreSQL, in a folder of its own. */
function startStandIn(t: TestContext, script: string) {
  const dir = makeFolder(t);
  const log = join(dir, 'log');
  const output = openSync(log, 'w');
  const child = spawn('sh', ['-c', `cd "$1"; ${script}`, 'sh', dir], { stdio: ['ignore', output, output] });
  closeSync(output);
  t.after(() => child.kill('SIGKILL'));
  return { child, dir, log };
}

const isReady = `printf '%s\\nd\\n1\\n5432\\nd\\n\\n1 2\\nready\\n' $$ > postmaster.pid`;

test('a recovery that goes on is waited for, and reported', async (t) => {
  const steps = `for n in 1 2 3 4 5 6; do sleep 0.3; echo "2026-01-01 UTC [7] LOG:  redo in progress, elapsed time: $n.00 s"; done`;
  const { child, dir, log } = startStandIn(t, `${steps}; ${isReady}; exec sleep 60`);
  const told: string[] = [];
  const notice = (line: string) => told.push(line);
  assert.equal(await becomesReady(child, { dir, log, notice, noticeEveryMs: 400, silentAtMostMs }), 'ready');
  assert.match(told.at(-1) ?? '', /^PostgreSQL is still starting: redo in progress, elapsed time: \d\.00 s$/);
});

test('one that says nothing any more is stopped, and one that ends is not waited for', async (t) => {
  const silent = startStandIn(t, `trap 'exit 0' INT; echo begun; while :; do sleep 0.05; done`);
  assert.equal(await becomesReady(silent.child, { ...silent, silentAtMostMs }), 'silent');
  assert.equal(hasEnded(silent.child), true);
  const ended = startStandIn(t, 'exit 1');
  assert.equal(await becomesReady(ended.child, ended), 'ended');
});

test('a file that another process has left with its state is not taken for that of this one', async (t) => {
  const { child, dir, log } = startStandIn(
    t,
    `printf '4242\\nd\\n1\\n5432\\nd\\n\\n1 2\\nready\\n' > postmaster.pid; exec sleep 60`,
  );
  assert.equal(await becomesReady(child, { dir, log, silentAtMostMs: 300 }), 'silent');
});
