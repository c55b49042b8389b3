/** Concurrent creations share one statement: each call gets the same result as if it were alone. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { actorValues } from '#platform/events/record.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { forgetRates, messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { until } from '../../../test/harness/wait.ts';
import { type CreateMessage, createMessage } from './store.ts';

const { app, partner, workshopId, customer, book } = await messagingWorld();
const { db, clock } = app.context;
const { partnerId } = partner;

function call(more: Partial<CreateMessage>): CreateMessage {
  return {
    ...{ partnerId, workshopId, customerId: null, phone: null, bookingId: null },
    ...{ templateId: null, templateVersion: null },
    ...{ body: 'Ready.', encoding: 'gsm7', segments: 1, referenceId: null, gateway: 'recorded' },
    ...{ messageId: newId(), attemptId: newId(), newConversationId: newId(), newCustomerId: newId() },
    now: clock.now(),
    ...actorValues(actors.operator),
    ...more,
  };
}
/** Counts the statements that are sent to the database. */
function counting() {
  let statements = 0;
  const counted: typeof db = {
    ...db,
    query(text, values) {
      statements++;
      return db.query(text, values);
    },
  };
  return { counted, statements: () => statements };
}

test('thirty concurrent calls for different customers take at most three statements, and each creates its own message', async () => {
  const { counted, statements } = counting();
  const phones = Array.from({ length: 30 }, () => newPhone());
  const taken = await Promise.all(phones.map((phone) => createMessage(counted, call({ phone }))));
  assert.ok(statements() <= 3, `${statements()} statements`);
  for (const [index, row] of taken.entries()) {
    const [message] = await db.query(
      `SELECT m.recipient, m.state, m.attempts, a.number, q.class, q.in_flight, v.customer_id = m.customer_id AS own
         FROM message m JOIN message_attempt a ON a.id = m.attempt_id JOIN queued_message q ON q.message_id = m.id
         JOIN conversation v ON v.id = m.conversation_id WHERE m.id = $1`,
      [row?.messageId],
    );
    const recipient = phones[index];
    assert.deepEqual(message, {
      recipient,
      state: 'sending',
      attempts: 1,
      number: 1,
      class: null,
      inFlight: true,
      own: true,
    });
  }
});

test('ten concurrent calls for one customer, by id and by phone: five pass, in one conversation', async () => {
  for (const isKnown of [true, false]) {
    const phone = newPhone();
    const person = isKnown ? await customer({ phone }) : null;
    const names = person === null ? [{ phone }] : [{ phone }, { customerId: person.id }];
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, n) => createMessage(db, call({ ...names[n % names.length] }))),
    );
    const used = taken.map((row) => row?.rateUsed ?? null);
    assert.deepEqual(used.filter((each) => each !== null).sort(), [1, 2, 3, 4, 5]);
    const conversations = new Set(taken.flatMap((row) => row?.conversationId ?? []));
    assert.equal(conversations.size, 1);
    const people = await db.query('SELECT FROM customer WHERE workshop_id = $1 AND phone = $2', [
      workshopId,
      phone,
    ]);
    assert.equal(people.length, 1);
  }
});

test('twenty concurrent pairs, each of one call by id and one by phone: both pass, one after the other', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, () => customer()));
  const pairs = people.flatMap(({ id, phone }) => [{ customerId: id }, { phone }]);
  const rows = await Promise.all(pairs.map((named) => createMessage(db, call(named))));
  assert.deepEqual(
    rows.map((row) => [row?.state, row?.rateUsed]),
    people.flatMap(() => [
      ['sending', 1],
      ['sending', 2],
    ]),
  );
});

test('refusals beside successes: each call gets its own result, and a refused call writes nothing', async () => {
  await forgetRates(app);
  const { id, phone } = await customer();
  const stopped = await customer();
  await setOptedOut({ db, clock }, stopped.id, true, actors.operator);
  const theirs = await book(newPhone());
  const fresh = newPhone();
  const [fine, nowhere, nobody, noBooking, notTheirs, optedOut, newcomer] = await Promise.all(
    [
      { customerId: id },
      { phone: newPhone(), workshopId: newId() },
      { customerId: newId() },
      { phone: newPhone(), bookingId: newId() },
      { phone: fresh, bookingId: theirs },
      { customerId: stopped.id },
      { phone: newPhone() },
    ].map((more) => createMessage(db, call(more))),
  );
  assert.deepEqual([fine?.phone, fine?.state, fine?.rateUsed], [phone, 'sending', 1]);
  assert.equal(nowhere, null);
  assert.deepEqual([nobody?.customerFound, nobody?.rateUsed], [false, null]);
  assert.deepEqual([noBooking?.bookingFound, noBooking?.rateUsed], [false, null]);
  assert.deepEqual(
    [notTheirs?.bookingFound, notTheirs?.bookingIsTheirs, notTheirs?.messageId],
    [true, false, null],
  );
  assert.deepEqual([optedOut?.state, newcomer?.state], ['failed', 'sending']);
  assert.deepEqual(await db.query('SELECT FROM customer WHERE phone = $1', [fresh]), []);
  assert.deepEqual(await db.query('SELECT FROM message_rate WHERE person = $1', [fresh]), []);
});

test('concurrent calls with one referenceId: one message, and the other calls get it', async () => {
  const phone = newPhone();
  const taken = await Promise.all(
    Array.from({ length: 5 }, () => createMessage(db, call({ phone, referenceId: 'R' }))),
  );
  assert.equal(taken.filter((row) => row?.messageId !== null).length, 1);
  assert.equal(new Set(taken.map((row) => row?.customerId)).size, 1);
});

test('a customer whose row another transaction has locked delays no other call', async () => {
  const [heldPhone, ...others] = Array.from({ length: 12 }, () => newPhone());
  await createMessage(db, call({ phone: heldPhone ?? '' }));
  let isDone = false;
  let held: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM message_rate WHERE workshop_id = $1 AND person = $2 FOR UPDATE', [
      workshopId,
      heldPhone,
    ]);
    held = createMessage(db, call({ phone: heldPhone ?? '' })).then(() => {
      isDone = true;
    });
    const rows = await Promise.all(others.map((phone) => createMessage(db, call({ phone }))));
    assert.ok(rows.every((row) => row?.state === 'sending'));
    assert.equal(isDone, false);
  });
  await held;
  await until('it is done', async () => isDone);
});
