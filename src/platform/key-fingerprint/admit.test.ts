/** Which processes may work on a database, by their secret keys, also while the key is changed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '#base/config/setting.ts';
import type { Database } from '#platform/db/database.ts';
import { json, runHere } from '../../../test/command-line/run.ts';
import { commandWorld } from '../../../test/command-line/world.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { admitServer, admittedSealing } from './admit.ts';
import { readNamedKey } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-keys-'));
after(() => rmSync(folder, { recursive: true }));
const dataDir = join(folder, 'none');

const [k1, k2, k3] = [randomBytes(32), randomBytes(32), randomBytes(32)];
/** A process with this key, which lists these former ones. */
const having = (secretKey: Buffer, ...former: Buffer[]) => ({
  dataDir,
  secretKey,
  formerSecretKeys: former.length > 0 ? former : null,
});

/** Starts of processes in this order, each with its outcome. */
async function starts(
  db: Database,
  order: readonly (readonly [ReturnType<typeof having>, 'current' | 'successor' | 'former' | 'refused'])[],
): Promise<void> {
  for (const [n, [config, expected]] of order.entries()) {
    const admit = async () => (await admitServer(db, config)).key;
    const state = await admit().catch((error) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.match(
        error.message,
        /^PITLANE_SECRET_KEY \(fingerprint [0-9a-f]{8}\) is another secret key than/,
      );
      return 'refused';
    });
    assert.equal(state, expected, `start ${n + 1}`);
  }
}

test('the first start names its key; another key is refused and changes nothing', async () => {
  const { db } = await createTestDatabase();
  await starts(db, [[having(k1), 'current']]);
  const named = await readNamedKey(db);
  await starts(db, [
    [having(k2), 'refused'],
    [having(k2, k3), 'refused'],
    [having(k1), 'current'],
  ]);
  assert.deepEqual(await readNamedKey(db), named);
  const keyless = { dataDir, secretKey: null, formerSecretKeys: null };
  await assert.rejects(
    admitServer(db, keyless),
    /secret-key is not there, and the database has a secret key/,
  );
  assert.equal(existsSync(dataDir), false, 'a key that would be another one');
  const [row] = await db.query('SELECT * FROM secret_key');
  for (const text of [k1.toString('hex'), k1.toString('base64')])
    assert.ok(!JSON.stringify(row).includes(text.slice(0, 16)), 'the key itself');
});

test('a change, the new key first: old processes start again until the old key is dropped', async () => {
  const { db } = await createTestDatabase();
  const [old, next] = [having(k1), having(k2, k1)];
  await starts(db, [
    ...([
      [old, 'current'],
      [old, 'current'],
      [next, 'successor'],
    ] as const),
    // The rest of the old ones may be started again meanwhile.
    ...([
      [old, 'former'],
      [next, 'current'],
      [old, 'former'],
      [next, 'current'],
    ] as const),
    // Nobody reads by the old one any more.
    ...([
      [having(k2), 'current'],
      [old, 'refused'],
      [having(k2), 'current'],
    ] as const),
    // A change later on does not bring it back.
    ...([
      [having(k3, k2), 'successor'],
      [old, 'refused'],
      [having(k2), 'former'],
    ] as const),
  ]);
});

test('a change, the new key listed everywhere first, and one that is taken back', async () => {
  const { db } = await createTestDatabase();
  const [old, prepared, next] = [having(k1), having(k1, k2), having(k2, k1)];
  await starts(db, [
    ...([
      [old, 'current'],
      [prepared, 'current'],
      [old, 'current'],
      [prepared, 'current'],
    ] as const),
    ...([
      [next, 'successor'],
      [prepared, 'successor'],
      [next, 'successor'],
      [old, 'former'],
    ] as const),
    ...([
      [prepared, 'successor'],
      [having(k2), 'former'],
      [old, 'current'],
      [having(k2), 'refused'],
    ] as const),
  ]);
});

test('processes that start at the same time agree', async () => {
  const { db } = await createTestDatabase();
  const first = await Promise.allSettled([k1, k2, k3, k1].map((key) => admitServer(db, having(key))));
  const admitted = first.map(({ status }) => status === 'fulfilled');
  const named = await readNamedKey(db);
  assert.ok(named !== null && admitted.includes(true) && admitted.includes(false));
  assert.equal(admitted[0], admitted[3], 'the same key');
});

test('a command that seals is refused with another key, and makes none where one is named', async () => {
  const { db, env, partnerId, workshopId } = await commandWorld();
  await json(['link', partnerId, workshopId], env, runHere);
  const link = (own: object) =>
    runHere(['workshop', 'booking-link', workshopId, '--partner', partnerId], {
      ...env,
      PITLANE_DATA_DIR: dataDir,
      ...own,
    });
  await admitServer(db, having(k1));
  assert.equal((await link({ PITLANE_SECRET_KEY: k1.toString('hex') })).code, 0);
  const other = await link({ PITLANE_SECRET_KEY: k2.toString('hex') });
  assert.equal(other.code, 1);
  assert.match(
    other.stderr,
    /^pitlane: PITLANE_SECRET_KEY .* is another secret key .* secret-key replace\n$/,
  );
  const absent = await link({});
  assert.match(absent.stderr, /secret-key is not there, and the database has a secret key/);
  assert.equal(existsSync(dataDir), false);
  const mail = await runHere(['inbox', 'receive-mail', '--to', 'x@y.example', '/dev/null'], {
    ...env,
    PITLANE_SECRET_KEY: k2.toString('hex'),
  });
  assert.equal(mail.code, 75, 'the mail server keeps it');
  // It does not take over by itself, and changes nothing.
  const changing = { PITLANE_SECRET_KEY: k2.toString('hex'), PITLANE_FORMER_SECRET_KEYS: k1.toString('hex') };
  assert.equal((await link(changing)).code, 0);
  await admittedSealing(db, having(k1));
});

test('status, doctor and config check name it; a lost key is replaced when nobody is connected', async () => {
  const { db, env } = await commandWorld();
  const own = { ...env, PITLANE_SECRET_KEY: k2.toString('hex'), PITLANE_DATA_DIR: dataDir };
  assert.deepEqual((await json(['status'], own, runHere)).secretKey, { state: 'unknown', fingerprint: null });
  await admitServer(db, having(k1));
  const { secretKey } = await json(['status'], own, runHere);
  assert.equal(secretKey.state, 'other');
  assert.match((await runHere(['status'], own)).stdout, /\nsecret key +fingerprint [0-9a-f]{8}: NOT that of/);
  const doctor = await runHere(['doctor'], own);
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /secretKey .*is another secret key than that of this database/);

  const checked = await json(
    ['config', 'check'],
    { ...own, PITLANE_FORMER_SECRET_KEYS: k1.toString('hex') },
    runHere,
  );
  assert.equal(checked.config.secretKey.from, 'PITLANE_SECRET_KEY');
  assert.deepEqual(checked.config.secretKey.former, [secretKey.fingerprint]);
  assert.notEqual(checked.config.secretKey.fingerprint, secretKey.fingerprint);

  assert.deepEqual(await json(['secret-key', 'replace'], own, runHere), {
    before: secretKey.fingerprint,
    now: checked.config.secretKey.fingerprint,
  });
  assert.equal((await json(['status'], own, runHere)).secretKey.state, 'current');
  assert.equal((await runHere(['doctor'], own)).code, 0);
  await starts(db, [
    [having(k1), 'refused'],
    [having(k2), 'current'],
  ]);
});
