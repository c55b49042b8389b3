/** The plain-JavaScript launchers: with a Node that can run the sources itself, and with an older one that can't. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isRunning, postmasterOf, usedDataDir } from './fixtures/embedded.ts';
import { lacksOlderNode, olderNode } from './fixtures/older-node.ts';
import { until } from './harness/wait.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const runner = join(root, 'bin', 'run.mjs');
const launched = join(root, 'test', 'fixtures', 'launched.ts');

interface Launched {
  readonly child: ChildProcess;
  /** The line that says it is ready. */
  readonly ready: string;
  /** Its whole output, when it and all its children have ended. */
  readonly rest: Promise<string>;
}

async function launch(t: TestContext, node: string, args: string[], detached = false): Promise<Launched> {
  const child = spawn(node, [runner, ...args], { stdio: 'pipe', detached });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const input = createInterface({ input: child.stdout ?? process.stdin });
  input.on('line', (line) => lines.push(line));
  const rest = once(input, 'close').then(() => lines.slice(1).join('\n'));
  await once(input, 'line');
  return { child, ready: lines[0] ?? '', rest };
}

for (const [name, node, skip] of [
  ['a Node that runs the sources itself', process.execPath, false],
  ['an older Node', olderNode ?? '', lacksOlderNode],
] as const) {
  describe(name, { skip }, () => {
    test('arguments and exit code pass through, and nothing is added to the output', () => {
      const args = ['a b', '--json', ''];
      const run = spawnSync(node, [runner, launched, 'arguments', ...args], {
        encoding: 'utf8',
        cwd: tmpdir(),
      });
      assert.deepEqual(JSON.parse(run.stdout), [launched, 'arguments', ...args]);
      assert.equal(run.stderr, '');
      assert.equal(spawnSync(node, [runner, launched, 'exit', '3']).status, 3);
    });

    test('without dependencies one line says what to run', (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'pitlane-bin-'));
      t.after(() => rmSync(folder, { recursive: true }));
      cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
      const run = spawnSync(node, [join(folder, 'bin', 'pitlane.mjs'), 'status'], { encoding: 'utf8' });
      assert.equal(run.status, 1);
      assert.match(run.stderr, /^pitlane: [^\n]*npm ci --ignore-scripts[^\n]*\n$/);
    });

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      test(`${signal} to the launcher alone stops the child in order`, async (t) => {
        const { child, rest } = await launch(t, node, [launched, 'wait']);
        child.kill(signal);
        assert.equal(await rest, `stop: ${signal}\nstopped`);
        if (child.exitCode === null) await once(child, 'exit');
        assert.equal(child.exitCode, 7);
      });
    }

    test('SIGINT to the whole group, as Ctrl-C sends it, stops the child once and in order', async (t) => {
      const { child, rest } = await launch(t, node, [launched, 'wait'], true);
      process.kill(-(child.pid ?? 0), 'SIGINT');
      assert.equal(await rest, 'stop: SIGINT\nstopped');
      if (child.exitCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, 7);
    });

    test('Ctrl-C reaches the program before its PostgreSQL', async (t) => {
      const dataDir = await usedDataDir(t);
      const owner = join(root, 'test', 'fixtures', 'embedded-owner.ts');
      const { child, rest } = await launch(t, node, [owner, 'serve', dataDir], true);
      const postmaster = postmasterOf(dataDir);
      const groupOf = (pid: number) =>
        execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim();
      assert.equal(groupOf(postmaster), String(postmaster));
      process.kill(-(child.pid ?? 0), 'SIGINT');
      assert.equal(await rest, 'stopped');
      assert.equal(isRunning(postmaster), false);
    });
  });
}

describe('an older Node', { skip: lacksOlderNode }, () => {
  const node = olderNode ?? '';

  for (const [what, own, line] of [
    ['a library', '#!/bin/sh\nexit 127\n', /^pitlane: [^\n]*libatomic1[^\n]*\n$/],
    ['glibc', '#!/lib/ld-of-another.so\n', /^pitlane: [^\n]*glibc[^\n]*Alpine[^\n]*DATABASE_URL[^\n]*\n$/],
  ] as const) {
    test(`a Node of its own that lacks ${what}: one line says what to do`, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'pitlane-library-'));
      t.after(() => rmSync(folder, { recursive: true }));
      cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
      for (const [file, text] of [
        ['fastify/index.js', ''],
        ['.bin/node', own],
      ] as const) {
        const path = join(folder, 'node_modules', file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text, { mode: 0o755 });
      }
      const run = spawnSync(node, [join(folder, 'bin', 'pitlane.mjs'), 'status'], { encoding: 'utf8' });
      assert.deepEqual([run.status, run.stdout], [1, '']);
      assert.match(run.stderr, line);
    });
  }

  test('a child that a signal ends gives 128 and its number', () => {
    for (const [signal, status] of [
      ['SIGTERM', 143],
      ['SIGKILL', 137],
    ] as const) {
      assert.equal(spawnSync(node, [runner, launched, 'signal', signal]).status, status);
    }
  });

  test('always: a launcher that is killed takes the program with it, in order', async (t) => {
    const { child, ready, rest } = await launch(t, node, [launched, 'wait']);
    child.kill('SIGKILL');
    assert.equal(await rest, 'stop: the launcher is gone\nstopped');
    await until('the program ends', () => !isRunning(Number(ready)));
  });
});
