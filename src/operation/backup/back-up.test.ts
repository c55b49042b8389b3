/** A backup is one moment of the whole database, taken while others write; restored, it is that database again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '#base/operator-error.ts';
import { examine } from '#operation/doctor/examine.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, readMigrations } from '#platform/db/migrate.ts';
import { dumpSchema } from '../../../scripts/dump-schema.ts';
import { backUpToMemory, contentsOf, restoreFromMemory } from '../../../test/fixtures/backup.ts';
import { automationWorld } from '../../../test/fixtures/campaigns.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { bookingBody } from '../../../test/harness/world.ts';
import { MigrationsPending } from './restore.ts';
import { readTables } from './store.ts';

const world = await automationWorld();
const { app, db, partner, workshopId } = world;
const book = async (changes: object = {}) => {
  const { status, body } = await partner.call('POST', '/bookings', bookingBody(workshopId, { ...changes }));
  assert.equal(status, 201, JSON.stringify(body));
  return body.booking;
};
/** Everything that the product's own rules say of rows that belong together. */
const faults = `SELECT 'no event of ' || b.id AS fault FROM booking b WHERE NOT EXISTS (SELECT FROM event e WHERE e.subject_id = b.id)
  UNION ALL SELECT 'no booking of ' || e.id FROM event e WHERE e.kind LIKE 'booking.%' AND NOT EXISTS (SELECT FROM booking b WHERE b.id = e.subject_id)
  UNION ALL SELECT 'no car of ' || c.id FROM customer c WHERE EXISTS (SELECT FROM booking b WHERE b.customer_id = c.id)
    AND NOT EXISTS (SELECT FROM car WHERE car.customer_id = c.id)`;

test('every row comes back, with its keys, triggers and the same schema', async () => {
  for (let n = 0; n < 5; n++)
    await book({ customerPhone: `0491 570 1${10 + n}`, notes: `tab\there, line\nbreak, \\N and é ${n}` });
  await app.drain();
  await partner.call('POST', `/workshops/${workshopId}/messages`, {
    phone: '0491570110',
    channels: { sms: { message: 'Ready' } },
  });
  await world.blast();
  await world.automation();
  // A picture of the most that is kept: longer than a part of the archive.
  await db.query(
    `INSERT INTO message_attachment (id, message_id, workshop_id, ordinal, gateway, content_type, size_bytes, content, state, created_at)
     SELECT gen_random_uuid(), id, workshop_id, 1, 'twilio', 'image/png', 5242880, decode(repeat('00ff0a5c', 1310720), 'hex'), 'stored', created_at
       FROM message LIMIT 1`,
  );
  // More in a slot than there are bays: the trigger refuses such rows.
  await db.pool.query(
    `ALTER TABLE booking DISABLE TRIGGER USER;
     UPDATE booking SET held_to = 'slots', place_version = 0, occupied_from = date, occupied_until = date + interval '30 minutes',
       counted_services = '{}', counted_categories = '{}';
     ALTER TABLE booking ENABLE TRIGGER USER`,
  );

  const { file, summary } = await backUpToMemory(db);
  assert.ok(summary.rows > 50, JSON.stringify(summary));
  const target = await createTestDatabase();
  const restored = await restoreFromMemory(target.db, file, { sendWaiting: true });
  assert.deepEqual([restored.rows, restored.tables, restored.heldBack], [summary.rows, summary.tables, null]);
  const [theirs, mine] = [await contentsOf(db), await contentsOf(target.db)];
  assert.notEqual(mine['feed_epoch'], theirs['feed_epoch']);
  assert.deepEqual({ ...mine, feed_epoch: '' }, { ...theirs, feed_epoch: '' });
  assert.equal(await dumpSchema(target.db), await dumpSchema(db));
  const { found } = await examine({ db: target.db, clock: app.clock }, { repair: false });
  assert.equal(found, (await examine(app.context, { repair: false })).found);
  await assert.rejects(
    target.db.query(`UPDATE booking SET car_id = gen_random_uuid()`),
    /booking_workshop_id_customer_id_car_id_fkey/,
  );
  const [triggers] = await target.db.query(
    `SELECT count(*)::int AS off FROM pg_trigger WHERE tgenabled <> 'O'`,
  );
  assert.deepEqual(triggers, { off: 0 });
  // The next backups are of the rest.
  await db.query('DELETE FROM message_attachment');
});

test('the planner knows the tables afterwards, and no time-out of the pool cuts that off', async () => {
  const { file } = await backUpToMemory(db);
  const { db: made } = await createTestDatabase();
  const analysed = `SELECT count(*)::int AS count FROM pg_stats WHERE schemaname = 'public' AND tablename = 'booking'`;
  assert.deepEqual(await made.query(analysed), [{ count: 0 }]);
  const pooled: Database = {
    ...made,
    query: (text, values) => {
      assert.doesNotMatch(text, /ANALYZE/);
      return made.query(text, values);
    },
  };
  await restoreFromMemory(pooled, file);
  const [statistics] = await made.query<{ count: number }>(analysed);
  assert.ok((statistics?.count ?? 0) > 10, JSON.stringify(statistics));
});

test('bookings that are written meanwhile are in it whole or not at all', async () => {
  const before = (await db.query('SELECT FROM booking')).length;
  const writing = async () => {
    for (let n = 10; n < 22; n++) await book({ customerPhone: `0491 571 1${n}` });
  };
  let stop = false;
  const beside = (async () => {
    for (let n = 0; !stop; n++)
      await book({ customerPhone: `0491 572 ${100 + (n % 800)}`, carRego: `R${n}` });
  })();
  const { file } = await backUpToMemory(db, writing).finally(() => {
    stop = true;
  });
  await beside;
  const target = await createTestDatabase();
  await restoreFromMemory(target.db, file, { sendWaiting: true });
  const rows = (await target.db.query('SELECT FROM booking')).length;
  assert.ok(rows >= before, `${before} before, ${rows} in the backup`);
  const younger = `SELECT FROM booking WHERE contact_phone LIKE '+614915711%'`;
  assert.deepEqual([(await db.query(younger)).length, (await target.db.query(younger)).length], [12, 0]);
  assert.deepEqual(await target.db.query(faults), []);
});

test('feeds start over: no cursor of the old database passes over a booking of the restored one', async () => {
  const { file } = await backUpToMemory(db);
  const epochs = await Promise.all(
    [1, 2].map(async () => {
      const target = await createTestDatabase();
      await restoreFromMemory(target.db, file, { sendWaiting: true });
      const [row] = await target.db.query<{ number: number; own: boolean; marks: number; first: boolean }>(
        `SELECT e.number, e.system_identifier = s.system_identifier::text AS own, (SELECT count(*)::int FROM feed_mark) AS marks,
                (SELECT bool_and(changed_in < pg_snapshot_xmin(pg_current_snapshot())) FROM booking) AS first
           FROM feed_epoch e, pg_control_system() s`,
      );
      return row ?? assert.fail();
    }),
  );
  const [old] = await db.query<{ number: number }>('SELECT number FROM feed_epoch');
  for (const { number, own, marks } of epochs)
    assert.deepEqual([number > (old?.number ?? 0), own, marks], [true, true, 0]);
  assert.notEqual(
    epochs[0]?.number,
    epochs[1]?.number,
    'nor of another database that is restored from the same backup',
  );
});

test('there are no columns and sequences that the archive can not hold', async () => {
  const rows = await db.query<{ name: string }>(
    `SELECT c.relname || '.' || a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND (a.attgenerated <> '' OR a.attidentity <> '')
     UNION ALL SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'
     UNION ALL SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('p', 'm', 'f')`,
  );
  assert.deepEqual(rows, [], 'write and restore them in src/operation/backup/store.ts first');
  const kept = (await readTables(db)).map(({ name }) => name);
  const left = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1) ORDER BY 1`,
    [kept],
  );
  const here = `account_email attempt email_change feed_mark feed_start gateway_pace half_sign_in kept_form
    message_rate migration passkey_challenge session_found shown_customer sign_in_address sign_in_attempt sign_in_code worker write_probe`;
  assert.deepEqual(
    left.map(({ name }) => name),
    here.split(/\s+/),
  );
});

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function migrationsWith(more: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'pitlane-migrations-'));
  folders.push(folder);
  for (const { name, sql } of await readMigrations()) await writeFile(join(folder, name), sql);
  for (const [name, sql] of Object.entries(more)) await writeFile(join(folder, name), sql);
  return pathToFileURL(`${folder}/`);
}

test('a newer version restores it and migrates it; an older one refuses it, and says which version can', async () => {
  const { file, summary } = await backUpToMemory(db);
  const next = `${String(Number(summary.migration.slice(0, 4)) + 1).padStart(4, '0')}_more.sql`;
  const folder = await migrationsWith({
    [next]: 'ALTER TABLE partner ADD COLUMN more integer NOT NULL DEFAULT 7',
  });
  const { db: newer } = await createTestDatabase();
  const restored = await restoreFromMemory(newer, file, { folder });
  assert.deepEqual(restored.applied, [next]);
  assert.deepEqual(await newer.query('SELECT DISTINCT more FROM partner'), [{ more: 7 }]);

  const broken = await migrationsWith({ [next]: 'SELECT 1 / 0' });
  const { db: halfway } = await createTestDatabase();
  await assert.rejects(
    restoreFromMemory(halfway, file, { folder: broken }),
    (error) =>
      error instanceof MigrationsPending &&
      error.restored.rows === summary.rows &&
      /is restored, but .* run pitlane migrate \(.*division by zero\)$/.test(error.message),
  );
  assert.deepEqual(await migrate(halfway, folder), [next]);
  assert.deepEqual(await halfway.query('SELECT DISTINCT more FROM partner'), [{ more: 7 }]);

  const { file: newerFile } = await backUpToMemory(newer);
  const { db: older } = await createTestDatabase();
  await refused(
    restoreFromMemory(older, newerFile),
    new RegExp(`has migration ${next}.* Pitlane 9.9.9 or newer`),
  );
  await migrate(older, folder);
  await refused(
    restoreFromMemory(older, file, { folder }),
    new RegExp(`has migration ${next}, and the backup is of the state before`),
  );
});

test('only an empty database that nobody uses takes it, and a refusal changes nothing', async () => {
  const { file } = await backUpToMemory(db);
  const before = await contentsOf(db);
  await refused(
    restoreFromMemory(db, file),
    /not empty \(table \w+ has rows\): .*PITLANE_DATA_DIR.*DATABASE_URL/,
  );
  assert.deepEqual(await contentsOf(db), before);

  const { db: used, url } = await createTestDatabase();
  const server = openDatabase({ url, poolSize: 1, applicationName: 'pitlane worker' });
  await server.query('SELECT 1');
  await refused(restoreFromMemory(used, file), /"pitlane worker" is connected/);
  await server.close();

  const { db: foreign } = await createTestDatabase();
  await foreign.pool.query(
    'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE theirs (id integer)',
  );
  await refused(restoreFromMemory(foreign, file), /tables of something else/);
  assert.deepEqual(
    await foreign.query(
      `SELECT relname::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    ),
    [{ name: 'theirs' }],
  );
});

async function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error: Error) => error instanceof OperatorError && message.test(error.message));
}
