/** Customers' messages in parts, from the server side of another library. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import smpp from 'smpp';
import { bound, until } from '../../../../test/fixtures/smpp.ts';

const tryAgain = 0x64;
const answer = { source_addr: '61491570006', destination_addr: '61400000000' };

const header = (total: number, number: number, series = 77) => Buffer.from([5, 0, 3, series, total, number]);
const partOf = (text: string, total: number, number: number) => ({
  ...answer,
  esm_class: 0x40,
  short_message: Buffer.concat([header(total, number), smpp.encodings.ASCII.encode(text)]),
});

test('parts of a long message, in any order and one of them repeated, are one message, and are acknowledged with it', async (t) => {
  const { smsc, connected } = await bound(t);
  const [second, third] = [smsc.deliver(partOf('two ', 3, 2)), smsc.deliver(partOf('three', 3, 3))];
  const again = smsc.deliver(partOf('two ', 3, 2));
  const first = smsc.deliver(partOf('one {€} ', 3, 1));
  assert.deepEqual(await Promise.all([first, second, third, again]), [0, 0, 0, 0]);
  assert.deepEqual(
    connected.received.map(({ body }) => body),
    ['one {€} two three'],
  );
  assert.equal(await smsc.deliver(partOf('three', 3, 3)), 0);
  assert.equal(connected.received.length, 1);
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
  assert.deepEqual(connected.received.map(({ body }) => body).sort(), ['n1n2', 'w1w2']);
});

test('a carrier that sends the next part only after the response to this one', async (t) => {
  const { smsc, connected } = await bound(t);
  assert.equal(await smsc.deliver(partOf('one ', 2, 1)), 0);
  assert.deepEqual(connected.received, []);
  assert.equal(await smsc.deliver(partOf('two', 2, 2)), 0);
  assert.deepEqual(
    connected.received.map(({ body }) => body),
    ['one two'],
  );
});

test('a long message that could not be recorded is repeated, and is then one message', async (t) => {
  const { smsc, connected } = await bound(t);
  connected.failing = true;
  const both = () =>
    Promise.all([partOf('one ', 2, 1), partOf('two', 2, 2)].map((part) => smsc.deliver(part)));
  assert.deepEqual(await both(), [tryAgain, tryAgain]);
  connected.failing = false;
  assert.deepEqual(await both(), [0, 0]);
  assert.deepEqual(
    connected.received.map(({ body }) => body),
    ['one two'],
  );
});

test('close records the acknowledged parts of a long message', async (t) => {
  const { smsc, connected } = await bound(t);
  assert.equal(await smsc.deliver(partOf('the end', 2, 2)), 0);
  await connected.gateway.close?.();
  assert.deepEqual(
    connected.received.map(({ body }) => body),
    [' […] the end'],
  );
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
