/** Reads MessageMedia's callbacks, in the shapes of its documentation (Delivery Reports, Replies). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { publicKey } from '../../../../../test/fixtures/messagemedia-signature.ts';
import { messageMediaCallbacks } from './callbacks.ts';

const path = '/gateways/messagemedia/callbacks';
const at = (body: unknown, url = path, headers = {}) => ({
  url,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

const report = {
  callback_url: 'https://pitlane.example/gateways/messagemedia/callbacks',
  delivery_report_id: '693e87f2-a553-4281-9ffe-ddf04cbc4bf3',
  source_number: '+61491570156',
  date_received: '2016-11-03T11:49:02.807Z',
  status: 'delivered',
  delay: 0,
  submitted_date: '2016-11-03T11:49:01.551Z',
  original_text: 'Hello world! ✓',
  message_id: '389dc1a8-62a4-4110-ba61-af94806c006f',
  vendor_account_id: { vendor_id: 'MessageMedia', account_id: 'MyAccount' },
  error_code: '220',
  metadata: { reference: 'R-1' },
};
const reply = {
  metadata: { reference: 'R-1' },
  message_id: '877c19ef-fa2e-4cec-827a-e1df9b5509f7',
  reply_id: 'a175e797-2b54-468b-9850-41a3eab32f74',
  date_received: '2016-12-07T08:43:00.850Z',
  callback_url: 'https://pitlane.example/gateways/messagemedia/callbacks',
  destination_number: '+61400000000',
  source_number: '+61491570157',
  vendor_account_id: { vendor_id: 'MessageMedia', account_id: 'MyAccount' },
  content: 'My first reply! ✓',
};
const { isGenuine, reports, inbound } = messageMediaCallbacks({
  publicKeys: [publicKey],
  callbackToken: null,
  publicUrl: 'https://pitlane.example',
});

for (const [changes, state, detail] of [
  [{}, 'delivered', 'delivered: delivered (220)'],
  [
    { status: 'expired', error_code: '401' },
    'expired',
    'expired: its time was over before it was delivered (401)',
  ],
  [{ status: 'failed', error_code: 332 }, 'undelivered', 'failed: no route to the number (332)'],
  [{ status: 'FAILED', error_code: '999' }, 'undelivered', 'failed (999)'],
  [{ status: 'undeliverable', error_code: undefined }, 'undelivered', 'undeliverable'],
  [{ status: 'cancelled', error_code: null }, 'undelivered', 'cancelled'],
] as const) {
  test(`a report: ${JSON.stringify(changes)}`, () => {
    const request = at({ ...report, ...changes });
    assert.deepEqual(reports(request), [{ reference: 'R-1', state, detail }]);
    assert.equal(inbound(request), null);
  });
}

test('"Destination address blocked" (302, 412) says that the customer has opted out there, "duplicate detection" (305) that it has the text', () => {
  for (const [error_code, words, also] of [
    ['302', 'the number is blocked', { optedOut: true }],
    ['412', 'the number is blocked', { optedOut: true }],
    [305, 'taken for a duplicate', { duplicate: true }],
  ] as const) {
    const read = { state: 'undelivered', detail: `rejected: ${words} (${error_code})`, ...also };
    const found = reports(at({ ...report, status: 'rejected', error_code }));
    assert.deepEqual(found, [{ reference: 'R-1', ...read }]);
  }
});

test('a report on the way, or of a status that is new, proves that MessageMedia has accepted the message', () => {
  for (const status of ['enroute', 'submitted', 'queued', 'processed', 'scheduled', 'held', 'constructor']) {
    const accepted = [{ reference: 'R-1', state: 'accepted', detail: null }];
    assert.deepEqual(reports(at({ ...report, status })), accepted);
  }
  assert.equal(reports(at({ ...report, status: 'read' }))?.[0]?.state, 'delivered');
});

test('a report of a message that is not ours is ignored', () => {
  for (const metadata of [
    {},
    undefined,
    null,
    'reference',
    ['reference'],
    { reference: { a: 1 } },
    { other: 'R' },
  ]) {
    assert.deepEqual(reports(at({ ...report, metadata })), []);
  }
});

test('several in one request, whatever is between them', () => {
  const second = { ...report, status: 'failed', error_code: '414', metadata: { reference: 'R-2' } };
  for (const request of [[report, null, 'x', second], { delivery_reports: [report, {}, second] }]) {
    assert.deepEqual(
      reports(at(request))?.map(({ reference, state }) => [reference, state]),
      [
        ['R-1', 'delivered'],
        ['R-2', 'undelivered'],
      ],
    );
  }
  const answers = inbound(at({ replies: [reply, {}, { ...reply, reply_id: 'b' }] }));
  assert.deepEqual(
    answers?.map(({ gatewayId }) => gatewayId),
    [reply.reply_id, 'b'],
  );
});

test('an answer, also without the number that it was sent to, also with numbers without a +', () => {
  const read = {
    gatewayId: reply.reply_id,
    from: '+61491570157',
    to: '+61400000000',
    body: 'My first reply! ✓',
    inReplyTo: 'R-1',
  };
  assert.deepEqual(inbound(at(reply)), [read]);
  assert.equal(reports(at(reply)), null);
  assert.deepEqual(inbound(at({ ...reply, destination_number: undefined })), [{ ...read, to: '' }]);
  const plain = { ...reply, source_number: '61491570157', destination_number: 61_400_000_000 };
  assert.deepEqual(inbound(at(plain)), [read]);
  for (const kept of ['19990001', 'HARBOUR', '0491570157']) {
    assert.equal(inbound(at({ ...reply, source_number: kept }))?.[0]?.from, kept);
  }
  assert.equal(inbound(at({ ...reply, content: '' }))?.[0]?.body, '');
  assert.equal(inbound(at({ ...reply, reply_id: 'a\0b' }))?.[0]?.gatewayId, 'ab');
});

test('payload mmsReceived: the reply of an MMS has attachments in place of the content', () => {
  const { content: _, ...mms } = reply;
  const attachment = { content_type: 'image/png', content: 'dGVzdA==', original_name: 'file.png' };
  assert.equal(inbound(at({ ...mms, attachments: [attachment] }))?.[0]?.body, '[1 attachment]');
  assert.equal(
    inbound(at({ ...reply, attachments: [attachment, attachment] }))?.[0]?.body,
    'My first reply! ✓\n[2 attachments]',
  );
  assert.equal(inbound(at({ ...mms, attachments: [] })), null);
  // A variable of the webhook's template that the event does not have.
  const attachments = [attachment, { content_type: 'image/png', content: '$entry.base64' }];
  assert.deepEqual(inbound(at({ ...mms, attachments }))?.[0]?.attachments, [
    { contentType: 'image/png', base64: 'dGVzdA==' },
    { contentType: 'image/png', base64: '' },
  ]);
});

const optOut = {
  notification_id: '3e6e6b1a-6c1d-4b1a-9c1e-6f1a6b1a6c1d',
  account_id: 'DeveloperPortal7000',
  destination_number: '+61400000000',
  source_number: '+61491570156',
  date_received: '2016-12-07T08:44:00.850Z',
  message_id: '877c19ef-fa2e-4cec-827a-e1df9b5509f7',
  content: 'ARRET',
  metadata: { reference: 'R-1' },
};

test('payload optOut: a notification with an id of its own is a STOP, with any text or none', () => {
  const read = {
    gatewayId: optOut.notification_id,
    from: '+61491570156',
    to: '+61400000000',
    body: 'ARRET',
    inReplyTo: 'R-1',
    optOut: 'stop',
  };
  assert.deepEqual(inbound(at(optOut)), [read]);
  assert.equal(reports(at(optOut)), null);
  const { content: _, message_id: __, metadata: ___, ...bare } = optOut;
  assert.deepEqual(inbound(at(bare)), [{ ...read, body: 'STOP', inReplyTo: null }]);
});

test('payload optOut: variables that a template leaves unfilled are passed over, and no two such notifications are one message', () => {
  const unfilled = {
    ...reply,
    reply_id: '$moId',
    content: 'STOP',
    destination_number: '$destinationAddress',
  };
  const [read] = inbound(at(unfilled)) ?? [];
  assert.deepEqual([read?.gatewayId, read?.to, read?.body], ['', '', 'STOP']);
  assert.equal(inbound(at({ ...reply, source_number: '$sourceAddress' })), null);
});

test('the same as a form, as the webhooks of an account can be set to', () => {
  const form = new URLSearchParams({ reply_id: 'r', source_number: '+61491570157', content: 'Yes & ✓' });
  assert.deepEqual(inbound(at(form.toString())), [
    { gatewayId: 'r', from: '+61491570157', to: '', body: 'Yes & ✓', inReplyTo: null },
  ]);
  const status = new URLSearchParams({ status: 'failed', status_code: '414', reference: 'R-1' });
  assert.deepEqual(reports(at(status.toString())), [
    { reference: 'R-1', state: 'undelivered', detail: 'failed: the phone can not be reached (414)' },
  ]);
});

test('a request that is neither a report nor an answer is rejected', () => {
  for (const nonsense of [
    '',
    '{',
    '[1',
    '"x"',
    'x',
    '{}',
    '[{}]',
    '[null, {}]',
    '{"status": ""}',
    '{"reply_id": "r"}',
  ]) {
    assert.equal(reports(at(nonsense)), null, nonsense);
    assert.equal(inbound(at(nonsense)), null, nonsense);
  }
});

test('no input makes the reader throw', () => {
  const known = fc.record(
    Object.fromEntries(
      ['status', 'error_code', 'metadata', 'reply_id', 'source_number', 'content'].map((name) => [
        name,
        fc.jsonValue(),
      ]),
    ),
    { requiredKeys: [] },
  );
  const content = fc.oneof(
    fc.json(),
    fc.string(),
    fc.webQueryParameters(),
    known.map((fields) => JSON.stringify(fields)),
    fc.array(known).map((list) => JSON.stringify(list)),
  );
  fc.assert(
    fc.property(content, fc.webQueryParameters(), fc.string(), (text, query, header) => {
      const request = at(text, `${path}?${query}`, {
        'x-messagemedia-signature': header,
        'x-messagemedia-digest-type': 'SHA256',
        date: header,
      });
      assert.equal(isGenuine(request), false);
      reports(request);
      inbound(request);
    }),
  );
});
