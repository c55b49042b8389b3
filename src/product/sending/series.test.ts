/** Notices of one booking to one recipient go out in the order of its versions (specification: Notices 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { relayBatch } from '#platform/events/batch.ts';
import { startRelay } from '#platform/events/relay.ts';
import { reactions } from '#reactions.ts';
import { composers } from '#work.ts';
import { holdNext, messagingWorld, newPhone, refusedForNow } from '../../../test/fixtures/messaging.ts';
import { makeAllDue } from '../../../test/harness/sending.ts';
import { until } from '../../../test/harness/wait.ts';
import { enqueue, type NewMessage } from './enqueue.ts';
import type { Audience } from './kinds.ts';
import { sendDue, startSender } from './sender.ts';

const { app, workshopId, customer, book, partner } = await messagingWorld();
const { context, sms } = app;
const { db, clock } = context;

/** Queues notices of one booking to one recipient, in the given order. */
async function series() {
  const { id: customerId, phone: recipient } = await customer();
  const seriesId = newId();
  const ids = new Map<number, string>();
  const add = async (...numbers: readonly number[]) => addFor('customer', ...numbers);
  const addFor = async (audience: Audience, ...numbers: readonly number[]) => {
    const notices = numbers.map(
      (seriesNumber): NewMessage => ({
        ...{ kind: 'bookingNotice', workshopId, channel: 'sms', audience, customerId, recipient },
        ...{ body: `version ${seriesNumber}`, causeId: newId(), seriesId, seriesNumber },
      }),
    );
    const made = await enqueue(db, notices, {
      now: clock.now(),
      actor: actors.schedule,
      exemptCountries: [],
    });
    for (const [index, { messageId }] of made.entries()) ids.set(numbers[index] ?? 0, messageId);
  };
  return {
    add,
    addFor,
    recipient,
    sent: () => sms.to(recipient).map(({ body }) => Number(body.slice(8))),
    async state(number: number) {
      const [row] = await db.query<{ state: string }>('SELECT state FROM message WHERE id = $1', [
        ids.get(number),
      ]);
      return row?.state;
    },
    /** Moves the first attempt this many seconds into the past. */
    age: (number: number, seconds: number) =>
      db.query(
        'UPDATE queued_message SET first_tried_at = first_tried_at - make_interval(secs => $2) WHERE message_id = $1',
        [ids.get(number), seconds],
      ),
  };
}
const pass = () => sendDue(context, composers);
async function passAll(): Promise<void> {
  await makeAllDue(db);
  while ((await pass()) > 0);
}

test('a notice waits while the previous one is being handed over, and goes as soon as that is done', async (t) => {
  const { add, sent, recipient } = await series();
  const held = holdNext(app);
  await add(1, 2, 3);
  const sender = startSender(context, composers);
  t.after(() => sender.stop());
  await held.begun;
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.deepEqual(sent(), [1]);
  const answeredAt = performance.now();
  held.answer({ state: 'accepted', gatewayId: 'g' });
  await until('all parts are sent', async () => sms.to(recipient).length === 3);
  assert.ok(performance.now() - answeredAt < 1_500, 'they waited for the next periodic look');
  assert.deepEqual(sent(), [1, 2, 3]);
});

test('a notice that is retried blocks the next for a minute; then the next goes, and the older one ends superseded', async () => {
  const { add, sent, state, age, recipient } = await series();
  sms.always(recipient, ({ body }) =>
    body === 'version 1' ? refusedForNow : { state: 'accepted', gatewayId: 'g' },
  );
  await add(1, 2);
  await pass();
  await db.query(
    `UPDATE queued_message SET due_at = clock_timestamp() + interval '5 minutes' WHERE tries > 0`,
  );
  for (let i = 0; i < 3; i++) await pass();
  await age(1, 58);
  await db.query('UPDATE queued_message SET due_at = clock_timestamp() WHERE tries = 0');
  await db.query(
    `INSERT INTO send_wake SELECT workshop_id, channel, class, clock_timestamp() FROM send_queue`,
  );
  await pass();
  assert.deepEqual([sent(), await state(2)], [[1], 'sending']);
  await age(1, 3);
  await db.query('UPDATE queued_message SET due_at = clock_timestamp() WHERE tries = 0');
  await db.query(
    `INSERT INTO send_wake SELECT workshop_id, channel, class, clock_timestamp() FROM send_queue`,
  );
  await pass();
  assert.deepEqual([sent(), await state(2)], [[1, 2], 'accepted']);
  await passAll();
  assert.deepEqual([sent(), await state(1)], [[1, 2], 'superseded']);
  assert.equal((await db.query('SELECT FROM dead_letter')).length, 0);
});

test('a retry that succeeds in time goes before the next notice', async () => {
  const { add, sent, recipient } = await series();
  let refused = false;
  sms.always(recipient, () => {
    if (refused) return { state: 'accepted', gatewayId: 'g' };
    refused = true;
    return refusedForNow;
  });
  await add(1, 2, 3);
  await pass();
  await passAll();
  assert.deepEqual(sent(), [1, 1, 2, 3]);
});

test('a notice that is queued after a newer one was handed over is superseded, and not sent', async () => {
  const { add, sent, state } = await series();
  await add(2);
  await passAll();
  await add(1);
  await passAll();
  assert.deepEqual([sent(), await state(1), await state(2)], [[2], 'superseded', 'accepted']);
});

test('after a long gateway outage notices still go in order', async () => {
  const { add, sent, recipient } = await series();
  await add(1, 2, 3, 4);
  await db.query(
    `UPDATE queued_message SET created_at = created_at - interval '3 hours' WHERE recipient = $1`,
    [recipient],
  );
  await passAll();
  assert.deepEqual(sent(), [1, 2, 3, 4]);
});

test('two quick moves, two relays and two senders: no recipient gets the older date last', async (t) => {
  const bookings = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const phone = newPhone();
      return { phone, id: await book(phone, { skipNotification: true }) };
    }),
  );
  while ((await relayBatch(context, reactions)) > 0);
  const parts = [
    startRelay(context, reactions),
    startRelay(context, reactions),
    startSender(context, composers),
    startSender(context, composers),
  ];
  t.after(() => Promise.all(parts.map((part) => part.stop())));
  await Promise.all(
    bookings.map(async ({ id }) => {
      for (const date of ['2031-03-03T01:00:00Z', '2031-04-04T01:00:00Z']) {
        const { status } = await partner.call('PUT', `/bookings/${id}`, { date });
        assert.equal(status, 200);
      }
    }),
  );
  await until('each has the last notice', async () =>
    bookings.every(({ phone }) => (sms.to(phone).at(-1)?.body ?? '').includes('4 Apr')),
  );
  for (const { phone } of bookings) {
    const dates = sms.to(phone).map(({ body }) => /\d (?:Mar|Apr)/.exec(body)?.[0]);
    assert.deepEqual(dates, ['3 Mar', '4 Apr'], phone);
  }
});

test('customer and workshop with one phone: notices of one neither supersede nor block notices of the other', async () => {
  const { add, addFor, sent, state } = await series();
  await add(2);
  await passAll();
  await addFor('workshop', 1);
  await passAll();
  assert.deepEqual([sent(), await state(1)], [[2, 1], 'accepted']);
});
