/** `pitlane` as a process: exit codes, its two streams, standard input, a reader that goes away, and signals. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newId } from '#base/values/id.ts';
import { childEnvironment, shortLived } from '../harness/child.ts';
import { until } from '../harness/wait.ts';
import { fail, json, runAlone, runHere, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { db, env, partnerId, workshopId } = await commandWorld();
const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const start = (...args: string[]) =>
  spawn(process.execPath, [...shortLived, entry, ...args], { env: childEnvironment(env) });

/** Sessions of commands on the database. */
async function sessions(): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity
      WHERE application_name = 'pitlane command' AND datname = current_database()`,
  );
  return row?.count ?? 0;
}

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = await once(child, 'exit');
  return code ?? signal;
}

test('0: the result on standard output, notes on standard error, and the process ends by itself', async () => {
  const { stdout, stderr } = await succeed(['partner', 'create', '--name', 'Alone'], env, runAlone);
  assert.match(stdout, /^partnerId +[\w-]{36}\nappKey +ptl_key_[\w-]{43}\nsecret +ptl_secret_[\w-]{43}\n$/);
  assert.match(stderr, /shown this once/);
  const listed = await json(['partner', 'list'], env, runAlone);
  assert.deepEqual(listed, await json(['partner', 'list'], env));
  assert.deepEqual(await json(['partner', 'suspend', partnerId], env, runAlone), {
    partnerId,
    status: 'suspended',
  });
  assert.equal(await sessions(), 0);
});

test('1 for what is refused, 2 for a wrong command line, others where a command has its own', async () => {
  await fail(['partner', 'suspend', newId(), '--json'], env, 1, /there is no partner/, runAlone);
  await fail(['partner', 'list'], { DATABASE_URL: 'mysql://x' }, 1, /DATABASE_URL must be/, runAlone);
  await fail(['serve'], { PITLANE_ROLE: 'boss' }, 1, /PITLANE_ROLE=boss is not/, runAlone);
  await fail(['partner', 'lst'], env, 2, /unknown command 'lst'/, runAlone);
  await fail(['inbox', 'receive-mail', '/nowhere', '--to', 'x@y.example'], env, 75, /ENOENT/, runAlone);
  const bare = await runAlone([], {});
  assert.deepEqual(bare, await runHere([], {}));
  assert.equal(bare.code, 2);
});

test('the settings of a file are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-process-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'settings');
  writeFileSync(file, `DATABASE_URL='${env.DATABASE_URL}'\nLOG_LEVEL=loud\n`);
  const rows = await json(['workshop', 'list'], { PITLANE_ENV_FILE: file, LOG_LEVEL: 'warn' }, runAlone);
  assert.equal(rows[0].workshopId, workshopId);
});

test('standard input is read to its end', async () => {
  const services = Array.from({ length: 200 }, (_, n) => ({
    ...{ catalogCode: `code-${n}`, title: `${n} ${'x'.repeat(200)}`, category: 'service', cost: n },
  }));
  const content = JSON.stringify({ workshopId, services });
  const { code, stdout } = await runAlone(['workshop', 'import', '-', '--json'], env, content);
  assert.deepEqual([code, JSON.parse(stdout).services.length], [0, services.length]);
  const exported = await json(['workshop', 'export', workshopId], env, runAlone);
  assert.equal(exported.services.length, services.length);
});

test('a reader that has seen enough is no failure', async () => {
  const child = start('partner', 'list');
  child.stdout.destroy();
  assert.equal(await endOf(child), 0);
  // PostgreSQL notices a moment later that its client has gone.
  await until('no session is left', async () => (await sessions()) === 0);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends a command whose statement waits, and its session`, async () => {
    const holder = await db.pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE partner');
      const child = start('partner', 'list');
      const ended = endOf(child);
      await until('it has a session', async () => (await sessions()) > 0);
      child.kill(signal);
      assert.equal(await ended, signal);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await until('no session is left', async () => (await sessions()) === 0);
  });
}
