/** Messages held by a pause or by quiet hours: no row is written while they wait, and they are sent when the hold ends. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { advanceBlasts } from '#product/campaigns/blasts/advance.ts';
import { changeBlast } from '#product/campaigns/blasts/change.ts';
import { judgeQuietAnew } from '#product/workshops/queues/store.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { campaignWorld } from '../../../../test/fixtures/campaigns.ts';
import { makeAllDue } from '../../../../test/harness/sending.ts';
import { enqueue } from '../enqueue.ts';
import { sweepSending } from '../sweep.ts';

const { app, db, clock, context, workshopId, until, blast, trigger, work, customers } = await campaignWorld();
const [firstCustomer = ''] = await customers(5);

/** Moves due times and leases into the past by this many seconds, as if that time had passed on the machine clock. */
async function pass(seconds: number): Promise<void> {
  for (const [table, column] of [
    ['queued_message', 'due_at'],
    ['send_queue', 'next_at'],
  ])
    await db.query(`UPDATE ${table} SET ${column} = ${column} - make_interval(secs => $1)`, [seconds]);
}

/** The version of each row; a lock changes it too. */
const versions = () =>
  db.query(
    `SELECT 'entry' AS what, ctid::text, xmin::text, xmax::text FROM queued_message
     UNION ALL SELECT 'queue', ctid::text, xmin::text, xmax::text FROM send_queue
     UNION ALL SELECT 'wake', ctid::text, xmin::text, xmax::text FROM send_wake
     UNION ALL SELECT 'blast', ctid::text, xmin::text, xmax::text FROM blast
     UNION ALL SELECT 'recipient', ctid::text, xmin::text, xmax::text FROM blast_recipient ORDER BY 1, 2`,
  );

/** Runs the schedule and the sender several times. */
async function rounds(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await work();
    await sweepSending(context);
  }
}

async function assertUntouched(seconds: number): Promise<void> {
  await rounds();
  // Ends earlier leases; a claim finds their entries settled.
  await pass(60);
  await rounds();
  await pass(seconds);
  const before = await versions();
  await rounds();
  assert.deepEqual(await versions(), before);
}

/** A blast with five queued texts. */
async function queued(): Promise<string> {
  app.sms.clear();
  const id = await blast();
  await trigger(id);
  await advanceBlasts(context);
  assert.equal((await db.query('SELECT FROM queued_message')).length, 5);
  return id;
}

test('always: a paused blast: no row is written however much time passes, and a resume sends it at once', async () => {
  const id = await queued();
  await changeBlast(context, id, 'pause', actors.operator);
  await assertUntouched(3_600);
  await changeBlast(context, id, 'resume', actors.operator);
  await app.drain();
  assert.equal(app.sms.sent.length, 5);
});

test('a message that was claimed before the pause and failed after it waits too; a cancellation ends it at once', async () => {
  const id = await queued();
  const down = { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'x' } as const;
  app.sms.next(down, down, down, down, down);
  await app.drain();
  await changeBlast(context, id, 'pause', actors.operator);
  await makeAllDue(db);
  await assertUntouched(60);
  await changeBlast(context, id, 'cancel', actors.operator);
  await work();
  assert.deepEqual([app.sms.sent.length, await db.query('SELECT FROM queued_message')], [5, []]);
});

test('always: quiet hours: one write when they begin to hold the message, none until they end, and then everything is sent', async () => {
  until(19, 59);
  await queued();
  app.advance(60);
  await assertUntouched(3_600);
  const [{ seconds = 0 } = {}] = await db.query<{ seconds: number }>(
    'SELECT extract(epoch FROM max(due_at) - clock_timestamp())::float8 AS seconds FROM queued_message',
  );
  // The machine clock moved by an hour, the business clock did not.
  assert.ok(Math.abs(seconds - 11 * 3_600) < 120, `${seconds} s`);
  app.advance(11 * 3_600);
  await pass(11 * 3_600 - 60);
  await work();
  assert.equal(app.sms.sent.length, 0, 'it is seven');
  app.advance(3_600);
  await pass(3_662);
  await work();
  assert.equal(app.sms.sent.length, 5);
});

test('always: a blast that begins in quiet hours: its row is not even locked until the morning', async () => {
  until(23);
  app.sms.clear();
  await trigger(await blast());
  await advanceBlasts(context);
  await assertUntouched(60);
  until(8);
  await work();
  assert.equal(app.sms.sent.length, 5);
});

test('always: a message without quiet hours does not use the time zone: a zone that PostgreSQL does not know stops no claim', async () => {
  app.sms.clear();

  await db.query(`UPDATE workshop SET timezone = 'AET' WHERE id = $1`, [workshopId]);
  try {
    await enqueue(
      db,
      [
        {
          ...{ kind: 'reply', workshopId, channel: 'sms', audience: 'customer', customerId: firstCustomer },
          ...{ recipient: '+61491570006', body: 'Hi' },
        },
      ],
      { now: clock.now(), actor: actors.schedule, exemptCountries: [] },
    );
    await app.drain();
    assert.equal(app.sms.sent.length, 1);
  } finally {
    await db.query(`UPDATE workshop SET timezone = 'Australia/Melbourne' WHERE id = $1`, [workshopId]);
  }
});

test('always: a changed time zone or business clock ends the wait as soon as the quiet hours are over by it', async () => {
  for (const end of [
    () => setWorkshop({ db, clock }, workshopId, { timezone: 'Europe/London' }, actors.operator),
    async () => {
      until(12);
      await judgeQuietAnew(db, null);
    },
  ]) {
    await setWorkshop({ db, clock }, workshopId, { timezone: 'Australia/Melbourne' }, actors.operator);
    until(19, 59);
    await queued();
    app.advance(61);
    await work();
    assert.equal(app.sms.sent.length, 0);
    await end();
    await work();
    assert.equal(app.sms.sent.length, 5);
  }
});
