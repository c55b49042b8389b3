/** The whole loop through a real Kannel: a message out, its delivery report, a customer's answer, and a gateway that is killed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#clock.ts';
import { newPhone } from './fixtures/messaging.ts';
import { type Answer, send } from './harness/app.ts';
import { createTestDatabase } from './harness/database.ts';
import { freePorts, noKannel, startKannel, until } from './harness/kannel.ts';
import { startServer } from './harness/server.ts';
import { linkedWorkshop, signedInPartner } from './harness/world.ts';

test('Kannel', { skip: noKannel }, async (t) => {
  const { db, url: databaseUrl } = await createTestDatabase();
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const kannel = await startKannel(url);
  const server = await startServer(t, {
    ...kannel.settings,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    LOG_LEVEL: 'info',
  });
  const place = {
    context: { db, clock: systemClock() },
    request: (method: string, path: string, options = {}) => send(`${url}${path}`, method, options),
  };
  const partner = await signedInPartner(place);
  const workshopId = await linkedWorkshop(place, [partner], { smsSender: '+61400000000' });

  const post = async (phone: string, message: string): Promise<Answer['body']> => {
    const { status, body } = await partner.call('POST', `/workshops/${workshopId}/messages`, {
      phone,
      referenceId: phone,
      channels: { sms: { message } },
    });
    assert.equal(status, 200);
    return body;
  };
  const read = async (messageId: string): Promise<Answer['body']> =>
    (await partner.call('GET', `/workshops/${workshopId}/messages/${messageId}`)).body.message;
  const untilDelivered = (messageId: string) =>
    until('the report came', async () => (await read(messageId)).state === 'delivered');
  const carriedTo = (phone: string) => kannel.carried().filter((line) => line.includes(` ${phone} `));

  for (const [name, message, carried] of [
    [
      'GSM 7-bit',
      'Your car is ready: 20 € + [parts] & more',
      'text Your car is ready: 20 € + [parts] & more',
    ],
    ['UCS-2', 'Prêt ✓', "ucs-2 %00P%00r%00%EA%00t%00+'%13"],
  ] as const) {
    await t.test(
      `a text in ${name} arrives as it was written, and its report makes it delivered`,
      async () => {
        const phone = newPhone();
        const { success, sms } = await post(phone, message);
        assert.equal(success, true);
        await untilDelivered(sms.messageId);
        assert.deepEqual(carriedTo(phone), [`<+61400000000 ${phone} ${carried}>`]);
        const { attempts } = await read(sms.messageId);
        assert.deepEqual([attempts.length, attempts[0].state], [1, 'delivered']);
      },
    );
  }

  await t.test('a long text goes out in parts of one message, with one report', async () => {
    const phone = newPhone();
    const { sms } = await post(phone, 'abcdefghij'.repeat(35));
    await untilDelivered(sms.messageId);
    await until('all parts went out', () => carriedTo(phone).length === 3);
    assert.equal((await read(sms.messageId)).segments, 3);
  });

  await t.test('the notices of a booking go out, and their reports are recorded', async () => {
    const phone = newPhone();
    const { status } = await partner.call('POST', '/bookings', {
      workshopId,
      carRego: 'abc 123',
      bookingTime: '2030-03-02T22:30:00Z',
      customerName: 'Sam Taylor',
      customerPhone: phone,
      customerEmail: 'sam@customer.example',
    });
    assert.equal(status, 201);
    const states = async () =>
      (
        await db.query<{ line: string }>(
          `SELECT state || ' by ' || gateway AS line FROM notification WHERE channel = 'sms' AND recipient = $1`,
          [phone],
        )
      ).map(({ line }) => line);
    await until('the report came', async () => (await states()).includes('delivered by kannel'));
    assert.equal(carriedTo(phone).length, 1);
  });

  // Kannel's fake centre sends no UCS-2: kannel-callbacks.test.ts has that.
  await t.test("a customer's answer lands once in the conversation, and nothing is sent back", async () => {
    const phone = newPhone();
    const { sms } = await post(phone, 'Shall we?');
    await untilDelivered(sms.messageId);
    await kannel.answer(phone.slice(1), '61400000000', 'Yes, à 9 heures');
    const answers = () =>
      db.query<{ body: string; conversation: string }>(
        `SELECT body, conversation_id AS conversation FROM message WHERE direction = 'inbound' AND recipient = $1`,
        [phone],
      );
    await until('the answer came', async () => (await answers()).length > 0);
    assert.deepEqual(await answers(), [{ body: 'Yes, à 9 heures', conversation: sms.conversationId }]);
    assert.equal(carriedTo(phone).length, 1);
  });

  await t.test(
    'killed and restarted under load: one outcome for each message, and none that was acknowledged is sent twice',
    async () => {
      const load = Array.from({ length: 60 }, (_, index) => ({ phone: newPhone(), text: `load ${index}.` }));
      const restarted = Promise.withResolvers<void>();
      const first = new Map<string, Answer['body']>();
      const count = (matches: (sms: Answer['body']['sms']) => boolean) =>
        [...first.values()].filter(({ sms }) => matches(sms)).length;
      const waiting = load.values();
      const workers = Array.from({ length: 8 }, async () => {
        for (const { phone, text } of waiting) {
          const result = await post(phone, text);
          first.set(text, result);
          if (result.sms.reason === 'gatewayUnavailable') await restarted.promise;
        }
      });
      const killing = (async () => {
        await until('some were accepted', () => count(({ sent }) => sent) >= 15);
        kannel.freeze();
        const handedOver = kannel.requests();
        const settled = first.size;
        await until(
          'requests hang in the gateway',
          () => kannel.requests() > handedOver || first.size > settled,
        );
        await until('all of them hang', async () => {
          const [row] = await db.query<{ sending: number }>(
            "SELECT count(*)::int AS sending FROM message_attempt WHERE state = 'sending'",
          );
          return row?.sending === workers.length;
        });
        await until('they were handed over', () => kannel.requests() >= first.size + workers.length);
        await kannel.kill();
        await until(
          'the gateway is missed',
          () => count(({ reason }) => reason === 'gatewayUnavailable') >= 8,
        );
        await kannel.start();
        restarted.resolve();
      })();
      await Promise.all([...workers, killing]);

      const outcomeOf = ({ sms }: Answer['body']) => (sms.sent ? 'accepted' : sms.reason);
      const outcomes = Map.groupBy(load, ({ text }) => outcomeOf(first.get(text)));
      assert.deepEqual([...outcomes.keys()].sort(), ['accepted', 'gatewayUnavailable', 'unknownOutcome']);
      const recorded: Readonly<Record<string, readonly string[]>> = {
        // Reports come meanwhile: also about what the gateway had taken over without saying so.
        accepted: ['accepted', 'delivered'],
        unknownOutcome: ['unknown', 'delivered'],
        gatewayUnavailable: ['failed'],
      };
      for (const [outcome, messages] of outcomes) {
        for (const { text } of messages) {
          const { state, attempts } = await read(first.get(text).sms.messageId);
          assert.ok(recorded[outcome]?.includes(state), `${text} ${outcome}: ${state}`);
          assert.deepEqual([attempts.length, attempts[0].state], [1, state]);
        }
      }

      for (const { phone, text } of load) {
        const { sms } = await post(phone, text);
        assert.deepEqual([sms.sent, sms.messageId], [true, first.get(text).sms.messageId]);
      }
      for (const { phone, text } of outcomes.get('accepted') ?? []) {
        assert.equal((await read(first.get(text).sms.messageId)).attempts.length, 1);
        assert.equal(kannel.taken(text), 1);
        await until('what was acknowledged goes out', () => carriedTo(phone).length > 0);
      }
    },
  );

  await t.test('neither password nor token is in the log', () => {
    const { KANNEL_PASSWORD = '?', KANNEL_CALLBACK_TOKEN = '?' } = kannel.settings;
    assert.match(server.log(), /gateways\/:name\/reports/);
    for (const secret of [KANNEL_PASSWORD, KANNEL_CALLBACK_TOKEN]) assert.ok(!server.log().includes(secret));
  });
});
