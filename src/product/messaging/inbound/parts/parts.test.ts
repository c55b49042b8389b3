/** Long answers whose parts come to several processes: each becomes one message, whatever the order, repeats and failures. */
import assert from 'node:assert/strict';
import { beforeEach, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Context } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { smppSms } from '#platform/gateways/sms/smpp.ts';
import { smsListener } from '#product/gateway-callbacks/listener.ts';
import { startSmsc } from '../../../../../packages/smpp/test/smsc.ts';
import { messagingWorld, newPhone } from '../../../../../test/fixtures/messaging.ts';
import { atEnd } from '../../../../../test/harness/clean-up.ts';
import { tryFailedAgain } from '../../../../../test/harness/failed-work.ts';
import { until } from '../../../../../test/harness/wait.ts';
import { recordDueParts } from './record.ts';
import { takePart } from './take.ts';

const { app, customer } = await messagingWorld();
const { context } = app;
const { db } = context;
const second = openDatabase({ url: app.databaseUrl, poolSize: 5, applicationName: 'second process' });
atEnd(() => second.close());
const processes: readonly Context[] = [context, { ...context, db: second }];
let phone = '';

beforeEach(async () => {
  phone = (await customer()).phone;
});

const part = (text: string, number: number, total = 2, series = 7) => ({
  ...{ from: phone.slice(1), to: '61400000000' },
  ...{ series, total, number, octets: Buffer.from(text, 'utf16le').swap16(), charset: 'utf-16be' as const },
});
const take = (text: string, number: number, total?: number, series?: number, process = context) =>
  takePart(process, 'smpp', part(text, number, total, series));
const bodies = async (of = phone) => {
  const rows = await db.query<{ body: string }>(
    `SELECT body FROM message WHERE kind = 'inbound' AND recipient = $1 ORDER BY id`,
    [of],
  );
  return rows.map(({ body }) => body);
};
/** Moves stored times into the past by this many seconds. */
const pass = (seconds: number) =>
  db.query(
    'UPDATE long_sms SET due_at = due_at - make_interval(secs => $1), begun_at = begun_at - make_interval(secs => $1)',
    [seconds],
  );

test('parts that come to two processes at once, in any order, some of them twice: each answer becomes one message', async () => {
  const message = fc.record({
    texts: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
      minLength: 2,
      maxLength: 4,
    }),
    order: fc.infiniteStream(fc.nat(1_000)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 4 }), async (messages) => {
      phone = newPhone();
      await customer({ phone });
      const parts = messages.flatMap(({ texts, order }, series) =>
        texts.flatMap((text, index) => {
          const [at = 0, isTwice = 0, process = 0] = order.take(3);
          const one = { ...part(`${index}${text}`, index + 1, texts.length, series), at, process };
          return isTwice % 3 === 0 ? [one, { ...one, at: one.at + 1, process: process + 1 }] : [one];
        }),
      );
      await Promise.all(
        parts
          .toSorted((one, other) => one.at - other.at)
          .map(({ at: _, process, ...each }) => takePart(processes[process % 2] ?? context, 'smpp', each)),
      );
      const expected = messages.map(({ texts }) =>
        texts
          .map((text, index) => `${index}${text}`)
          .join('')
          .toWellFormed()
          .replaceAll('\0', '')
          .trim(),
      );
      assert.deepEqual((await bodies()).sort(), expected.sort());
    }),
    { numRuns: 15 },
  );
});

test('a character that is split between two parts is restored', async () => {
  await take(`Thanks ${'🙂'.slice(0, 1)}`, 1);
  await take(`${'🙂'.slice(1)}!`, 2);
  assert.deepEqual(await bodies(), ['Thanks 🙂!']);
});

/** The octets of a text, cut in two at this offset. */
const cut = (octets: Buffer, at: number) => [octets.subarray(0, at), octets.subarray(at)] as const;

for (const [name, charset, octets, text] of [
  ['UTF-16, within a unit', 'utf-16be', Buffer.from('ok 🙂', 'utf16le').swap16(), 'ok 🙂'],
  ['Shift JIS', 'shift_jis', Buffer.from([0x82, 0xe0, 0x83, 0x5c]), 'もソ'],
  ['GSM 7-bit, after an escape', 'gsm7', Buffer.from([0x35, 0x1b, 0x65, 0x00]), '5€@'],
  ['Latin-1', 'latin1', Buffer.from('à 9 h', 'latin1'), 'à 9 h'],
] as const) {
  test(`octets of parts are joined before they are decoded, wherever they are cut: ${name}`, async () => {
    for (let at = 1; at < octets.length; at++) {
      for (const [index, half] of cut(octets, at).entries())
        await takePart(context, 'smpp', { ...part('', index + 1, 2, at), octets: half, charset });
    }
    assert.deepEqual(await bodies(), Array(octets.length - 1).fill(text));
  });
}

test('parts in different alphabets, and half a character whose other half is missing', async () => {
  const one = { octets: Buffer.from([0x35, 0x1b, 0x65]), charset: 'gsm7' } as const;
  await takePart(context, 'smpp', { ...part('', 1, 4), ...one });
  await take(' ✓', 2, 4);
  await take('🙂'.slice(0, 1), 3, 4);
  await pass(121);
  await recordDueParts(context);
  assert.deepEqual(await bodies(), ['5€ ✓\ufffd […]']);
});

test('after two minutes the parts received so far become a message, and a late part becomes a message of its own', async () => {
  await take('one ', 1);
  await recordDueParts(context);
  assert.deepEqual(await bodies(), []);
  await pass(121);
  await Promise.all(processes.map(recordDueParts));
  assert.deepEqual(await bodies(), ['one  […]']);
  await take('two', 2);
  assert.equal((await bodies()).length, 1);
  await pass(121);
  await recordDueParts(context);
  assert.deepEqual(await bodies(), ['one  […]', '[…] two']);
});

test('a series that reuses its number does not mix with the previous one, which is stored incomplete', async () => {
  await take('old one ', 1);
  await take('new one ', 1, 2, 7, processes[1]);
  await take('new two', 2);
  await recordDueParts(context);
  assert.deepEqual((await bodies()).sort(), ['new one new two', 'old one  […]']);
});

test('a part of a stored message is a repeat for ten minutes; then the row is deleted, and the part begins a new series', async () => {
  await Promise.all([take('one ', 1), take('two', 2)]);
  await take('two', 2, 2, 7, processes[1]);
  await pass(599);
  await recordDueParts(context);
  await take('one ', 1);
  assert.deepEqual(await bodies(), ['one two']);
  await pass(2);
  await recordDueParts(context);
  assert.deepEqual(await db.query('SELECT FROM long_sms WHERE sender = $1', [phone.slice(1)]), []);
  await Promise.all([take('one ', 1), take('two', 2)]);
  assert.deepEqual(await bodies(), ['one two', 'one two']);
});

test('a message that could not be stored with its last part is stored later, once', async () => {
  const failing: Context = {
    ...context,
    db: {
      ...db,
      query: (text, values) =>
        text.includes('its_conversation')
          ? Promise.reject(new DatabaseUnavailable('away'))
          : db.query(text, values),
    },
  };
  await take('one ', 1, 2, 7, failing);
  await take('two', 2, 2, 7, failing);
  assert.deepEqual(await bodies(), []);
  await pass(31);
  // It has failed, so the batch skips it and it is retried on its own.
  await Promise.all(processes.map(recordDueParts));
  assert.deepEqual(await bodies(), []);
  await tryFailedAgain(context);
  await tryFailedAgain(context);
  assert.deepEqual(await bodies(), ['one two']);
});

/** Connects a process to the carrier. */
async function connect(t: TestContext, process: Context, port: number): Promise<void> {
  const gateway = await smppSms({
    ...{ endpoint: { host: '127.0.0.1', port, tls: false }, source: null, window: 10, enquireLinkMs: 30_000 },
    ...{ credentials: { systemId: 'pitlane', password: 'secret', systemType: '' }, receiptIds: 'same' },
  });
  gateway.start?.(smsListener(process));
  t.after(() => gateway.close?.());
}

test('a carrier that spreads the parts over the connections of two processes', async (t) => {
  const smsc = await startSmsc();
  for (const each of processes) await connect(t, each, smsc.port);
  await until('both are bound', () => smsc.binds.length === 2);
  const textOf = (n: number) => `${n} 🙂 ✓`;
  /** Cut between the two code units of a character, and within the second of them. */
  const partOf = (n: number, number: number) => {
    const octets = Buffer.from(textOf(n), 'utf16le').swap16();
    return octets.subarray([0, 6, 7][number - 1], [6, 7][number - 1]);
  };
  const deliver = (n: number, number: number) =>
    smsc.deliver(
      {
        ...{ source_addr: phone.slice(1), destination_addr: '61400000000', esm_class: 0x40, data_coding: 8 },
        short_message: Buffer.concat([Buffer.from([5, 0, 3, n, 3, number]), partOf(n, number)]),
      },
      smsc.sessions()[(n + number) % 2],
    );
  const messages = Array.from({ length: 6 }, (_, n) => n);
  const answers = await Promise.all(messages.flatMap((n) => [deliver(n, 3), deliver(n, 1), deliver(n, 2)]));
  assert.deepEqual(new Set(answers), new Set([0]));
  assert.deepEqual((await bodies()).sort(), messages.map(textOf));
});
