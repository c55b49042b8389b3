import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../../test/harness/child.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { writeNewFile } from './file.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-backup-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'ended.backup');

test('a backup that a signal ends leaves nothing', async () => {
  const { db, url } = await createTestDatabase();
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  await db.transaction(async (tx) => {
    // The file is open by then, and the backup waits.
    await tx.query('LOCK TABLE partner IN ACCESS EXCLUSIVE MODE');
    const child = spawn(process.execPath, [main, 'backup', path], {
      env: childEnvironment({ DATABASE_URL: url }),
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    while (readdirSync(folder).length === 0 && child.exitCode === null) {
      await sleep(20);
      // A transaction that is idle for 15 s is ended, and a start may take longer on a busy machine.
      await tx.query('SELECT 1');
    }
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [143, null]);
  });
  assert.deepEqual(readdirSync(folder), []);
});

test('one that fails before its first byte closes its file and leaves nothing', async () => {
  const listeners = process.listenerCount('SIGTERM');
  let opened: Writable | undefined;
  const failing = writeNewFile(path, async (to) => {
    opened = to;
    throw new Error('before its first byte');
  });
  await assert.rejects(failing, /before its first byte/);
  assert.equal(opened?.destroyed, true);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(process.listenerCount('SIGTERM'), listeners);
});
