/** A backup has the fingerprint of its installation's key, and what a restore says of the key of the settings. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keyFingerprints } from '#base/secret-key.ts';
import { nameKey } from '#platform/key-fingerprint/store.ts';
import { createTestDatabase } from '../harness/database.ts';
import { json, runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-restored-'));
after(() => rmSync(folder, { recursive: true }));

test('the key of the database decides, not that of the machine that backs it up or was started here before', async () => {
  const [source, target] = [await createTestDatabase(), await createTestDatabase()];
  const dataDir = join(folder, 'none');
  const keyOf = (hex: string) => ({ dataDir, secretKey: Buffer.from(hex, 'hex'), formerSecretKeys: null });
  const [old, other] = ['a1'.repeat(32), 'b2'.repeat(32)];
  const name = (db: typeof source.db, hex: string) =>
    nameKey(db, keyFingerprints(keyOf(hex)) ?? assert.fail());
  await name(source.db, old);
  const file = join(folder, 'one.backup');
  await json(['backup', file], {
    DATABASE_URL: source.url,
    PITLANE_DATA_DIR: dataDir,
    PITLANE_SECRET_KEY: other,
  });

  // An empty installation that was started once has a key of its own, which is no row of its.
  await name(target.db, other);
  const env = { DATABASE_URL: target.url, PITLANE_DATA_DIR: dataDir, PITLANE_SECRET_KEY: other };
  const { code, stdout, stderr } = await runHere(['restore', file, '--json'], env);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).secretKey, 'other');
  assert.match(stderr, /another than that of the backup: before the first start, .* secret-key replace/);
  const state = async (own: object) => (await json(['status'], { ...env, ...own })).secretKey.state;
  assert.equal(await state({}), 'other');
  assert.equal(await state({ PITLANE_SECRET_KEY: old }), 'current');
  assert.equal(await state({ PITLANE_FORMER_SECRET_KEYS: old }), 'successor');

  const { db: _, ...second } = await createTestDatabase();
  const changing = { ...env, DATABASE_URL: second.url, PITLANE_FORMER_SECRET_KEYS: old };
  assert.equal((await json(['restore', file], changing)).secretKey, 'same');
});
