/** `pitlane backup --folder`: what a timer runs. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTestDatabase } from '../harness/database.ts';
import { fail, json, runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane backups '));
after(() => rmSync(folder, { recursive: true, force: true }));

test('into a folder: named by the time, the newest stay, and a failure removes none', async () => {
  const { url } = await createTestDatabase();
  const env = { DATABASE_URL: url, PITLANE_SECRET_KEY: 'a1'.repeat(32) };
  const kept = join(folder, 'kept/of a timer');
  const make = () => json(['backup', '--folder', kept, '--keep', '2'], env);
  const first = await make();
  assert.match(first.file, /\/kept\/of a timer\/pitlane-\d{8}T\d{6}Z\.backup$/);
  assert.deepEqual([first.removed, statSync(first.file).mode & 0o777], [[], 0o600]);
  const older = ['pitlane-20200101T000000Z.backup', 'pitlane-20200102T000000Z.backup', 'moved.backup'];
  rmSync(first.file);
  for (const [at, name] of older.entries()) {
    writeFileSync(join(kept, name), '');
    utimesSync(join(kept, name), at + 1, at + 1);
  }
  const closed = { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  await fail(['backup', '--folder', kept, '--keep', '1'], closed, 1, /./);
  assert.deepEqual(readdirSync(kept).sort(), [...older].sort());
  const second = await make();
  assert.deepEqual(second.removed, [join(kept, 'pitlane-20200101T000000Z.backup')]);
  assert.deepEqual(readdirSync(kept).length, 3);
  for (const [args, refusal] of [
    [['backup', 'x.backup', '--folder', kept], /a file or --folder, not both/],
    [['backup', 'x.backup', '--keep', '2'], /--keep goes with --folder/],
    [['backup', '--folder', kept, '--keep', '0'], /--keep=0 is not/],
    [['backup'], /name the file/],
  ] as const)
    assert.match((await runHere(args, env)).stderr, refusal);
});
