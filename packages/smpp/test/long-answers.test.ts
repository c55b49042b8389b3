/** Customers' messages in parts, from the server side of another library. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import smpp from 'smpp';
import { until } from '../../../test/harness/wait.ts';
import { bound } from './connect.ts';

const tryAgain = 0x64;
const answer = { source_addr: '61491570006', destination_addr: '61400000000' };

const header = (total: number, number: number, series = 77) => Buffer.from([5, 0, 3, series, total, number]);
const partOf = (text: string, total: number, number: number) => ({
  ...answer,
  esm_class: 0x40,
  short_message: Buffer.concat([header(total, number), smpp.encodings.ASCII.encode(text)]),
});

test('each part of a long message is acknowledged once it is stored, with its place in the message', async (t) => {
  const { smsc, connected } = await bound(t);
  const stored = Promise.withResolvers<void>();
  connected.before = stored.promise;
  const [second, first] = [smsc.deliver(partOf('two', 2, 2)), smsc.deliver(partOf('one {€} ', 2, 1))];
  const isWaiting = 'waiting';
  assert.equal(await Promise.race([first, second, Promise.resolve(isWaiting)]), isWaiting);
  stored.resolve();
  assert.deepEqual(await Promise.all([first, second]), [0, 0]);
  const between = { from: '+61491570006', to: '+61400000000', series: 77, total: 2, charset: 'gsm7' };
  assert.deepEqual(
    connected.parts.toSorted((one, other) => one.number - other.number),
    [
      { ...between, number: 1, octets: smpp.encodings.ASCII.encode('one {€} ') },
      { ...between, number: 2, octets: Buffer.from('two') },
    ],
  );
  assert.deepEqual(connected.received, []);
});

test('parts with a 16-bit reference, and parts with parameters', async (t) => {
  const { smsc, connected } = await bound(t);
  const wide = (number: number) => ({
    ...answer,
    esm_class: 0x40,
    short_message: Buffer.concat([Buffer.from([6, 8, 4, 1, 2, 2, number]), Buffer.from(`w${number}`)]),
  });
  const named = (number: number) => ({
    ...answer,
    short_message: Buffer.from(`n${number}`),
    sar_msg_ref_num: 300,
    sar_total_segments: 2,
    sar_segment_seqnum: number,
  });
  await Promise.all([wide(2), named(2), wide(1), named(1)].map((fields) => smsc.deliver(fields)));
  assert.deepEqual(
    connected.parts.map(({ series, total, number, octets }) => [`${octets}`, series, total, number]).sort(),
    [
      ['n1', 300, 2, 1],
      ['n2', 300, 2, 2],
      ['w1', 258, 2, 1],
      ['w2', 258, 2, 2],
    ],
  );
});

test('a part that could not be stored is repeated by the carrier', async (t) => {
  const { smsc, connected } = await bound(t);
  connected.failing = true;
  assert.equal(await smsc.deliver(partOf('one ', 2, 1)), tryAgain);
  connected.failing = false;
  assert.equal(await smsc.deliver(partOf('one ', 2, 1)), 0);
  assert.equal(connected.parts.length, 1);
});

test('invalid headers make no parts', async (t) => {
  const { smsc, connected } = await bound(t);
  for (const udh of [[5, 0, 3, 1, 2, 3], [5, 0, 3, 1, 0, 0], [5, 0, 9, 1, 2, 1], [3, 0, 3, 1], [0]]) {
    const short_message = Buffer.concat([Buffer.from(udh), Buffer.from('ok')]);
    assert.equal(await smsc.deliver({ ...answer, esm_class: 0x40, short_message }), 0);
  }
  assert.equal(
    await smsc.deliver({ ...answer, esm_class: 0x40, short_message: Buffer.from([200, 1, 2]) }),
    0,
  );
  await until('all came', () => connected.received.length === 6);
});
