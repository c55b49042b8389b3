/** The operator's limits apply to every SMS: messages, replies, confirmations, notices. They never refuse a booking. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { enqueueInboxDigests } from '#product/notifications/inbox-digests/enqueue.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone, refusedForNow } from '../../../../test/fixtures/messaging.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { type LimitReason, limitTexts } from './rules.ts';

const premium = '+611900654321';
const abroad = '+6421123456';
const satellite = '+881612345678';

/** The result of sending to a number: state and reason. */
type Ended = readonly [state: string, reason: string | null];

async function worldWith(config: object) {
  const world = await messagingWorld({ config });
  const { app, partner } = world;
  const { db } = app.context;
  const { answer } = inboundWorld(app);
  const told = async (body: Readonly<Record<string, unknown>>): Promise<Ended> => {
    const result = await world.send(body);
    const { state, reason, detail, attempts } = await world.read(result.sms.messageId);
    assert.deepEqual(
      [result.success, result.sms.sent, result.sms.reason],
      [reason === null, reason === null, reason],
    );
    if (reason !== null) {
      const text = limitTexts[reason as LimitReason];
      assert.deepEqual([result.sms.message, detail, attempts.length], [text, text, 1]);
    }
    return [state, reason];
  };
  const rowOf = async (where: string, value: string): Promise<Ended[]> => {
    const rows = await db.query<{ state: string; reason: string | null }>(
      `SELECT state, reason FROM message WHERE ${where} = $1 ORDER BY id`,
      [value],
    );
    return rows.map(({ state, reason }) => [state, reason]);
  };
  return {
    ...world,
    told,
    letters: () => listDeadLetters(db),

    /** Makes a booking for that customer phone at a workshop with that phone, and returns the results of its SMS. */
    async booked(customerPhone: string, workshopPhone = newPhone(), by = partner) {
      const workshopId = await linkedWorkshop(app, [by], { phone: workshopPhone });
      const { status } = await by.call('POST', '/bookings', bookingBody(workshopId, { customerPhone }));
      assert.equal(status, 201);
      await app.drain();
      const rows = await db.query<{
        audience: string;
        channel: string;
        state: string;
        reason: string | null;
      }>(
        `SELECT audience, channel, state, reason FROM message WHERE workshop_id = $1 AND kind = 'bookingNotice' ORDER BY audience, channel`,
        [workshopId],
      );
      for (const { channel, state } of rows) if (channel === 'email') assert.equal(state, 'accepted');
      return rows.filter(({ channel }) => channel === 'sms').map(({ state, reason }) => [state, reason]);
    },

    /** A customer sends STOP after a reply of staff: returns the results of reply and confirmation. */
    async answered(phone: string): Promise<Ended[]> {
      const smsSender = `+6148800${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`;
      const workshopId = await linkedWorkshop(app, [partner], { smsSender });
      await answer(phone, 'Hello', { to: smsSender });
      const [conversation] = await db.query<{ id: string }>(
        'SELECT id FROM conversation WHERE workshop_id = $1',
        [workshopId],
      );
      const { messageId } = await reply(app.context, conversation?.id ?? '', 'Yes?', actors.operator);
      await app.drain();
      await answer(phone, 'STOP', { to: smsSender });
      await app.drain();
      const all = await rowOf("direction = 'outbound' AND workshop_id", workshopId);
      assert.ok((await rowOf('id', messageId)).length === 1);
      return all;
    },

    /** Sends a digest by SMS to a workshop with that phone, and returns the results. */
    async toldOfAnswer(phone: string): Promise<Ended[]> {
      const smsSender = `+6148900${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`;
      const workshopId = await linkedWorkshop(app, [partner], { smsSender, phone, inboxNotices: 'sms' });
      await answer(newPhone(), 'Hello', { to: smsSender });
      await enqueueInboxDigests(app.context);
      await app.drain();
      return rowOf("kind = 'inboxDigest' AND workshop_id", workshopId);
    },
  };
}

const accepted: Ended = ['accepted', null];

for (const [name, config, number, reason] of [
  ['a premium-rate number', {}, premium, 'premiumRate'],
  ['a number without a country', {}, satellite, 'countryNotAllowed'],
  ['a country that is not named', { smsCountries: ['AU'] }, abroad, 'countryNotAllowed'],
] as const) {
  test(`${name}: no kind of SMS is sent to it, and nothing else fails`, async () => {
    const { app, told, booked, answered, toldOfAnswer, letters } = await worldWith(config);
    const failed: Ended = ['failed', reason];
    assert.deepEqual(await told({ phone: number }), failed);
    assert.deepEqual(await booked(number), [failed, accepted]);
    assert.deepEqual(await booked(newPhone(), number), [accepted, failed]);
    assert.deepEqual(await answered(number), [failed, failed]);
    assert.deepEqual(await toldOfAnswer(number), [failed]);
    assert.deepEqual(app.sms.to(number), []);
    assert.deepEqual(await letters(), []);

    assert.deepEqual(await told({ phone: newPhone() }), accepted);
    assert.deepEqual(await answered(newPhone()), [accepted, accepted]);
    assert.deepEqual(await toldOfAnswer(newPhone()), [accepted]);
  });
}

test('without named countries every number gets SMS; a number that belongs to no country gets SMS only when its calling code is named', async () => {
  const { told } = await worldWith({ smsCountries: ['+881'] });
  for (const phone of [abroad, satellite]) assert.deepEqual(await told({ phone }), accepted);
});

const used: Ended = ['failed', 'dailyCeiling'];

test("a partner's daily ceiling counts its messages and the notices of its bookings, in all its workshops", async () => {
  const { app, told, booked, answered, letters, send } = await worldWith({ smsDailyPerPartner: 4 });
  assert.deepEqual(await told({ phone: newPhone() }), accepted);
  assert.deepEqual(await booked(newPhone()), [accepted, accepted]);
  // An SMS that the gateway certainly did not accept does not count.
  app.sms.next(refusedForNow);
  assert.equal((await send({ phone: newPhone() })).sms.reason, 'temporarilyRefused');
  const referenceId = newId();
  const last = newPhone();
  assert.deepEqual(await told({ phone: last }), accepted);
  assert.deepEqual(await told({ phone: newPhone(), referenceId }), used);
  assert.deepEqual(await booked(newPhone()), [used, used]);
  assert.deepEqual(await letters(), []);

  // Each partner has its own ceiling, and SMS without a partner count under none.
  const other = await signedInPartner(app, 'Another');
  assert.deepEqual(await booked(newPhone(), newPhone(), other), [accepted, accepted]);
  assert.deepEqual(await answered(newPhone()), [accepted, accepted]);
});

test('always: a workshop’s daily ceiling counts all its SMS; a refused message may be repeated the next day', async () => {
  const { app, told, booked, answered, send, letters } = await worldWith({ smsDailyPerWorkshop: 1 });
  const body = { phone: newPhone(), referenceId: newId() };
  assert.deepEqual(await told({ phone: newPhone() }), accepted);
  assert.deepEqual(await told(body), used);
  const notices = await booked(newPhone());
  assert.deepEqual(notices.map(String).sort(), [String(accepted), String(used)].sort());
  assert.deepEqual(await answered(newPhone()), [accepted, used]);
  assert.deepEqual(await letters(), []);

  await app.context.db.query('UPDATE sms_day SET day = day - 1');
  assert.equal((await send(body)).success, true);
  assert.equal(app.sms.to(body.phone).length, 1);
});

test('always: of fifty concurrent SMS exactly as many pass as the ceiling allows', async () => {
  const { app, post } = await worldWith({ smsDailyPerPartner: 20, smsDailyPerWorkshop: 1_000 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => post({ phone: newPhone() })));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(answers.filter(({ body }) => body.success).length, 20);
  assert.equal(app.sms.sent.length, 20);
});
