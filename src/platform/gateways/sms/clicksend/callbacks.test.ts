/** Callbacks of ClickSend's rules, in the shapes that ClickSend has published: forms, JSON and queries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clickSendCallbacks } from './callbacks.ts';

const token = 'a-token-of-16-or-more';
const { isGenuine, reports, inbound } = clickSendCallbacks(token);
const at = (body: string, query = '') => ({
  url: `/gateways/clicksend/x${query}`,
  headers: {},
  body: Buffer.from(body),
});
type Field = Readonly<Record<string, string | number | null>>;
const formOf = (fields: Field) =>
  new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value ?? '')])).toString();

const receipt = {
  timestamp_send: '1427852096',
  timestamp: '1427852099',
  message_id: '5CB2E2B5-FFF1-4C5F-87B1-1F0E6B1C8AB8',
  messageid: '5CB2E2B5-FFF1-4C5F-87B1-1F0E6B1C8AB8',
  status: 'Delivered',
  status_code: '201',
  status_text: 'Success: Message received on handset.',
  error_code: null,
  error_text: null,
  custom_string: 'R-1',
  customstring: 'R-1',
  user_id: 1,
  subaccount_id: 1,
  message_type: 'sms',
};
const answer = {
  originalsenderid: '+61477000001',
  body: 'Yes & ✓ please',
  message: 'Yes & ✓ please',
  sms: '+61491570006',
  from: '+61491570006',
  to: '+61477000001',
  timestamp: 1_775_012_927,
  message_id: '1F12D781-99C1-6D94-96FE-F5A311C8997D',
  original_message_id: '1F12D717-947A-6FBC-BBFE-D14C2927CEEF',
  original_body: 'Your car is ready.',
  user_id: 304_497,
  subaccount_id: 745_158,
  custom_string: 'R-1',
};

test('only the token makes a request genuine', () => {
  assert.equal(isGenuine(at('', `?token=${token}`)), true);
  assert.equal(isGenuine(at('x=y', `?a=b&token=${token}`)), true);
  for (const query of ['', '?token=', `?token=${token}x`, `?token=${token.slice(1)}`, `?tokens=${token}`]) {
    assert.equal(isGenuine(at('', query)), false, query);
  }
  assert.equal(isGenuine(at(`token=${token}`)), false, 'not in the body');
});

for (const [changes, state, detail] of [
  [{}, 'delivered', 'Success: Message received on handset.'],
  [{ status_text: null }, 'delivered', null],
  [
    {
      status_code: '301',
      status_text: 'Failed',
      error_code: '12',
      error_text: 'Absent Subscriber. Phone is off.',
    },
    'undelivered',
    'Absent Subscriber. Phone is off.',
  ],
  [{ status_code: 301, status_text: null, error_text: null }, 'undelivered', null],
  [
    // ClickSend's help, SMS error codes, 20: the receipt has expired, not the message.
    { status_code: '301', error_code: '20', error_text: 'Message delivery receipt expired' },
    'accepted',
    null,
  ],
  [
    // ClickSend's page gives this status no code.
    { status: 'CancelledAfterReview', status_code: null, status_text: null },
    'undelivered',
    'ClickSend stopped it after a review.',
  ],
] as const) {
  test(`a receipt, as a form, as JSON and in a query: ${JSON.stringify(changes)}`, () => {
    const fields = { ...receipt, ...changes };
    for (const request of [
      at(formOf(fields)),
      at(JSON.stringify(fields)),
      at('', `?token=${token}&${formOf(fields)}`),
    ]) {
      assert.deepEqual(reports(request), [{ reference: 'R-1', state, detail }]);
      assert.equal(inbound(request), null);
    }
  });
}

test('a receipt on the way, or of a failure that is tried again, proves that ClickSend has accepted the message', () => {
  for (const status_code of ['200', '300', 300, '302', '999']) {
    const accepted = [{ reference: 'R-1', state: 'accepted', detail: null }];
    assert.deepEqual(reports(at(formOf({ ...receipt, status_code }))), accepted);
  }
});

test('a receipt of a message that is not ours is ignored', () => {
  for (const custom_string of ['', null]) {
    assert.deepEqual(reports(at(formOf({ ...receipt, custom_string }))), []);
    assert.deepEqual(reports(at(JSON.stringify({ ...receipt, custom_string }))), []);
  }
});

test('several in one request, whatever is between them', () => {
  const second = { ...receipt, custom_string: 'R-2', status_code: 301, error_text: 'Unknown failure' };
  for (const content of [[receipt, {}, null, second], { data: [receipt, second] }]) {
    const read = reports(at(JSON.stringify(content)));
    assert.deepEqual(
      read?.map(({ reference, state }) => [reference, state]),
      [
        ['R-1', 'delivered'],
        ['R-2', 'undelivered'],
      ],
    );
  }
  const answers = inbound(at(JSON.stringify([answer, 1, { ...answer, message_id: 'B' }])));
  assert.deepEqual(
    answers?.map(({ gatewayId }) => gatewayId),
    [answer.message_id, 'B'],
  );
});

test('an answer, as a form, as JSON and in a query', () => {
  const read = {
    gatewayId: answer.message_id,
    from: '+61491570006',
    to: '+61477000001',
    body: 'Yes & ✓ please',
    inReplyTo: 'R-1',
  };
  for (const request of [
    at(formOf(answer)),
    at(JSON.stringify(answer)),
    at('', `?token=${token}&${formOf(answer)}`),
  ]) {
    assert.deepEqual(inbound(request), [read]);
    assert.equal(reports(request), null);
  }
  const { to, ...older } = answer;
  assert.deepEqual(inbound(at(formOf(older))), [{ ...read, to }]);
  const { originalsenderid: _, ...bare } = older;
  assert.deepEqual(inbound(at(formOf(bare))), [{ ...read, to: '' }]);
  const plain = { ...answer, from: '61491570006', to: '61477000001' };
  assert.deepEqual(inbound(at(formOf(plain))), [read]);
  assert.equal(inbound(at(formOf({ ...answer, body: '' })))?.[0]?.body, '');
});

test('the answer of an MMS, with a link in its text or in a field of its own', () => {
  const url = 'https://clicksend-api-downloads.s3.ap-southeast-2.amazonaws.com/mms/a.jpg';
  const attachments = [{ contentType: '', url }];
  const { message: _, ...mms } = answer;
  for (const [fields, body] of [
    [{ ...mms, body: `The bumper ${url}` }, `The bumper ${url}\n[1 attachment]`],
    [{ ...mms, body: 'The bumper', _media_file_url: url }, 'The bumper\n[1 attachment]'],
    [{ ...mms, body: '', _media_file_url: url }, '[1 attachment]'],
  ] as const) {
    for (const request of [at(formOf(fields)), at(JSON.stringify(fields))]) {
      const [read] = inbound(request) ?? [];
      assert.deepEqual([read?.body, read?.attachments], [body, attachments]);
    }
  }
  const bare = { ...mms, body: null, _media_file_url: url };
  assert.equal(inbound(at(JSON.stringify(bare)))?.[0]?.body, '[1 attachment]');
  const own = inbound(at(formOf({ ...mms, body: 'See https://my.example/a.jpg' })));
  assert.equal(own?.[0] && 'attachments' in own[0], false, 'a link of the customer is text');
});

test('a request that is neither a receipt nor an answer is rejected', () => {
  for (const nonsense of ['', '{', '[1', '"x"', 'x', '{}', '{"status_code": "x"}', '{"message_id": "m"}']) {
    assert.equal(reports(at(nonsense)), null, nonsense);
    assert.equal(inbound(at(nonsense)), null, nonsense);
  }
});

test('no input makes the reader throw', () => {
  const known = fc.record(
    Object.fromEntries(
      ['status_code', 'custom_string', 'error_text', 'message_id', 'from', 'to', 'body'].map((name) => [
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
    fc.property(content, fc.string(), (body, query) => {
      const request = at(body, `?${query}`);
      assert.equal(isGenuine(request), false);
      reports(request);
      inbound(request);
    }),
  );
});
