/** What MessageMedia brings, in the shapes of its documentation (Delivery Reports, Replies, Enterprise webhooks). */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  publicKey,
  type SignedWith,
  signatureHeaders,
} from '../../../../test/fixtures/messagemedia-signature.ts';
import { type CallbackOptions, messageMediaCallbacks } from './callbacks.ts';

const token = 'a-token-of-16-or-more';
const callbacks = (options: Partial<CallbackOptions> = {}) =>
  messageMediaCallbacks({
    publicKeys: [publicKey],
    callbackToken: null,
    publicUrl: 'https://pitlane.example',
    ...options,
  });
const path = '/gateways/messagemedia/callbacks';
const at = (body: unknown, url = path, headers = {}) => ({
  url,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const another = generateKeyPairSync('rsa', { modulusLength: 1024 });

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
const body = JSON.stringify(report);
const signed = (options?: SignedWith, url = path) => at(body, url, signatureHeaders(url, body, options));

test('a signed request is genuine, with each digest and with either of two keys', () => {
  for (const digest of ['SHA224', 'SHA256', 'SHA512']) {
    assert.equal(callbacks().isGenuine(signed({ digest })), true, digest);
  }
  const both = callbacks({ publicKeys: [another.publicKey, publicKey] });
  for (const key of [undefined, another.privateKey]) {
    assert.equal(both.isGenuine(signed(key && { key })), true);
  }
  assert.equal(callbacks().isGenuine(signed({}, '/gateways/messagemedia/inbound?a=b%20c')), true);
});

test('what is signed is the path that was called, also where a proxy cuts something off', () => {
  const { headers } = signed({}, `/pitlane${path}`);
  const below = callbacks({ publicUrl: 'https://example.com/pitlane' });
  assert.equal(below.isGenuine(at(body, path, headers)), true);
  assert.equal(callbacks().isGenuine(at(body, path, headers)), false);
});

test('nothing else is genuine', () => {
  const right = signatureHeaders(path, body);
  for (const [name, request] of Object.entries({
    unsigned: at(body),
    'signed with another key': signed({ key: another.privateKey }),
    'of another body': at(body.replace('delivered', 'failed'), path, right),
    'of a body with a space more': at(`${body} `, path, right),
    'of another path': at(body, '/gateways/messagemedia/inbound', right),
    'of another query': at(body, `${path}?a=b`, right),
    'of another date': at(body, path, { ...right, date: 'Wed, 18 Jul 2018 06:33:53 GMT' }),
    'of a date in another form': signed({ date: '2018-07-18T06:33:52Z' }),
    'of a date in an older form': signed({ date: 'Wed, 18 Jul 18 06:33:52 GMT' }),
    'of a day that is no Wednesday': signed({ date: 'Mon, 18 Jul 2018 06:33:52 GMT' }),
    'of a day that is none': signed({ date: 'Wed, 31 Jun 2018 06:33:52 GMT' }),
    'of a date with more behind it': signed({ date: 'Wed, 18 Jul 2018 06:33:52 GMT ' }),
    'with an empty date': signed({ date: '' }),
    'a form': at('reply_id=r&content=a', path, signatureHeaders(path, 'reply_id=r&content=a')),
    'JSON that is no object': at('"x"', path, signatureHeaders(path, '"x"')),
    'without a body': at('', path, signatureHeaders(path, '')),
    'without a date': at(body, path, { ...right, date: undefined }),
    'of another digest': at(body, path, { ...right, 'x-messagemedia-digest-type': 'SHA512' }),
    'of a weak digest': at(body, path, { ...signatureHeaders(path, body, { digest: 'SHA1' }) }),
    'of an unknown digest': at(body, path, { ...right, 'x-messagemedia-digest-type': '__proto__' }),
    'without a digest': at(body, path, { ...right, 'x-messagemedia-digest-type': undefined }),
    'an empty signature': at(body, path, { ...right, 'x-messagemedia-signature': '' }),
    'no signature': at(body, path, { ...right, 'x-messagemedia-signature': '%%%' }),
    'two signatures': at(body, path, { ...right, 'x-messagemedia-signature': ['a', 'b'] }),
    'the token alone': at(body, `${path}?token=${token}`),
  })) {
    assert.equal(callbacks({ callbackToken: null }).isGenuine(request), false, name);
  }
});

test('no shift of the boundary between Date and body, or path and Date, is genuine', () => {
  const date = 'Wed, 18 Jul 2018 06:33:52 GMT';
  const asForm = 'x&reply_id=r&source_number=%2B61491570157&content=STOP&y=';
  const written = fc.oneof(
    fc.constant(asForm),
    fc.constant(`${date}${asForm}`),
    fc.constant(`\n${JSON.stringify([{ ...reply, content: 'STOP' }])}\n`),
    fc.constant(`HTTP/1.1${date}{}`),
    fc.string({ unit: 'binary' }),
  );
  const bodies = fc.oneof(
    written.map((content) => JSON.stringify({ ...reply, content })),
    written.map((content) => JSON.stringify([content, { ...reply, content }, content])),
    // What the account may be set to, though none of it counts here.
    written.map((content) => new URLSearchParams({ reply_id: 'r', source_number: '1', content }).toString()),
    written.map((content) => content + JSON.stringify(reply)),
  );
  const shifts = fc.integer({ min: -60, max: 300 }).filter((by) => by !== 0);
  let tried = 0;
  fc.assert(
    fc.property(bodies, shifts, fc.boolean(), (text, by, ofPath) => {
      const right = signatureHeaders(path, text, { date });
      // The bytes as they are signed, cut apart elsewhere.
      const all = Buffer.from(`${path} HTTP/1.1${date}${text}`).toString('latin1');
      const start = path.length + 9;
      const [from, to] = ofPath ? [start + by, start + by + 29] : [start, start + 29 + by];
      if (from < 9 || to < from) return;
      const moved = { ...right, date: all.slice(from, to) };
      const rest = Buffer.from(all.slice(to), 'latin1');
      const request = { url: all.slice(0, from - 9), headers: moved, body: rest };
      tried++;
      assert.equal(callbacks().isGenuine(request), false);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(tried > 1_000);
});

test('what a customer wrote is no request of its own', () => {
  const content = 'x&reply_id=r&source_number=%2B61491570157&content=STOP&y=';
  const text = JSON.stringify({ ...reply, content });
  const right = signatureHeaders(path, text);
  const cut = text.indexOf(content);
  const shifted = { ...right, date: `${right['date']}${text.slice(0, cut)}` };
  assert.equal(callbacks().isGenuine(at(text, path, right)), true);
  assert.equal(callbacks().isGenuine(at(text.slice(cut), path, shifted)), false);
});

test('without signatures the token counts, with both it needs both, with neither nothing is genuine', () => {
  const withToken = `${path}?token=${token}`;
  const byToken = callbacks({ publicKeys: [], callbackToken: token });
  assert.equal(byToken.isGenuine(at(body, withToken)), true);
  for (const url of [path, `${path}?token=`, `${withToken}x`, `${path}?tokens=${token}`]) {
    assert.equal(byToken.isGenuine(at(body, url)), false, url);
  }
  const byBoth = callbacks({ callbackToken: token });
  assert.equal(byBoth.isGenuine(signed({}, withToken)), true);
  assert.equal(byBoth.isGenuine(signed()), false);
  assert.equal(byBoth.isGenuine(at(body, withToken)), false);
  assert.equal(callbacks({ publicKeys: [] }).isGenuine(signed()), false);
});

const { isGenuine, reports, inbound } = callbacks();

for (const [changes, state, detail] of [
  [{}, 'delivered', 'delivered: delivered (220)'],
  [
    { status: 'expired', error_code: '401' },
    'expired',
    'expired: its time was over before it was delivered (401)',
  ],
  [{ status: 'rejected', error_code: '302' }, 'undelivered', 'rejected: the number is blocked (302)'],
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

test('a report on the way, of a status that is new, or of a message that is not ours tells of nothing', () => {
  for (const status of ['enroute', 'submitted', 'queued', 'processed', 'scheduled', 'constructor', 'read']) {
    assert.deepEqual(reports(at({ ...report, status })), []);
  }
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

test('what is neither can not be read', () => {
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

test('nothing makes the reading throw', () => {
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
