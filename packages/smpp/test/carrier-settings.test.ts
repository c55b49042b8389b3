/** Settings for carriers that differ from most: binds, types of numbers, service type, alphabet, long texts, validity. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/harness/wait.ts';
import { validityPeriod } from '../src/messages.ts';
import { type SubmissionForm, usualSubmission } from '../src/submissions.ts';
import { bound, connectTo, host, newPhone, smsTo } from './connect.ts';
import { startSmsc } from './smsc.ts';

const form = (changes: Partial<SubmissionForm>) => ({ form: { ...usualSubmission, ...changes } });
const long = 'abcdefghi '.repeat(40);

test('SMPP 3.4, 4.7.1: a data_sm brings receipts and inbound SMS as a deliver_sm does', async (t) => {
  const { smsc, connected } = await bound(t);
  const receipt = {
    esm_class: 4,
    receipted_message_id: '7',
    message_state: 2,
    message_payload: { message: 'id:7 stat:DELIVRD' },
  };
  assert.equal(await smsc.deliver(receipt, undefined, 'data_sm'), 0);
  const answer = {
    source_addr: '61491570006',
    destination_addr: '61400000000',
    message_payload: { message: Buffer.from('Yes please') },
  };
  assert.equal(await smsc.deliver(answer, undefined, 'data_sm'), 0);
  assert.deepEqual(
    [connected.reports[0]?.segment?.id, connected.reports[0]?.state, connected.received[0]?.body],
    ['7', 'delivered', 'Yes please'],
  );
});

test('a transmitter and a receiver: each is bound, one sends, the other receives', async (t) => {
  const smsc = await startSmsc();
  const connected = connectTo(t, smsc.port, { isSeparate: true });
  await until('both are bound', () => connected.told.length === 2);
  assert.deepEqual(smsc.binds.map((pdu) => pdu['command']).sort(), ['bind_receiver', 'bind_transmitter']);
  assert.equal((await connected.send()).state, 'accepted');
  const [sender] = smsc.submitted;
  const receiver = smsc.sessions().find((session) => session !== sender?.session);
  const heard = await smsc.deliver(
    { source_addr: '61491570006', destination_addr: '61400000000', short_message: 'Yes' },
    receiver,
  );
  assert.deepEqual([heard, connected.received[0]?.body], [0, 'Yes']);
});

test('a service type, and types of numbers in place of the usual ones', async (t) => {
  const changes = { serviceType: 'CMT', sourceType: { ton: 3, npi: 1 }, destinationType: { ton: 2, npi: 8 } };
  const { smsc, connected } = await bound(t, form(changes));
  await connected.send();
  const { pdu } = smsc.submitted[0] ?? {};
  assert.partialDeepStrictEqual(
    { ...pdu },
    {
      service_type: 'CMT',
      source_addr_ton: 3,
      source_addr_npi: 1,
      dest_addr_ton: 2,
      dest_addr_npi: 8,
      source_addr: '61400000000',
    },
  );
});

test('long texts by the sar_ parameters: parts without a header, each with its place', async (t) => {
  const { smsc, connected } = await bound(t, form({ longText: 'sar' }));
  const outcome = await connected.send({ body: long });
  assert.deepEqual(outcome, { state: 'accepted', gatewayId: '1', segmentIds: ['1', '2', '3'] });
  const parts = smsc.submitted.map(({ pdu }) => pdu);
  assert.deepEqual(
    parts.map((pdu) => [pdu['esm_class'], pdu['sar_total_segments'], pdu['sar_segment_seqnum']]),
    [
      [0, 3, 1],
      [0, 3, 2],
      [0, 3, 3],
    ],
  );
  assert.equal(new Set(parts.map((pdu) => pdu['sar_msg_ref_num'])).size, 1);
  assert.equal(smsc.submitted.map(({ text }) => text).join(''), long);
});

test('long texts in message_payload: one submission, one id; short texts as before', async (t) => {
  const { smsc, connected } = await bound(t, form({ longText: 'payload' }));
  assert.deepEqual(await connected.send({ body: long }), {
    state: 'accepted',
    gatewayId: '1',
    segmentIds: ['1'],
  });
  await connected.send({ body: 'Hi' });
  const [first, second] = smsc.submitted.map(({ pdu }) => pdu);
  const payload = first?.['message_payload'] as { message: Buffer | string };
  assert.equal(
    Buffer.isBuffer(payload.message) ? host.decode(payload.message, 'gsm7') : payload.message,
    long,
  );
  assert.deepEqual([smsc.submitted[0]?.text, second?.['message_payload']], ['', undefined]);
});

test('Latin-1 as the default alphabet, both ways; text that it lacks goes as UCS-2', async (t) => {
  const { smsc, connected } = await bound(t, form({ alphabet: 'latin1' }));
  for (const [body, coding, parts] of [
    ['Prêt à Genève [9:00] @ $', 8, 1],
    ['Zoë é ñ @ £', 8, 1],
    ['Señor @ £ è', 0, 1],
    ['20 €', 8, 1],
    [`Ω${'x'.repeat(80)}`, 8, 2],
  ] as const) {
    smsc.submitted.length = 0;
    await connected.send({ to: newPhone(), body });
    const octets = smsc.submitted.map(({ pdu }) => pdu['data_coding']);
    assert.deepEqual([octets[0], octets.length], [coding, parts], body);
    if (coding === 8) assert.equal(smsc.submitted.map(({ text }) => text).join(''), body);
  }
  await smsc.deliver({
    source_addr: '61491570006',
    destination_addr: '61400000000',
    data_coding: 0,
    short_message: Buffer.from('Señor @', 'latin1'),
  });
  assert.equal(connected.received[0]?.body, 'Señor @');
});

test('SMPP 3.4, 7.1.1.2: the validity period, in the relative form', async (t) => {
  for (const [ms, period] of [
    [24 * 3_600_000, '000001000000000R'],
    [90 * 60_000, '000000013000000R'],
    [1, '000000000100000R'],
    [40 * 24 * 3_600_000, '000110000000000R'],
    [1e12, '000203000000000R'],
  ] as const) {
    assert.equal(validityPeriod(ms), period);
  }
  const { smsc, connected } = await bound(t);
  await connected.gateway.send({ ...smsTo(), validForMs: 3_600_000 }, AbortSignal.timeout(5_000));
  await connected.send();
  const hours = smsc.submitted.map(({ pdu }) =>
    Math.round((Number(pdu['validity_period']) - Date.now()) / 3_600_000),
  );
  assert.deepEqual(hours, [1, 24]);
});

test('the user_message_reference: where the carrier names SMPP 3.4, or the settings say so; it comes back with receipts', async (t) => {
  const reference = '01980000-0000-7000-8000-00000000fe01';
  for (const [userReferences, version, isSent] of [
    ['auto', 0x34, true],
    ['auto', 0x50, true],
    ['auto', 0x33, false],
    ['auto', undefined, false],
    ['always', undefined, true],
    ['never', 0x34, false],
  ] as const) {
    const { smsc, connected } = await bound(
      t,
      form({ userReferences, longText: 'sar' }),
      version === undefined ? {} : { version },
    );
    await connected.send({ reference, body: long });
    const sent = smsc.submitted.map(({ pdu }) => pdu['user_message_reference']);
    assert.deepEqual(sent, Array(3).fill(isSent ? 0xfe01 : undefined), `${userReferences} ${version}`);
    if (version !== 0x34) continue;
    await smsc.deliver({
      ...{ source_addr_ton: 0, source_addr: '61491570006', esm_class: 4, short_message: 'id:1 stat:DELIVRD' },
      user_message_reference: 0xfe01,
    });
    assert.deepEqual(connected.reports[0]?.handedOver, { userReference: 0xfe01, to: '+61491570006' });
  }
});
