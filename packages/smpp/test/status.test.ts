/** Statuses that are not about the message: SMPP's own about our settings, and those of the carrier's own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../src/status.ts';
import { connectTo } from './connect.ts';
import { startSmsc } from './smsc.ts';

/** SMPP 3.4, 5.1.3, and from 0x100 on SMPP 5.0, 4.7.6. */
const aboutSettings = [
  ...[0x06, 0x07, 0x0c, 0x15, 0x33, 0x34, 0x40, 0x42, 0x43, 0x44, 0x53, 0x54, 0x55, 0x61, 0x62, 0x63],
  ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xfe, 0x100, 0x101, 0x102, 0x103, 0x104],
];

test('what SMPP says of our settings is a fault of the gateway, and no busy carrier', () => {
  for (const status of aboutSettings) {
    const { detail, ...refusal } = refusalOf(status);
    const expected = { permanent: false, reason: 'gatewayUnavailable', elsewhere: true };
    assert.deepEqual(refusal, { state: 'refused', ...expected }, detail);
    assert.match(detail, /\(ESME_R[A-Z_]+\)\.$/);
  }
});

test("the settings say what statuses of the carrier's own mean, SMPP's own too", () => {
  const name = '(status 0x0000040b).';
  for (const [meant, expected] of [
    ['invalidNumber', { permanent: true, detail: `The carrier does not know this number ${name}` }],
    ['refused', { permanent: true, detail: `The carrier did not take the message ${name}` }],
    ['optedOut', { permanent: true, detail: `The carrier says that the customer wants no messages ${name}` }],
    [
      'temporarilyRefused',
      { permanent: false, elsewhere: true, detail: `The carrier can not take the message now ${name}` },
    ],
    [
      'gatewayUnavailable',
      { permanent: false, elsewhere: true, detail: `The carrier takes nothing from this account ${name}` },
    ],
  ] as const) {
    const refusal = refusalOf(0x40b, true, new Map([[0x40b, meant]]));
    assert.deepEqual(refusal, { state: 'refused', reason: meant, ...expected });
  }
  // ESME_RINVSRCADR is about our sender, unless the settings say otherwise.
  const refusal = refusalOf(0x0a, false, new Map([[0x0a, 'refused']]));
  assert.equal('elsewhere' in refusal, false);
});

test('a later part is tried again while its status is one that the settings call temporarilyRefused', async (t) => {
  let busy = 1;
  const smsc = await startSmsc({
    answer: ({ part }, id) => (part?.[2] === 2 && busy-- > 0 ? { status: 0x4aa } : { id }),
  });
  const connected = connectTo(t, smsc.port, { vendorCodes: new Map([[0x4aa, 'temporarilyRefused']]) });
  assert.equal((await connected.send({ body: 'abcdefghi '.repeat(40) })).state, 'accepted');
});
