/** Receipts and inbound SMS that the server side of another library delivers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import smpp from 'smpp';
import { until } from '../../../test/harness/wait.ts';
import { bound, connectTo, untilBound } from './connect.ts';
import { startSmsc } from './smsc.ts';

const tryAgain = 0x64;

for (const [stat, state] of [
  ['DELIVRD', 'delivered'],
  ['UNDELIV', 'undelivered'],
  ['DELETED', 'undelivered'],
  ['REJECTD', 'undelivered'],
  ['EXPIRED', 'expired'],
  // In full, and of carriers.
  ['DELIVERED', 'delivered'],
  ['UNDELIVERABLE', 'undelivered'],
  ['FAILED', 'undelivered'],
  ['REJECTED', 'undelivered'],
  ['NOCRED', 'undelivered'],
] as const) {
  test(`a receipt that says ${stat}: ${state}`, async (t) => {
    const { smsc, connected } = await bound(t);
    assert.equal(await smsc.receipt('1', stat), 0);
    assert.equal(await smsc.receipt('00A1', stat, '21'), 0);
    const segment = (id: string) => ({ reference: null, segment: { id, of: null }, state });
    assert.deepEqual(connected.reports, [
      { ...segment('1'), detail: stat },
      { ...segment('a1'), detail: `${stat}, error 21` },
    ]);
  });
}

for (const stat of ['ENROUTE', 'ACCEPTD', 'UNKNOWN', 'SOMETHING']) {
  test(`a receipt that says ${stat} is acknowledged and reports nothing`, async (t) => {
    const { smsc, connected } = await bound(t);
    assert.equal(await smsc.receipt('1', stat), 0);
    assert.deepEqual([connected.reports, connected.received], [[], []]);
  });
}

test('a receipt in parameters, with or without its type, and one that is not final', async (t) => {
  const { smsc, connected } = await bound(t);
  const parameters = { receipted_message_id: 'AB-1', message_state: 2 };
  assert.equal(await smsc.deliver({ esm_class: 4, ...parameters }), 0);
  assert.equal(await smsc.deliver({ receipted_message_id: 'AB-2', message_state: 5 }), 0);
  assert.equal(await smsc.deliver({ esm_class: 0x20, ...parameters }), 0);
  assert.equal(await smsc.deliver({ esm_class: 4, short_message: 'what is this' }), 0);
  assert.deepEqual(
    connected.reports.map(({ segment, state }) => [segment?.id, state]),
    [
      ['AB-1', 'delivered'],
      ['AB-2', 'undelivered'],
    ],
  );
  assert.deepEqual(connected.received, []);
});

test('ids of receipts match the ids of responses, however they are written', async (t) => {
  for (const [receiptIds, inReceipt, expected, named, byName] of [
    ['decimal', '0000000171', 'ab', 'AB', ['ab']],
    ['hex', 'AB', '171', 'AB', ['171']],
    ['same', '0000000171', '171', '0AB', ['ab']],
    ['decimal', 'x-1', 'x-1', 'x-1', ['x-1']],
    // Either form: nothing tells.
    ['decimal', '171', 'ab', '0171', ['ab', '171']],
    ['hex', 'ab', '171', '171', ['369', '171']],
  ] as const) {
    const { smsc, connected } = await bound(t, { receiptIds });
    await smsc.receipt(inReceipt, 'DELIVRD');
    await smsc.deliver({ esm_class: 4, receipted_message_id: named, message_state: 2 });
    assert.deepEqual(
      connected.reports.map(({ segment }) =>
        [segment?.id, segment?.otherId].filter((id) => id !== undefined),
      ),
      [[expected], byName],
      `${receiptIds} ${named}`,
    );
  }
});

test('the id in the text tells in which form the parameter is', async (t) => {
  const { smsc, connected } = await bound(t, { receiptIds: 'decimal' });
  for (const named of ['171', 'AB']) {
    await smsc.deliver({
      ...{ esm_class: 4, receipted_message_id: named, message_state: 2 },
      short_message: 'id:0000000171 stat:DELIVRD',
    });
  }
  assert.deepEqual(
    connected.reports.map(({ segment }) => segment),
    [
      { id: 'ab', of: null },
      { id: 'ab', of: null },
    ],
  );
});

const receiptText =
  'id:7 sub:001 dlvrd:000 submit date:2601010000 done date:2601010001 stat:UNDELIV err:021 text:Hi';
const inUcs2 = Buffer.from(receiptText, 'utf16le').swap16();
for (const [name, fields] of [
  ['in UCS-2', { data_coding: 8, short_message: inUcs2 }],
  [
    'in UCS-2 with a byte order mark',
    { data_coding: 8, short_message: Buffer.concat([Buffer.from([0xfe, 0xff]), inUcs2]) },
  ],
  [
    'in ASCII, with the data_coding of its message',
    { data_coding: 8, short_message: Buffer.from(receiptText) },
  ],
] as const) {
  test(`a receipt ${name}`, async (t) => {
    const { smsc, connected } = await bound(t);
    assert.equal(await smsc.deliver({ esm_class: 4, ...fields }), 0);
    assert.deepEqual(connected.reports, [
      { reference: null, segment: { id: '7', of: null }, state: 'undelivered', detail: 'UNDELIV, error 021' },
    ]);
  });
}

test('a receipt that comes before the response to its message', async (t) => {
  const smsc = await startSmsc({
    answer: async (_, id) => {
      assert.equal(await smsc.receipt(id, 'DELIVRD'), 0);
      return { id };
    },
  });
  const connected = connectTo(t, smsc.port);
  const outcome = await connected.send();
  assert.deepEqual(outcome, { state: 'accepted', gatewayId: '1', segmentIds: ['1'] });
  assert.equal(connected.reports[0]?.segment?.id, '1');
});

const from = '61491570006';
const to = '61400000000';
const answer = { source_addr: from, destination_addr: to };

for (const [name, fields, expected] of [
  [
    'GSM 7-bit',
    { data_coding: 0, short_message: smpp.encodings.ASCII.encode('Yes, 5 € @ {9}') },
    'Yes, 5 € @ {9}',
  ],
  ['UCS-2', { data_coding: 8, short_message: Buffer.from('Prêt ✓ 🚗', 'utf16le').swap16() }, 'Prêt ✓ 🚗'],
  ['Latin-1', { data_coding: 3, short_message: Buffer.from('à 9 heures', 'latin1') }, 'à 9 heures'],
  ['ASCII', { data_coding: 1, short_message: Buffer.from('at 9 [ok]') }, 'at 9 [ok]'],
  ['Cyrillic', { data_coding: 6, short_message: Buffer.from([0xb4, 0xd0]) }, 'Да'],
  ['a class of GSM', { data_coding: 0xf1, short_message: Buffer.from([0x00, 0x1b, 0x65]) }, '@€'],
  ['8-bit data of a class', { data_coding: 0xf5, short_message: Buffer.from('raw') }, 'raw'],
  ['flash in UCS-2', { data_coding: 0x18, short_message: Buffer.from([0x27, 0x13]) }, '✓'],
  [
    'half a character of UCS-2',
    { data_coding: 8, short_message: Buffer.from([0x27, 0x13, 0x27]) },
    '✓\ufffd',
  ],
  ['a message_payload', { data_coding: 0, message_payload: Buffer.from('x'.repeat(500)) }, 'x'.repeat(500)],
  ['nothing', { short_message: Buffer.alloc(0) }, ''],
  [
    'text in the form of a receipt',
    { short_message: Buffer.from('id:1 stat:DELIVRD err:000') },
    'id:1 stat:DELIVRD err:000',
  ],
] as const) {
  test(`a customer's message: ${name}`, async (t) => {
    const { smsc, connected } = await bound(t);
    assert.equal(await smsc.deliver({ ...answer, ...fields }), 0);
    const [sms] = connected.received;
    assert.deepEqual([sms?.from, sms?.to, sms?.body], [`+${from}`, `+${to}`, expected]);
    assert.deepEqual(connected.reports, []);
  });
}

test('an SMS that could not be recorded is repeated under the same id; the same text at another time is another message', async (t) => {
  const { smsc, connected } = await bound(t);
  const yes = { ...answer, short_message: Buffer.from('Yes') };
  const ids: (string | undefined)[] = [];
  connected.failing = true;
  assert.equal(await smsc.deliver(yes), tryAgain);
  assert.equal(await smsc.receipt('1', 'DELIVRD'), tryAgain);
  connected.failing = false;
  for (const message of [yes, yes, { ...yes, short_message: Buffer.from('No') }, yes]) {
    assert.equal(await smsc.deliver(message), 0);
    ids.push(connected.received.at(-1)?.gatewayId);
  }
  assert.equal(new Set(ids).size, 4);
});

test('two SMS with the same text at once are two messages', async (t) => {
  const { smsc, connected } = await bound(t);
  const yes = { ...answer, short_message: Buffer.from('Yes') };
  assert.deepEqual(await Promise.all([smsc.deliver(yes), smsc.deliver(yes)]), [0, 0]);
  assert.equal(new Set(connected.received.map(({ gatewayId }) => gatewayId)).size, 2);
});

test('an SMS that is recorded after the connection was lost is repeated under the same id', async (t) => {
  const { smsc, connected } = await bound(t);
  const yes = { ...answer, short_message: Buffer.from('Yes') };
  const { promise, resolve } = Promise.withResolvers<void>();
  connected.before = promise;
  const first = smsc.deliver(yes);
  await until('it is being recorded', () => connected.hears === 1);
  smsc.sessions()[0]?.destroy();
  assert.equal(await first, -1);
  await until('it is bound again', () => smsc.binds.length === 2);
  await untilBound(connected);
  resolve();
  await until('it is recorded', () => connected.received.length === 1);
  assert.equal(await smsc.deliver(yes), 0);
  assert.deepEqual(connected.received[1], connected.received[0]);
});
