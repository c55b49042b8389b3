/** Several gateways in one worker process: one that hangs or is dead delays neither the others nor bookings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitingMessages } from '#operation/status/store.ts';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { makeBacklog } from '../../../test/fixtures/backlog.ts';
import { workContext } from '../../../test/fixtures/booking-events.ts';
import { away, limitersWorld, work } from '../../../test/fixtures/limiters.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/wait.ts';
import { startSender } from './sender.ts';

test('a gateway that hangs: the other one and e-mail deliver hundreds of notices meanwhile, and its messages spend no attempt', async (t) => {
  const w = await limitersWorld();
  const [atSlow, atQuick] = [await w.workshop('kannel'), await w.workshop(null)];
  await w.book(atSlow, 30);
  await w.book(atQuick, 60);
  const ends = Promise.withResolvers<SmsOutcome>();
  let isOver = false;
  w.slow.send = async ({ reference }) => {
    await ends.promise;
    return { state: 'accepted', gatewayId: reference };
  };
  let mostAtSlow = 0;
  const { send } = w.quick;
  w.quick.send = (sms, signal) => {
    const { inFlight, waiting } = w.slowLimiter.state();
    if (!isOver) mostAtSlow = Math.max(mostAtSlow, inFlight + waiting);
    return send(sms, signal);
  };
  await work(t, w);
  await until('the quick one has delivered all', async () => (await w.accepted(atQuick, 'sms')) === 120);
  await until('and e-mail', async () => (await w.accepted(atQuick, 'email')) === 120);
  await until('also that of the other workshop', async () => (await w.accepted(atSlow, 'email')) === 60);
  // The quick ones may all have gone before the first of the others was claimed.
  await until('as many as it takes at once are on their way to the slow one', () => {
    const { inFlight, waiting } = w.slowLimiter.state();
    return inFlight + waiting === 10;
  });
  isOver = true;
  assert.ok(mostAtSlow <= 10, `${mostAtSlow} stood in line there`);
  const [waiting] = (await waitingMessages(w.app.context.db)).filter(({ route }) => route === 'sms:kannel');
  assert.equal(waiting?.count, 60);
  ends.resolve({ state: 'accepted', gatewayId: '' });
});

test('a dead gateway: its messages spend no attempt, bookings continue, and when it is back everything is delivered exactly once', async (t) => {
  const w = await limitersWorld('kannel');
  const { db } = w.app.context;
  const workshopId = await w.workshop(null);
  await w.book(workshopId, 25);
  let isDead = true;
  const taken: string[] = [];
  const asked: string[] = [];
  w.slow.send = async ({ reference, messageId }) => {
    asked.push(messageId);
    if (isDead) return away;
    taken.push(messageId);
    return { state: 'accepted', gatewayId: reference };
  };
  await work(t, w);
  await until('the breaker opens', () => w.slowLimiter.state().breaker === 'open');
  await until('e-mail is not held up', async () => (await w.accepted(workshopId, 'email')) === 50);
  await w.book(workshopId, 5);
  await until('nor that of later bookings', async () => (await w.accepted(workshopId, 'email')) === 60);
  const spent = async () =>
    (
      await db.query<{ attempts: number }>(
        `SELECT attempts FROM message WHERE workshop_id = $1 AND channel = 'sms' AND attempts > 0`,
        [workshopId],
      )
    ).length;
  // At most the four that failed, and those that were in flight when the fifth failed.
  assert.ok(asked.length <= 14, `${asked.length} hand-overs`);
  assert.ok((await spent()) <= asked.length);
  const [waiting] = await waitingMessages(db);
  assert.deepEqual([waiting?.route, waiting?.count], ['sms', 60]);

  // A failed probe spends an attempt of one message.
  const before = asked.length;
  await w.timers.pass(5_000);
  await until('a probe was sent', () => w.slowLimiter.state().breaker === 'open');
  assert.ok(asked.length <= before + 1);

  isDead = false;
  await w.timers.pass(10_000);
  await until('all is delivered', async () => (await w.accepted(workshopId, 'sms')) === 60);
  assert.equal(w.slowLimiter.state().breaker, 'closed');
  assert.deepEqual([taken.length, new Set(taken).size], [60, 60]);
  assert.deepEqual(await listDeadLetters(db), []);
  assert.deepEqual(await waitingMessages(db), []);
});

test('a quick gateway gets its next messages as soon as it has room, before the next periodic look', async (t) => {
  const { db } = await createTestDatabase();
  let looks = 0;
  const counted: typeof db = {
    ...db,
    query(text, values) {
      if (text.includes('DELETE FROM send_wake')) looks++;
      return db.query(text, values);
    },
  };
  const sms = throttled(
    {
      name: 'kannel',
      async send({ reference }) {
        await pause(10);
        return { state: 'accepted', gatewayId: reference };
      },
      lookUp: async () => ({ state: 'notFound' }),
    },
    createLimiter({ name: 'kannel', concurrency: 10 }),
  );
  await makeBacklog(db, { workshops: 20, messages: 15 });
  const sender = startSender({ ...workContext(counted), sms }, {});
  t.after(() => sender.stop());
  await until('all are sent', async () => (await db.query('SELECT FROM queued_message')).length === 0);
  assert.ok(looks < 20, `${looks} looks for 30 times ten messages`);
});
