/** Claims of several processes at once: rows that another process locks, and rows that changed after the snapshot. */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { makeBacklog } from '../../../../test/fixtures/backlog.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { finishOf } from '../finish/outcome.ts';
import { recordFinish } from '../finish/store.ts';
import { takeWakes } from '../wake/store.ts';
import { type Claim, type ClaimedEntry, claimEntries, claimStatement } from './store.ts';

const { db } = await createTestDatabase();
const claim = (room: number): Claim => ({
  ...{ routes: ['sms'], room, smsGateway: 'g', emailGateway: 'e', exemptCountries: [], now: new Date() },
});

beforeEach(() => db.query('TRUNCATE queued_message, send_queue, send_wake, message CASCADE'));

test('always: a queue that another process is claiming from is reported as due, and the claim does not wait for it', async () => {
  await makeBacklog(db, { workshops: 1, messages: 3 });
  await takeWakes(db);
  await db.transaction(async (tx) => {
    assert.equal((await claimEntries(tx, claim(1))).entries.length, 1);
    assert.deepEqual(await claimEntries(db, claim(10)), { entries: [], moreDue: true });
  });
  const { entries, moreDue } = await claimEntries(db, claim(10));
  assert.deepEqual([entries.length, moreDue], [2, false]);
  assert.deepEqual(await claimEntries(db, claim(10)), { entries: [], moreDue: false });
});

test('always: a claim skips a queue that changed after its snapshot: otherwise an older notice would go out after a newer one', async () => {
  await makeBacklog(db, { workshops: 1, messages: 2 });
  await takeWakes(db);
  const [older, newer] = (
    await db.query<{ id: string }>('SELECT message_id AS id FROM queued_message ORDER BY message_id')
  ).map(({ id }) => id);
  const series = newId();
  for (const [id, number] of [
    [older, 1],
    [newer, 2],
  ]) {
    await db.query('UPDATE message SET series_id = $2, series_number = $3 WHERE id = $1', [
      id,
      series,
      number,
    ]);
    await db.query(`UPDATE queued_message SET series_id = $2, series_number = $3 WHERE message_id = $1`, [
      id,
      series,
      number,
    ]);
  }
  // The older notice was tried long ago, so it does not block the newer one; it is due again a little later.
  await db.query(
    `UPDATE queued_message SET tries = 1, first_tried_at = clock_timestamp() - interval '2 minutes', due_at = clock_timestamp() + interval '2 seconds'
      WHERE message_id = $1`,
    [older],
  );
  const { text, values } = claimStatement(claim(10));
  // The claim locks three seconds after it took its snapshot.
  const late = db.query<Pick<ClaimedEntry, 'id' | 'action'>>(
    text.replace('SELECT clock_timestamp() AS at', 'SELECT pg_sleep(3), clock_timestamp() AS at'),
    values,
  );
  await pause(50);
  const [first] = (await claimEntries(db, claim(10))).entries;
  assert.deepEqual([first?.id, first?.action], [newer, 'send']);
  await recordFinish(
    db,
    finishOf({
      actor: actors.schedule,
      messageId: newer ?? '',
      attemptId: first?.attemptId ?? '',
      state: 'accepted',
      now: new Date(),
    }),
  );
  assert.deepEqual(
    (await late).filter(({ id }) => id !== null),
    [],
  );
  const [next] = (await claimEntries(db, claim(10))).entries;
  assert.deepEqual([next?.id, next?.action], [older, 'superseded']);
});
