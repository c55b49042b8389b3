/** What is left of a queue that was replaced stops the migration that drops it, which names the way out and changes nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { migrate } from './migrate.ts';
import { MigrationError } from './migration-error.ts';

const { db } = await createTestDatabase();
await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
await migrate(db, undefined, '0041_plain_page.sql');
await db.pool.query(`CREATE SCHEMA graphile_worker; CREATE TABLE graphile_worker._private_jobs (id bigint)`);

const exists = async (table: string) =>
  (await db.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]))[0]?.found;

test('a job that waits refuses the migration, and nothing of it is dropped', async () => {
  await db.pool.query('INSERT INTO graphile_worker._private_jobs VALUES (1)');
  await assert.rejects(
    migrate(db),
    (error: unknown) =>
      error instanceof MigrationError &&
      /: 1 rows .* whose newest migration is 0041_plain_page/.test(error.message),
  );
  assert.ok(await exists('graphile_worker._private_jobs'));
  assert.ok(await exists('notification'));
});

test('a dead letter of one of its jobs does too', async () => {
  await db.pool.query(`DELETE FROM graphile_worker._private_jobs;
    INSERT INTO dead_letter (id, job, payload, reason, attempts, created_at) VALUES (gen_random_uuid(), 'sendQueued', '{}', 'refused', 8, clock_timestamp())`);
  await assert.rejects(migrate(db), MigrationError);
});

test('without any it is dropped', async () => {
  await db.pool.query('DELETE FROM dead_letter');
  await migrate(db);
  assert.ok(!(await exists('graphile_worker._private_jobs')));
  assert.ok(!(await exists('notification')));
});
