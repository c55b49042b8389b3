/** The whole loop through a real Kannel: a message out, its delivery report, a customer's answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone } from './fixtures/messaging.ts';
import { noKannel } from './harness/kannel.ts';
import { until } from './harness/wait.ts';
import { bookingBody } from './harness/world.ts';
import { startKannelWorld } from './kannel/world.ts';

test('Kannel', { skip: noKannel }, async (t) => {
  const world = await startKannelWorld(t);
  const { db, kannel, partner, workshopId, post, read, becomes, answersOf } = world;
  const carriedTo = (phone: string) => kannel.carried().filter((line) => line.includes(` ${phone} `));

  await t.test('a text arrives as it was written, and its report makes it delivered', async () => {
    const phone = newPhone();
    const { success, sms } = await post(phone, 'Your car is ready: 20 € + [parts] & 10% more');
    assert.equal(success, true);
    await becomes(sms.messageId, 'delivered');
    assert.deepEqual(carriedTo(phone), [
      `<+61400000000 ${phone} text Your car is ready: 20 € + [parts] & 10% more>`,
    ]);
    const { attempts } = await read(sms.messageId);
    assert.deepEqual([attempts.length, attempts[0].state], [1, 'delivered']);
  });

  await t.test('a long text goes out in parts of one message', async () => {
    const phone = newPhone();
    const { sms } = await post(phone, 'abcdefghij'.repeat(35));
    await becomes(sms.messageId, 'delivered');
    await until('all parts went out', () => carriedTo(phone).length === 3);
    assert.equal((await read(sms.messageId)).segments, 3);
  });

  await t.test('the notices of a booking go out, and their reports are recorded', async () => {
    const phone = newPhone();
    const { status } = await partner.call(
      'POST',
      '/bookings',
      bookingBody(workshopId, { customerPhone: phone }),
    );
    assert.equal(status, 201);
    const states = async () =>
      (
        await db.query<{ line: string }>(
          `SELECT m.state || ' by ' || a.gateway AS line FROM message m JOIN message_attempt a ON a.id = m.attempt_id
            WHERE m.channel = 'sms' AND m.recipient = $1`,
          [phone],
        )
      ).map(({ line }) => line);
    await until('the report came', async () => (await states()).includes('delivered by kannel'));
    // Text and link need two parts.
    await until('all parts went out', () => carriedTo(phone).length === 2);
    const stored = await db.query<{ segments: number }>('SELECT segments FROM message WHERE recipient = $1', [
      phone,
    ]);
    assert.deepEqual(stored, [{ segments: 2 }]);
  });

  await t.test("a customer's answer lands once in the conversation, and nothing is sent back", async () => {
    const phone = newPhone();
    const { sms } = await post(phone, 'Shall we?');
    await becomes(sms.messageId, 'delivered');
    await kannel.answer(phone.slice(1), '61400000000', 'text Yes, à 9 heures');
    await until('the answer came', async () => (await answersOf(phone)).length > 0);
    assert.deepEqual(await answersOf(phone), [{ body: 'Yes, à 9 heures', conversation: sms.conversationId }]);
    assert.equal(carriedTo(phone).length, 1);
  });

  await t.test(
    'a number that Kannel has no route to is refused, and its report of that changes nothing',
    async () => {
      const phone = '+61491570950';
      const reports = () => world.server.log().split('gateways/:name/reports').length;
      const before = reports();
      const { success, sms } = await post(phone, 'Hello?');
      assert.deepEqual([success, sms.reason], [false, 'refused']);
      await until('the report came', () => reports() > before);
      const { state, detail, attempts } = await read(sms.messageId);
      assert.deepEqual([state, detail, attempts.length], ['failed', 'Not routable. Do not try again.', 1]);
      assert.equal((await post(phone, 'Hello?')).success, false);
    },
  );

  await t.test('neither password nor token is in the log', () => {
    const { KANNEL_PASSWORD = '?', KANNEL_CALLBACK_TOKEN = '?' } = kannel.settings;
    const log = world.server.log();
    assert.match(log, /gateways\/:name\/reports/);
    for (const secret of [KANNEL_PASSWORD, KANNEL_CALLBACK_TOKEN]) assert.ok(!log.includes(secret));
  });
});
