import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { ConfigError } from './config/setting.ts';
import { loadSecretKey } from './secret-key.ts';

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-key-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the key of the environment is used, and nothing is kept', (t) => {
  const dataDir = join(makeFolder(t), 'data');
  const secretKey = randomBytes(32);
  assert.equal(loadSecretKey({ dataDir, secretKey }), secretKey);
  assert.equal(existsSync(dataDir), false);
});

test('a key is made once, for its owner only', (t) => {
  const dataDir = join(makeFolder(t), 'data');
  const key = loadSecretKey({ dataDir, secretKey: null });
  assert.equal(key.length, 32);
  assert.deepEqual(loadSecretKey({ dataDir, secretKey: null }), key);
  assert.equal(statSync(join(dataDir, 'secret-key')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(dataDir), ['secret-key']);
  assert.notDeepEqual(loadSecretKey({ dataDir: makeFolder(t), secretKey: null }), key);
});

test('processes that make it at the same time get the same one', async (t) => {
  const dataDir = makeFolder(t);
  const program = `
    import { loadSecretKey } from ${JSON.stringify(new URL('secret-key.ts', import.meta.url).href)};
    console.log(loadSecretKey({ dataDir: process.argv[1], secretKey: null }).toString('hex'));`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, dataDir]);
  const answers = await Promise.all([run(), run(), run(), run()]);
  assert.equal(new Set(answers.map(({ stdout }) => stdout)).size, 1);
  assert.deepEqual(readdirSync(dataDir), ['secret-key']);
});

test('a broken file is refused by name, and left as it is', (t) => {
  const dataDir = makeFolder(t);
  const path = join(dataDir, 'secret-key');
  for (const content of ['', 'abc', 'z'.repeat(64), 'a'.repeat(66)]) {
    writeFileSync(path, content);
    assert.throws(
      () => loadSecretKey({ dataDir, secretKey: null }),
      (error) =>
        error instanceof ConfigError && error.message.startsWith(path) && !error.message.includes('\n'),
    );
    assert.equal(statSync(path).size, content.length);
  }
});

test('a folder that cannot be made is one clear line', (t) => {
  const file = join(makeFolder(t), 'file');
  writeFileSync(file, '');
  assert.throws(() => loadSecretKey({ dataDir: join(file, 'data'), secretKey: null }), ConfigError);
});
