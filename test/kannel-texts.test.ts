/** How a real Kannel handles texts, outbound and inbound, and what it reports about their parts; the carrier is the test's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone } from './fixtures/messaging.ts';
import { noKannel } from './harness/kannel.ts';
import { startCarrier, wantsReceipt } from './harness/kannel-carrier.ts';
import { until } from './harness/wait.ts';
import { linkedWorkshop } from './harness/world.ts';
import { startKannelWorld } from './kannel/world.ts';

const alphabet =
  'GSM: @£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./09:;<=>?¡AZÄÖÑÜ§¿azäöñüà ^{}\\[~]|€ 100% & %41 +';
const texts = [
  ['the alphabet of 7 bits with its extension', alphabet, 0],
  ['characters outside it', 'Prêt ✓ 準備 100% & %00', 8],
  ['emoji', 'Ready 🚗👍🏽', 8],
] as const;
const longTexts = [
  ['10 segments of 7 bits, with escapes at the seams', '€'.repeat(760), 0],
  ['10 segments of UCS-2, with emoji at the seams', `a${'🚗'.repeat(330)}`, 8],
] as const;

test('texts through Kannel', { skip: noKannel }, async (t) => {
  const carrier = await startCarrier();
  const world = await startKannelWorld(t, { smppPort: carrier.port });
  const { kannel, partner, post, read, becomes, answersOf } = world;
  const long = 'abcdefghij'.repeat(35);
  const untilReported = async (phone: string, messageId: string, state: string) => {
    await becomes(messageId, state);
    return carrier.carriedTo(phone);
  };

  for (const [what, message, coding] of texts) {
    await t.test(`${what} arrives as it was written`, async () => {
      const phone = newPhone();
      const { sms } = await post(phone, message);
      const carried = await untilReported(phone, sms.messageId, 'delivered');
      assert.deepEqual(
        carried.map(({ text, from, pdu }) => [text, from, pdu['data_coding']]),
        [[message, '61400000000', coding]],
      );
    });
  }

  for (const [what, message, coding] of longTexts) {
    await t.test(what, async () => {
      const phone = newPhone();
      const { sms } = await post(phone, message);
      const carried = await untilReported(phone, sms.messageId, 'delivered');
      assert.equal(carried.map(({ text }) => text).join(''), message);
      assert.equal(carried.length, (await read(sms.messageId)).segments);
      assert.deepEqual(
        carried.map((sms) => [...(sms.part ?? []).slice(1), sms.pdu['data_coding'], wantsReceipt(sms)]),
        carried.map((_, n) => [carried.length, n + 1, coding, n === 0]),
      );
    });
  }

  await t.test('an emoji at a seam is cut by Kannel, which sends a part less than is counted', async () => {
    const [phone, message] = [newPhone(), '🚗'.repeat(67)];
    const { sms } = await post(phone, message);
    const carried = await untilReported(phone, sms.messageId, 'delivered');
    assert.equal((await read(sms.messageId)).segments, 3);
    assert.deepEqual([carried.length, carried.map(({ text }) => text).join('')], [2, message]);
  });

  await t.test('a name as sender; none leaves it to Kannel', async () => {
    for (const [smsSender, ...expected] of [
      ['HARBOUR', 'HARBOUR', 5],
      ['', '61400000000', 2],
    ] as const) {
      const phone = newPhone();
      const named = await linkedWorkshop(world.place, [partner], { smsSender });
      assert.equal((await post(phone, 'Hello', named)).success, true);
      await until('it went out', () => carrier.carriedTo(phone).length > 0);
      const [sms] = carrier.carriedTo(phone);
      assert.deepEqual([sms?.from, sms?.pdu['source_addr_ton']], expected, smsSender);
    }
  });

  for (const [what, parts, coding] of [
    ['the alphabet of 7 bits', [alphabet], 0],
    ['characters outside it', ['Oui ✓ 準備 100% & +'], 8],
    ['emoji', ['🚗👍🏽'], 8],
    ['parts of one answer', ['a'.repeat(153), '€ and more'], 0],
    ['parts cut within a character', [`${'é'.repeat(66)}\ud83d`, '\ude97 done'], 8],
  ] as const) {
    await t.test(`an answer in ${what} lands as it was written, once`, async () => {
      const phone = newPhone();
      await post(phone, 'Shall we?');
      await carrier.bring(phone.slice(1), '61400000000', parts, coding);
      await until('the answer came', async () => (await answersOf(phone)).length > 0);
      assert.deepEqual(
        (await answersOf(phone)).map(({ body }) => body),
        [parts.join('')],
      );
    });
  }

  for (const [what, part, count, coding] of [
    ['10 parts of 7 bits', `${'a'.repeat(151)}€`, 10, 0],
    ['10 parts outside the alphabet', 'Ж'.repeat(67), 10, 8],
    ['255 parts, as many as an SMS can have', '✓'.repeat(67), 255, 8],
  ] as const) {
    await t.test(`an answer of ${what} lands whole, once`, async () => {
      const phone = newPhone();
      await post(phone, 'What is wrong with it?');
      await carrier.bring(phone.slice(1), '61400000000', Array(count).fill(part), coding);
      await until('the answer came', async () => (await answersOf(phone)).length > 0);
      assert.deepEqual(
        (await answersOf(phone)).map(({ body }) => body),
        [part.repeat(count)],
      );
    });
  }

  await t.test(
    'always: a part that the carrier refuses is not covered up by the report of the first one',
    async () => {
      const phone = newPhone();
      const firstReported = Promise.withResolvers<void>();
      carrier.next({ receipt: 'DELIVRD' }, { status: 11, after: firstReported.promise }, {});
      const reports = () => world.server.log().split('gateways/:name/reports').length;
      const before = reports();
      const { sms } = await post(phone, long);
      await until('the report of the first part came', () => reports() > before);
      assert.equal((await read(sms.messageId)).state, 'accepted');
      firstReported.resolve();
      await becomes(sms.messageId, 'undelivered');
      assert.equal(carrier.carriedTo(phone).length, 3);
    },
  );

  await t.test('a part that the carrier refuses before the first one is reported', async () => {
    const phone = newPhone();
    carrier.next({ receipt: 'DELIVRD' }, {}, { status: 11 });
    const { sms } = await post(phone, long);
    await becomes(sms.messageId, 'undelivered');
  });

  for (const [receipt, state] of [
    ['UNDELIV', 'undelivered'],
    ['EXPIRED', 'expired'],
  ] as const) {
    await t.test(`a first part that is ${state} makes the message so`, async () => {
      const phone = newPhone();
      carrier.next({ receipt });
      const { sms } = await post(phone, long);
      await becomes(sms.messageId, state);
      assert.match((await read(sms.messageId)).detail, new RegExp(receipt));
    });
  }

  await t.test(
    'what came of a later part is not asked of the carrier: the first one stands for all',
    async () => {
      const phone = newPhone();
      carrier.next({ receipt: 'DELIVRD' }, { receipt: 'UNDELIV' });
      const { sms } = await post(phone, long);
      await becomes(sms.messageId, 'delivered');
      const asked = carrier.carriedTo(phone).map(wantsReceipt);
      assert.deepEqual(asked, [true, false, false]);
    },
  );

  await t.test(
    'always: a report that comes after Kannel was killed and restarted still arrives',
    async () => {
      const phone = newPhone();
      const late = Promise.withResolvers<void>();
      carrier.next({ receiptAfter: late.promise });
      const { sms } = await post(phone, 'Hello');
      await until('it went out', () => carrier.carriedTo(phone).length > 0);
      // Killed earlier, Kannel would not know that the carrier has it, and send it again.
      await until('Kannel has recorded that', async () => /store size 0\b/.test(await kannel.status()));
      await kannel.kill();
      await kannel.start();
      late.resolve();
      await becomes(sms.messageId, 'delivered');
      assert.equal(carrier.carriedTo(phone).length, 1);
    },
  );
});
