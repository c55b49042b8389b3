/** `referenceId`: the idempotency of messages (specification: Messages 5 and 10). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { usualSizeOf } from '#platform/db/pool.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { setLink } from '#product/workshops/link.ts';
import {
  accepted,
  fromTemplate,
  holdNext,
  messagingWorld,
  newPhone,
  refusedForNow,
  takenIn,
  text,
} from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, send, customer, book, template, read } = await messagingWorld();
const { db, clock } = app.context;

test('always: with the same referenceId a success is returned again, and nothing new is sent (specification: Messages 5)', async () => {
  const { id, phone } = await customer();
  const first = await send({ customerId: id, referenceId: 'R' });
  assert.equal(first.success, true);
  assert.deepEqual(await send({ customerId: id, referenceId: 'R' }), first);
  assert.equal(app.sms.to(phone).length, 1);
});

test('a success is replayed whatever the body is', async () => {
  const { id, phone } = await customer();
  const first = await send({ customerId: id, referenceId: 'R' });
  const bodies = [
    { customerId: id, ...text('Another text') },
    { customerId: id, ...fromTemplate(await template('A template')) },
    { phone },
    { phone: `0${phone.slice(3)}`, bookingId: await book(phone) },
  ];
  for (const body of bodies) assert.deepEqual(await send({ ...body, referenceId: 'R' }), first);
  const toThem = app.sms.to(phone);
  assert.deepEqual(
    toThem.map(({ body }) => body),
    ['Your car is ready.'],
  );
});

test('a referenceId does not expire', async () => {
  const { phone } = await customer();
  const first = await send({ phone, referenceId: 'R' });
  await db.query(`UPDATE message SET created_at = created_at - interval '3 years' WHERE id = $1`, [
    first.sms.messageId,
  ]);
  assert.deepEqual(await send({ phone, referenceId: 'R' }), first);
});

test('a failure is attempted again, as the same message, and returns the new outcome (specification: Messages 5)', async () => {
  const { id, phone } = await customer();
  app.sms.next(refusedForNow, refusedForNow);
  const results = [];
  for (let i = 0; i < 4; i++)
    results.push(await send({ customerId: id, referenceId: 'R', ...text('As first sent') }));
  assert.deepEqual(
    results.map(({ success }) => success),
    [false, false, true, true],
  );
  assert.deepEqual(results[3], results[2]);
  assert.equal(new Set(results.map(({ sms }) => sms.messageId)).size, 1);
  assert.equal(new Set(results.map(({ sms }) => sms.conversationId)).size, 1);

  const handedOver = app.sms.to(phone);
  assert.equal(handedOver.length, 3);
  assert.equal(new Set(handedOver.map(({ messageId }) => messageId)).size, 1);
  assert.equal(new Set(handedOver.map(({ reference }) => reference)).size, 3);
  const stored = await read(results[0].sms.messageId);
  assert.deepEqual(
    stored.attempts.map((a: Record<string, unknown>) => [
      a['number'],
      a['state'],
      a['reason'],
      a['repeatsUnknown'],
    ]),
    [
      [1, 'failed', 'temporarilyRefused', false],
      [2, 'failed', 'temporarilyRefused', false],
      [3, 'accepted', null, false],
    ],
  );
  assert.deepEqual([stored.state, stored.reason, stored.detail], ['accepted', null, null]);
});

test('always: with referenceId omitted every call is a new send (specification: Messages 5)', async () => {
  const { id, phone } = await customer();
  const results = [await send({ customerId: id }), await send({ customerId: id })];
  assert.notEqual(results[0].sms.messageId, results[1].sms.messageId);
  assert.equal(app.sms.to(phone).length, 2);
});

test('a referenceId is unique per partner, workshop and customer', async () => {
  const { id, phone } = await customer();
  const someoneElse = await customer();
  const other = await signedInPartner(app, 'Another Partner');
  const elsewhere = await linkedWorkshop(app, [partner]);
  await setLink({ db, clock }, { partnerId: other.partnerId, workshopId, active: true }, actors.operator);
  const body = { phone, referenceId: 'R', ...text('Hi') };
  const results = [
    await send({ customerId: id, referenceId: 'R' }),
    await send({ customerId: someoneElse.id, referenceId: 'R' }),
    await send({ customerId: id, referenceId: 'R' }, other),
    (await partner.call('POST', `/workshops/${elsewhere}/messages`, body)).body,
    await send({ customerId: id, referenceId: 'r' }),
  ];
  assert.deepEqual(
    results.map(({ success }) => success),
    [true, true, true, true, true],
  );
  assert.equal(new Set(results.map(({ sms }) => sms.messageId)).size, 5);
});

test('always: a delivery report changes the state in the inbox, not the outcome that is replayed (specification: Messages 12)', async () => {
  const { id, phone } = await customer();
  const first = await send({ customerId: id, referenceId: 'R' });
  const reference = app.sms.to(phone)[0]?.reference ?? '';
  await recordReport({ db, clock }, 'recorded', { reference, state: 'undelivered', detail: null });
  assert.equal((await read(first.sms.messageId)).state, 'undelivered');
  assert.deepEqual(await send({ customerId: id, referenceId: 'R' }), first);
  assert.equal(app.sms.to(phone).length, 1);
});

for (const [what, outcome] of [
  ['sent', accepted],
  ['refused', refusedForNow],
  ['of unknown outcome', { state: 'unknown', detail: 'No answer.' }],
] as const) {
  test(`always: concurrent calls send once, and all get the outcome of the first: ${what}`, async () => {
    const phone = newPhone();
    const held = holdNext(app);
    const first = send({ phone, referenceId: 'R' });
    await held.begun;
    const others = Array.from({ length: 4 }, () => send({ phone, referenceId: 'R' }));
    await takenIn(app, phone, 5);
    held.answer(outcome);
    const result = await first;
    assert.equal(result.success, outcome.state === 'accepted');
    for (const other of await Promise.all(others)) assert.deepEqual(other, result);
    assert.equal(app.sms.to(phone).length, 1);
  });
}

test('always: concurrent retries of a failure make one further attempt', async () => {
  const phone = newPhone();
  app.sms.next(refusedForNow);
  const failed = await send({ phone, referenceId: 'R' });
  const held = holdNext(app);
  const retries = Array.from({ length: 4 }, () => send({ phone, referenceId: 'R' }));
  await held.begun;
  await takenIn(app, phone, 5);
  held.answer(accepted);
  for (const { success, sms } of await Promise.all(retries)) {
    assert.deepEqual([success, sms.messageId], [true, failed.sms.messageId]);
  }
  assert.equal(app.sms.to(phone).length, 2);
});

test('waiting requests hold no database connection', async () => {
  const held = Array.from({ length: 4 }, () => ({ phone: newPhone(), hold: holdNext(app) }));
  const calls: Promise<{ success: boolean }>[] = [];
  for (const { phone, hold } of held) {
    calls.push(send({ phone, referenceId: 'R' }));
    await hold.begun;
    for (let i = 0; i < 4; i++) calls.push(send({ phone, referenceId: 'R' }));
    await takenIn(app, phone, 5);
  }
  // 20 requests wait, and all connections of the pool are free.
  const { pool } = db;
  const clients = await Promise.all(Array.from({ length: usualSizeOf(pool) }, () => pool.connect()));
  const states = await clients[0]?.query(
    `SELECT count(*)::int AS busy FROM pg_stat_activity
     WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
  );
  for (const client of clients) client.release();
  assert.equal(states?.rows[0].busy, 0);
  for (const { hold } of held) hold.answer(accepted);
  for (const { success } of await Promise.all(calls)) assert.equal(success, true);
});

test('always: 409 000009 when the first call is still running after 30 seconds', async () => {
  const phone = newPhone();
  const held = holdNext(app);
  const first = send({ phone, referenceId: 'R' });
  await held.begun;
  // The lease of the attempt has not ended.
  await db.query(
    `UPDATE message_attempt SET started_at = clock_timestamp() + interval '1 hour' WHERE state = 'sending'`,
  );
  const { machineNow } = clock;
  const second = partner.call('POST', `/workshops/${workshopId}/messages`, {
    phone,
    referenceId: 'R',
    ...text('Hi'),
  });
  await takenIn(app, phone, 2);
  // From now on each reading of the clock is 30 seconds later.
  let looks = 0;
  clock.machineNow = () => new Date(machineNow().getTime() + 30_001 * ++looks);
  const { status, body } = await second;
  clock.machineNow = machineNow;
  assert.deepEqual([status, body.errorCode], [409, '000009']);
  held.answer(accepted);
  assert.equal((await first).success, true);
  assert.equal(app.sms.to(phone).length, 1);
});
