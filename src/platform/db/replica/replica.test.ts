import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#base/log.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { openPool } from '../pool.ts';
import { setUp } from '../session-settings.ts';
import { openReplica } from './replica.ts';
import { inSnapshotOf } from './snapshot.ts';

const { db, url } = await createTestDatabase();

test('a wrong password and a wrong name are told apart from a server that does not answer', async () => {
  const [wrongPassword, wrongName] = [new URL(url), new URL(url)];
  wrongPassword.password = 'wrong';
  wrongName.pathname = '/does_not_exist';
  for (const { href } of [wrongPassword, wrongName]) {
    const log = createLog('silent');
    const replica = openReplica({ url: href, primary: db, log, applicationName: 'test' });
    await replica.look();
    assert.equal(replica.seen().state, 'turnsAway');
    await replica.close();
  }
});

test('a server that says nothing when it is asked is found out, however long the read may take', async () => {
  const pool = openPool({ url, size: 1, applicationName: 'test', onConnect: setUp });
  const begunMs = performance.now();
  const read = inSnapshotOf(
    pool,
    {
      ...{ withinMs: 60_000, admitWithinMs: 0 },
      admit: async (server) => void (await server.query('SELECT pg_sleep(8)')),
    },
    () => assert.fail('it was not admitted'),
  );
  await assert.rejects(read, DatabaseUnavailable);
  assert.ok(performance.now() - begunMs < 5_000);
  // The connection that waits is not lent again.
  assert.equal(pool.totalCount, 0);
  await pool.end();
});
