/** When a process dies or stalls, its leases end, and other processes settle its entries. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { composers } from '#work.ts';
import {
  accepted,
  holdNext,
  messagingWorld,
  newPhone,
  refusedForNow,
  text,
} from '../../../../test/fixtures/messaging.ts';
import { makeAllDue } from '../../../../test/harness/sending.ts';
import { type ClaimedEntry, claimEntries } from '../claim/store.ts';
import { enqueue } from '../enqueue.ts';
import { finishOf } from '../finish/outcome.ts';
import { recordFinish } from '../finish/store.ts';
import { sendDue } from '../sender.ts';
import { sweepSending } from '../sweep.ts';
import { takeWakes } from '../wake/store.ts';
import { turns } from './store.ts';

const { app, workshopId, customer, send } = await messagingWorld();
const { context, sms } = app;
const { db, clock } = context;

async function queueNotice(): Promise<{ id: string; phone: string }> {
  const { id: customerId, phone } = await customer();
  const notice = { kind: 'bookingNotice', channel: 'sms', audience: 'customer', body: 'Moved.' } as const;
  const made = await enqueue(db, [{ ...notice, workshopId, customerId, recipient: phone }], {
    now: clock.now(),
    actor: actors.schedule,
    exemptCountries: [],
  });
  return { id: made[0]?.messageId ?? '', phone };
}
/** Claims and sends nothing, like a process that dies right after the claim. */
async function claimOnly(room = 10): Promise<readonly ClaimedEntry[]> {
  await takeWakes(db);
  const gateways = { smsGateway: 'recorded', emailGateway: 'recorded', exemptCountries: [] };
  const claim = { routes: ['sms', 'email'], room, ...gateways, now: clock.now() };
  return (await claimEntries(db, claim)).entries;
}
/** Moves the times of a message into the past. */
const age = (id: string, seconds: number) =>
  db.query(
    `WITH attempt AS (UPDATE message_attempt SET started_at = started_at - make_interval(secs => $2) WHERE message_id = $1),
     entry AS (UPDATE queued_message SET due_at = due_at - make_interval(secs => $2) WHERE message_id = $1
               RETURNING workshop_id, channel, class, due_at),
     queue AS (UPDATE send_queue SET next_at = next_at - make_interval(secs => $2))
     INSERT INTO send_wake SELECT * FROM entry WHERE class IS NOT NULL`,
    [id, seconds],
  );
const pass = () => sendDue(context, composers);
const stateOf = async (id: string) => {
  const [row] = await db.query<{ state: string; attempts: number }>(
    'SELECT state, attempts FROM message WHERE id = $1',
    [id],
  );
  return [row?.state, row?.attempts];
};
const attemptsOf = (id: string) =>
  db.query<{ state: string; repeats: boolean }>(
    'SELECT state, repeats_unknown AS repeats FROM message_attempt WHERE message_id = $1 ORDER BY number',
    [id],
  );

for (const [what, lookUp, sentAgain, state] of [
  ['the gateway has it', { state: 'accepted', gatewayId: 'g' }, 0, ['accepted', 1]],
  ['the gateway does not have it', { state: 'notFound' }, 1, ['accepted', 2]],
  ['the gateway does not say for now', { state: 'unknown' }, 0, ['unknown', 1]],
  ['the gateway can not be asked', { state: 'unknown', permanent: true }, 0, ['unknown', 1]],
] as const) {
  test(`the sender died: no process claims its entry for 20 seconds, then it is reconciled: ${what}`, async () => {
    const { id, phone } = await queueNotice();
    const [entry] = await claimOnly();
    assert.equal(entry?.id, id);
    sms.setLookUp(entry.attemptId ?? '', lookUp);
    await age(id, 19);
    assert.equal(await pass(), 0);
    await age(id, 1);
    // A look-up and, if the gateway does not have the message, another attempt.
    await pass();
    await pass();
    assert.deepEqual([await stateOf(id), sms.to(phone).length], [state, sentAgain]);
    await db.query('DELETE FROM queued_message');
  });
}

test('a long hand-over keeps its lease as long as its process lives', async () => {
  const { id } = await queueNotice();
  const entries = await claimOnly();
  await age(id, 15);
  await turns.renew(db, entries);
  await age(id, 15);
  assert.equal(await pass(), 0);
  await age(id, 6);
  assert.equal(await pass(), 1);
  await db.query('DELETE FROM queued_message');
});

test('an entry that another attempt has taken over is not renewed by the earlier holder', async () => {
  const { id } = await queueNotice();
  const entries = await claimOnly();
  const dueAt = async () =>
    (
      await db.query<{ at: string }>('SELECT due_at::text AS at FROM queued_message WHERE message_id = $1', [
        id,
      ])
    )[0]?.at;
  await db.query('UPDATE queued_message SET attempt_id = $2 WHERE message_id = $1', [id, newId()]);
  const before = await dueAt();
  await turns.renew(db, entries);
  assert.equal(await dueAt(), before);
  await db.query('DELETE FROM queued_message');
});

test('an attempt whose entry another has taken over leaves it to that one, whatever it records', async () => {
  const { id } = await queueNotice();
  const [lost] = await claimOnly();
  const other = newId();
  await db.query('UPDATE queued_message SET attempt_id = $2 WHERE message_id = $1', [id, other]);
  const { attemptId = null } = lost ?? {};
  const failed = { messageId: id, attemptId, state: 'failed', reason: 'refused', next: 'done' } as const;
  await recordFinish(db, finishOf({ ...failed, now: clock.now(), actor: actors.schedule }));
  assert.deepEqual(await db.query('SELECT attempt_id, in_flight FROM queued_message'), [
    { attemptId: other, inFlight: true },
  ]);
  await db.query('DELETE FROM queued_message');
});

test('a process that was presumed dead records its acceptance late: it counts, and nothing is sent again', async () => {
  const { id, phone } = await queueNotice();
  const held = holdNext(app);
  const first = pass();
  await held.begun;
  const reference = sms.to(phone)[0]?.reference ?? '';
  sms.setLookUp(reference, { state: 'unknown' });
  await age(id, 21);
  await pass();
  assert.deepEqual(await stateOf(id), ['unknown', 1]);
  held.answer(accepted);
  await first;
  assert.deepEqual(await stateOf(id), ['accepted', 1]);
  await makeAllDue(db);
  assert.deepEqual([await pass(), sms.to(phone).length], [0, 1]);
});

test('the refusal that a late process records ends no other attempt, in flight or finished', async () => {
  const { id, phone } = await queueNotice();
  const [first, second] = [holdNext(app), holdNext(app)];
  const slow = pass();
  await first.begun;
  sms.setLookUp(sms.to(phone)[0]?.reference ?? '', { state: 'notFound' });
  await age(id, 21);
  await pass();
  const other = pass();
  await second.begun;
  first.answer(refusedForNow);
  await slow;
  const [entry] = await db.query<{ flies: boolean }>(
    'SELECT in_flight AS flies FROM queued_message WHERE message_id = $1',
    [id],
  );
  assert.equal(entry?.flies, true);
  second.answer(accepted);
  await other;
  assert.deepEqual(await stateOf(id), ['accepted', 2]);
  assert.equal((await db.query('SELECT FROM queued_message WHERE message_id = $1', [id])).length, 0);
});

test('always: a late report about a superseded attempt of a notice counts, and stops a further attempt', async () => {
  const { id, phone } = await queueNotice();
  sms.next({ state: 'unknown', detail: 'No answer.' }, refusedForNow);
  await pass();
  sms.setLookUp(sms.to(phone)[0]?.reference ?? '', { state: 'notFound' });
  await makeAllDue(db);
  await pass();
  await pass();
  assert.deepEqual(await stateOf(id), ['failed', 2]);
  const reference = sms.to(phone)[0]?.reference ?? '';
  await recordReport({ db, clock }, 'recorded', { reference, state: 'delivered', detail: null });
  assert.deepEqual(await stateOf(id), ['delivered', 2]);
  await makeAllDue(db);
  await pass();
  assert.equal(sms.to(phone).length, 2);
  assert.deepEqual(
    (await attemptsOf(id)).map(({ state }) => state),
    ['delivered', 'failed'],
  );
  assert.equal((await db.query('SELECT FROM queued_message WHERE message_id = $1', [id])).length, 0);
});

test('always: a report about an attempt whose successor is in flight counts when the successor fails', async () => {
  const { id, phone } = await queueNotice();
  sms.next({ state: 'unknown', detail: 'No answer.' });
  await pass();
  const reference = sms.to(phone)[0]?.reference ?? '';
  sms.setLookUp(reference, { state: 'notFound' });
  const held = holdNext(app);
  await makeAllDue(db);
  await pass();
  const second = pass();
  await held.begun;
  await recordReport({ db, clock }, 'recorded', { reference, state: 'delivered', detail: null });
  held.answer(refusedForNow);
  await second;
  assert.equal((await stateOf(id))[0], 'delivered');
  await makeAllDue(db);
  await pass();
  assert.equal(sms.to(phone).length, 2);
});

test('always: an abandoned request leaves an unknown outcome when its lease ends; no other process sends the message', async () => {
  const phone = newPhone();
  const held = holdNext(app);
  const first = send({ phone, referenceId: 'R', ...text('Ready.') });
  await held.begun;
  const id = sms.to(phone)[0]?.messageId ?? '';
  await age(id, 19);
  await sweepSending(context);
  assert.deepEqual(await stateOf(id), ['sending', 1]);
  await age(id, 1);
  await sweepSending(context);
  assert.deepEqual(await stateOf(id), ['unknown', 1]);
  await app.drain({ retries: true });
  assert.equal(sms.to(phone).length, 1);
  held.answer(accepted);
  await first;
  assert.deepEqual(await stateOf(id), ['accepted', 1]);
});

test('the sender died and its gateway takes nothing: the outcome is unknown when the lease ends, and is reconciled later', async () => {
  const { id, phone } = await queueNotice();
  const [entry] = await claimOnly();
  assert.equal(entry?.id, id);
  await age(id, 21);
  await sweepSending(context);
  assert.equal((await stateOf(id))[0], 'sending', 'a claim has two seconds to take it');
  await age(id, 2);
  await sweepSending(context);
  assert.deepEqual(await stateOf(id), ['unknown', 1]);
  sms.setLookUp(entry.attemptId ?? '', { state: 'accepted', gatewayId: 'g' });
  await pass();
  assert.deepEqual([await stateOf(id), sms.to(phone)], [['accepted', 1], []]);
});
