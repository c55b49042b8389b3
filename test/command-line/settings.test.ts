/** Settings from a file `.env`, and error messages about bad ones. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-env-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'settings');

test('settings stand in a file, and a variable of the environment wins over it', async () => {
  writeFileSync(file, "# a comment\nPORT=80a\nLOG_LEVEL='loud' # said below\nPITLANE_DATA_DIR=/nowhere\n");
  const { code, stdout, stderr } = await runHere(['serve'], { PITLANE_ENV_FILE: file, PORT: '80b' });
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^pitlane: PORT=80b is not .*\npitlane: LOG_LEVEL=loud is not .*\n$/);
});

test('a named file that is not there is said', async () => {
  const { code, stderr } = await runHere(['status'], { PITLANE_ENV_FILE: join(folder, 'absent') });
  assert.equal(code, 1);
  assert.match(stderr, /^pitlane: \S+absent can't be read \(ENOENT\)\n$/);
});

test('a file in another encoding is refused: its settings would be overlooked', async () => {
  for (const content of [
    Buffer.from('\uFEFFPORT=80a\n', 'utf16le'),
    Buffer.from('PITLANE_ROLE=caf\u00e9\n', 'latin1'),
  ]) {
    writeFileSync(file, content);
    const { code, stderr } = await runHere(['status'], { PITLANE_ENV_FILE: file });
    assert.equal(code, 1);
    assert.match(stderr, /^pitlane: \S+settings is not in UTF-8\n$/);
  }
});

test('each bad setting is a line, after a warning of each name that is no setting', async () => {
  const env = { PORT: '80a', LOG_LEVEL: 'loud', PITLANE_ROLES: 'api' };
  const { code, stdout, stderr } = await runHere(['status'], env);
  assert.deepEqual([code, stdout], [1, '']);
  assert.deepEqual(
    stderr
      .trim()
      .split('\n')
      .map((line) => line.replace(/ is not .*/, '')),
    [
      'pitlane: warning: PITLANE_ROLES is no setting: did you mean PITLANE_ROLE?',
      'pitlane: PORT=80a',
      'pitlane: LOG_LEVEL=loud',
    ],
  );
});
