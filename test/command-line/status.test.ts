/** `pitlane status`: messages that wait for gateways, and the gateways' states as the workers see them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { beat } from '#platform/work/store.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { insertWorld } from '../fixtures/booking-events.ts';
import { createTestDatabase } from '../harness/database.ts';
import { fail, json, succeed } from './run.ts';

test('messages that wait, and the gateways as the workers see them', async () => {
  const { db, url } = await createTestDatabase();
  const env = { DATABASE_URL: url };
  const nothing = (await succeed(['status'], env)).stdout;
  assert.match(nothing, /messages waiting +none\n/);
  assert.doesNotMatch(nothing, /gateway /);

  const { booking, workshopId } = await insertWorld(db);
  const other = await insertWorld(db);
  await db.query(`UPDATE workshop SET sms_gateways = '{kannel}' WHERE id = $1`, [other.workshopId]);
  const reply = {
    kind: 'reply',
    channel: 'sms',
    audience: 'customer',
    recipient: '+61491570006',
    body: 'x',
  } as const;
  await enqueue(
    db,
    [
      { ...reply, workshopId, customerId: booking.customerId },
      { ...reply, workshopId: other.workshopId, customerId: other.booking.customerId },
    ],
    { now: new Date('2030-01-15T00:00:00Z'), actor: actors.schedule, exemptCountries: [] },
  );
  await beat(db, 'w1', [{ gateway: 'kannel', inFlight: 2, waiting: 1, breaker: 'open' }]);
  await beat(db, 'w2', [
    { gateway: 'kannel', inFlight: 3, waiting: 0, breaker: 'closed' },
    { gateway: 'smtp', inFlight: 0, waiting: 0, breaker: 'closed' },
  ]);
  const { stdout } = await succeed(['status'], env);
  assert.match(stdout, /messages waiting +sms 1 \(\d+ s\), sms:kannel 1 \(\d+ s\)\n/);
  assert.match(stdout, /gateway kannel +does not work at 1 of 2, works at 1 of 2 \(5 under way, 1 wait\)\n/);
  assert.match(stdout, /gateway smtp +works \(0 under way, 0 wait\)\n/);
});

test('of an empty database: on one screen, with what to do', async () => {
  const { db, url } = await createTestDatabase();
  await db.query('DROP SCHEMA public CASCADE');
  await db.query('CREATE SCHEMA public');
  const env = { DATABASE_URL: url };
  const { stdout } = await succeed(['status'], env);
  assert.ok(stdout.length < 1_000, stdout);
  assert.match(stdout, /newest migration +none\n/);
  assert.match(stdout, /pending migrations +\d+ migrations, 0001_core\.sql to .*\.sql: .*pitlane migrate/);
  assert.ok((await json(['status'], env)).database.pendingMigrations.length > 20);
  await fail(['partner', 'list'], env, 1, /lacks \d+ migrations, 0001.*: run pitlane migrate/);
});
