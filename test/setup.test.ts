/** bin/setup.mjs in a small project of its own, with a stand-in for npm. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inNamespace, lacksNamespaces } from './fixtures/embedded.ts';
import { until } from './harness/wait.ts';

/** Takes a moment, as npm does, or for as long as it is told to, and writes npm's own record; fails when told to. */
const standIn = `
  const fs = require('node:fs');
  fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
  if (fs.existsSync('fail')) { console.error('npm error code E404\\nnpm error 404 no such package\\nnpm error more'); process.exit(1); }
  const finish = () => {
    if (fs.existsSync('hang')) return setTimeout(finish, 20);
    fs.mkdirSync('node_modules', { recursive: true });
    const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
    delete lock.packages[''];
    delete lock.packages['node_modules/elsewhere'];
    if (process.argv.includes('--omit=dev')) {
      delete lock.packages['node_modules/tool'];
      delete lock.packages['node_modules/linked'];
    }
    fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock));
  };
  setTimeout(finish, 300);`;

const packages = (version: string) => ({
  '': { name: 'small' },
  'node_modules/one': { version, integrity: `sha512-${version}` },
  'node_modules/tool': { version: '2.0.0', integrity: 'sha512-tool', dev: true },
  'node_modules/linked': { resolved: 'linked', link: true },
  linked: { name: 'linked', version: '0.0.0', dev: true },
  'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] },
});

function makeProject(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'pitlane setup '));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  cpSync(fileURLToPath(new URL('../bin', import.meta.url)), join(root, 'bin'), { recursive: true });
  writeFileSync(join(root, 'npm-cli.js'), standIn);
  const lockAt = (version: string) =>
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: packages(version) }));
  lockAt('1.0.0');
  const setUp = (option?: '--include=dev', own: Readonly<Record<string, string | undefined>> = {}) =>
    new Promise<{ code: number; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        [join(root, 'bin', 'setup.mjs'), ...(option === undefined ? [] : [option])],
        { env: { ...process.env, npm_execpath: join(root, 'npm-cli.js'), ...own }, cwd: tmpdir() },
        (error, _, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stderr }),
      );
    });
  const calls = () =>
    existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [];
  return { root, lockAt, setUp, calls };
}

test('dependencies are installed once, and again when the lock file asks for others', async (t) => {
  const { root, lockAt, setUp, calls } = makeProject(t);
  assert.deepEqual(
    (await setUp()).stderr,
    'Installing the dependencies (the first time takes a minute) …\nThe dependencies are installed.\n',
  );
  assert.match(calls()[0] ?? '', /^ci --ignore-scripts .*--omit=dev/);
  assert.deepEqual(await setUp(), { code: 0, stderr: '' });
  assert.equal(calls().length, 1);
  lockAt('1.0.1');
  assert.match((await setUp()).stderr, /package-lock.json has changed/);
  assert.deepEqual(await setUp(), { code: 0, stderr: '' });
  // An installation that was interrupted has no record.
  rmSync(join(root, 'node_modules', '.package-lock.json'));
  assert.equal((await setUp()).code, 0);
  assert.equal(calls().length, 3);
});

test('tools are added to what runs, and nothing that is there is taken away again', async (t) => {
  const { lockAt, setUp, calls } = makeProject(t);
  await setUp();
  assert.match((await setUp('--include=dev')).stderr, /\(those of tests and tools\)/);
  assert.match(calls()[1] ?? '', /^install --no-save --ignore-scripts .*--include=dev/);
  for (const option of ['--include=dev', undefined] as const)
    assert.deepEqual(await setUp(option), { code: 0, stderr: '' });
  lockAt('1.0.1');
  await setUp();
  assert.match(calls()[2] ?? '', /^ci .*--include=dev/);
  assert.deepEqual(await setUp('--include=dev'), { code: 0, stderr: '' });
  assert.equal(calls().length, 3);
});

test('the first installation of the tests is a whole one', async (t) => {
  const { setUp, calls } = makeProject(t);
  await setUp('--include=dev');
  assert.match(calls()[0] ?? '', /^ci .*--include=dev/);
  assert.deepEqual(await setUp(), { code: 0, stderr: '' });
});

test("without a home that can be written npm's cache is in the project", async (t) => {
  const { root, setUp, calls } = makeProject(t);
  // A file can't hold a folder, not even for root.
  const homeless = { HOME: join(root, 'package-lock.json'), npm_config_cache: undefined };
  assert.equal((await setUp(undefined, homeless)).code, 0);
  assert.equal(calls()[0]?.split('--cache=')[1], join(root, '.npm-cache'));
  rmSync(join(root, 'node_modules'), { recursive: true });
  assert.equal((await setUp(undefined, { npm_config_cache: join(root, 'cache') })).code, 0);
  assert.doesNotMatch(calls()[1] ?? '', /--cache/);
});

test('starts at the same time install once', async (t) => {
  const { setUp, calls } = makeProject(t);
  const results = await Promise.all([setUp(), setUp(), setUp()]);
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0, 0],
  );
  assert.equal(calls().length, 1);
});

/** Starts it, and hands over its process once npm works; it is killed at the test's end. */
async function begin(t: TestContext, root: string, prefix: readonly string[] = []) {
  writeFileSync(join(root, 'hang'), '');
  const [file = '', ...args] = [...prefix, process.execPath, join(root, 'bin', 'setup.mjs')];
  const env = { ...process.env, npm_execpath: join(root, 'npm-cli.js') };
  const child = spawn(file, args, { env, cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const said = text(child.stderr);
  const ended = once(child, 'exit');
  return { child, said, ended };
}

test('always: a container that is killed while it installs leaves no lock to its successor, who has the same ids', {
  skip: lacksNamespaces(),
}, async (t) => {
  const { root, calls } = makeProject(t);
  for (const round of [1, 2]) {
    const killed = await begin(t, root, inNamespace);
    await until(`npm works in round ${round}`, () => calls().length === round);
    killed.child.kill('SIGKILL');
    await killed.ended;
  }
  const last = await begin(t, root, inNamespace);
  rmSync(join(root, 'hang'));
  await until('the last one installs', () => existsSync(join(root, 'node_modules', '.package-lock.json')));
  assert.deepEqual(await last.ended, [0, null]);
  assert.doesNotMatch(await last.said, /waiting/);
});

test('always: an npm that outlives its killed start is waited for', async (t) => {
  const { root, setUp, calls } = makeProject(t);
  const killed = await begin(t, root);
  await until('npm works', () => calls().length === 1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const next = setUp();
  const second = await begin(t, root);
  assert.match(String(await once(second.child.stderr, 'data')), /is installing the dependencies: waiting/);
  rmSync(join(root, 'hang'));
  assert.match((await next).stderr, /^Another start .* waiting for it …\n$/);
  assert.deepEqual(await second.ended, [0, null]);
  assert.equal(calls().length, 1);
});

test("npm's failure is one line, and the next start tries again", async (t) => {
  const { root, setUp, calls } = makeProject(t);
  writeFileSync(join(root, 'fail'), '');
  const failed = await setUp();
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /\npitlane: the dependencies can't be installed: 404 no such package\n$/);
  rmSync(join(root, 'fail'));
  assert.equal((await setUp()).code, 0);
  assert.equal(calls().length, 2);
});
