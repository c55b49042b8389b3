/** The upgrade to the index of parts, on a database that has customers in Find. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#platform/db/migrate.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';

const { db } = await createTestDatabase();

test('while the index is built Find and the relay read the terms', async () => {
  await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await migrate(db, undefined, '0071_places_together.sql');
  await db.pool.query(
    `INSERT INTO search_term SELECT gen_random_uuid(), 'name', md5(n::text), gen_random_uuid() FROM generate_series(1, 5000) AS n`,
  );
  const migrated = migrate(db).then(() => true);
  let looks = 0;
  while (!(await Promise.race([migrated, sleep(5, false)]))) {
    const [seen] = await db.query<{ building: boolean; barred: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE datname = current_database()) AS building,
              EXISTS (SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
                       WHERE l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                         AND c.relname = 'search_term' AND l.mode = 'AccessExclusiveLock' AND l.granted) AS barred`,
    );
    if (!seen?.building) continue;
    looks += 1;
    assert.equal(seen.barred, false);
  }
  assert.ok(looks > 0, 'the build was not seen');
});
