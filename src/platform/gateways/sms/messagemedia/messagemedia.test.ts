/** Tests against the shapes of MessageMedia's documentation (Messages, Messaging Reports), served on loopback. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfId } from '#base/values/id.ts';
import { failuresToOpen } from '#platform/gateways/limiter/breaker.ts';
import { createLimiter } from '#platform/gateways/limiter/limiter.ts';
import { throttled } from '#platform/gateways/limiter/throttled-sms.ts';
import { messageMediaAt as at } from '../../../../../test/fixtures/messagemedia.ts';
import { providerRules, sms } from '../../../../../test/fixtures/provider-rules.ts';
import { type AskedOfProvider, startSmsProvider } from '../../../../../test/fixtures/sms-provider.ts';
import { sendSms } from '../send.ts';

const messageId = '04fe9a97-a579-43c5-bb1a-58ed29bf0a6a';
/** The requested message, with the two properties that the response adds. */
const queued = ({ body }: AskedOfProvider) => ({
  messages: JSON.parse(body).messages.map((message: object) => ({
    ...message,
    message_id: messageId,
    status: 'queued',
  })),
});

providerRules({ at, accepts: [202, queued] });

test('the request: text, numbers, our reference, and the callback URL', async () => {
  const provider = await startSmsProvider([202, queued]);
  const outbound = sms({ from: '+61400000000', body: 'Hi 100% & € "✓"\n', validForMs: 3_600_000 });
  const madeAt = timeOfId(outbound.reference)?.getTime() ?? 0;
  const outcome = await sendSms(at(provider.url), outbound);
  assert.deepEqual(outcome, { state: 'accepted', gatewayId: messageId });
  const [asked] = provider.asked;
  assert.deepEqual([asked?.method, asked?.url], ['POST', '/v1/messages']);
  assert.equal(asked?.headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(asked?.body ?? ''), {
    messages: [
      {
        content: 'Hi 100% & € "✓"\n',
        destination_number: '+61491570006',
        format: 'SMS',
        source_number: '+61400000000',
        source_number_type: 'INTERNATIONAL',
        message_expiry_timestamp: new Date(madeAt + 3_600_000).toISOString(),
        delivery_report: true,
        callback_url: 'https://pitlane.example/gateways/messagemedia/callbacks?token=a-token-of-16-or-more',
        metadata: { reference: outbound.reference },
      },
    ],
  });
});

test('senders are numbers, short codes and names; without a sender the account’s own is used; without a token there is no callback URL', async () => {
  const provider = await startSmsProvider([202, queued]);
  for (const [from, type] of [
    ['19990001', 'SHORTCODE'],
    ['HARBOUR', 'ALPHANUMERIC'],
    [null, undefined],
  ] as const) {
    await sendSms(at(provider.url, 's', { callbackToken: null }), sms({ from }));
    const [message] = JSON.parse(provider.asked.pop()?.body ?? '').messages;
    assert.deepEqual([message.source_number, message.source_number_type], [from ?? undefined, type]);
    assert.equal(message.callback_url, 'https://pitlane.example/gateways/messagemedia/callbacks');
  }
});

for (const [name, body, reason, detail] of [
  [
    'an invalid number',
    {
      message: 'Request failed to parse correctly. Please ensure input is valid and try again.',
      details: [
        "/messages/0/destination_number: International address must be between 8 and 15 characters excluding the first '+'",
      ],
    },
    'invalidNumber',
    /^MessageMedia: Request failed to parse correctly.*must be between 8 and 15 characters/,
  ],
  [
    'an invalid sender',
    { message: 'Bad Request', details: ['/messages/0/source_number: is invalid'] },
    'refused',
    /source_number/,
  ],
] as const) {
  test(`400 for ${name}: none of the request is sent`, async () => {
    const provider = await startSmsProvider([400, body]);
    const outcome = await sendSms(at(provider.url), sms());
    assert.partialDeepStrictEqual(outcome, { state: 'refused', permanent: true, reason });
    assert.ok(outcome.state === 'refused' && outcome.elsewhere === undefined);
    assert.match(outcome.detail, detail);
  });
}

test('400 that names our own fields alone is a fault of the settings: it is tried again, and the next gateway is tried', async () => {
  const settings = { permanent: false, reason: 'gatewayUnavailable', elsewhere: true };
  const itsOwn = { permanent: true, reason: 'refused', elsewhere: undefined };
  const parsed = 'Request failed to parse correctly. Please ensure input is valid and try again.';
  for (const [fields, expected] of [
    [['callback_url'], settings],
    [['message_expiry_timestamp'], settings],
    [['callback_url', 'message_expiry_timestamp'], settings],
    [['metadata'], settings],
    [['callback_url', 'content'], itsOwn],
    [['message_expiry_timestamp', 'destination_number'], { ...itsOwn, reason: 'invalidNumber' }],
  ] as const) {
    const details = fields.map((name) => `/messages/0/${name}: is not valid`);
    const provider = await startSmsProvider([400, { message: parsed, details }]);
    const outcome = await sendSms(at(provider.url), sms());
    assert.ok(outcome.state === 'refused');
    const { permanent, reason, elsewhere } = outcome;
    assert.deepEqual({ permanent, reason, elsewhere }, expected, fields.join());
  }
});

test('422 is about the connection for numbers of one country: five in a row do not open the breaker, and the next gateway is tried', async () => {
  const message = 'TLS 1.3 or higher is required to send messages to this destination';
  const provider = await startSmsProvider([
    422,
    { message, details: ['/messages/0/destination_number: +65 needs TLS 1.3'] },
  ]);
  const limiter = createLimiter({ name: 'messagemedia' });
  for (let i = 0; i <= failuresToOpen; i++) {
    const outcome = await sendSms(throttled(at(provider.url), limiter), sms({ to: '+6580000000' }));
    assert.partialDeepStrictEqual(outcome, {
      state: 'refused',
      permanent: true,
      reason: 'refused',
      elsewhere: true,
    });
    assert.match(outcome.state === 'refused' ? outcome.detail : '', /TLS 1\.3/);
  }
  assert.equal(limiter.state().breaker, 'closed');
});

for (const [name, body, detail] of [
  ['its documented example', { message: 'Something went wrong. Please try again later.' }, /try again later/],
  [
    'a body that it can not read',
    {
      message: 'Request failed to parse correctly. Please ensure input is valid and try again.',
      details: ['Failed to parse message body.'],
    },
    /Failed to parse message body/,
  ],
  ['a number that it repeats', { message: 'No SMS to +61 491 570 006.' }, /^MessageMedia: No SMS to …\.$/],
  ['nothing', {}, /^MessageMedia: Status 400\.$/],
  ['another form', { message: ['a'], details: 'b' }, /Status 400/],
] as const) {
  test(`400 without a field, with ${name}: certainly not sent, and not final`, async () => {
    const provider = await startSmsProvider([400, body]);
    const outcome = await sendSms(at(provider.url), sms());
    const later = { state: 'refused', permanent: false, reason: 'temporarilyRefused', elsewhere: true };
    assert.partialDeepStrictEqual(outcome, later);
    assert.match(outcome.state === 'refused' ? outcome.detail : '', detail);
  });
}

test('a 4xx in another form comes from a proxy in front of MessageMedia: another gateway may accept the message', async () => {
  for (const answer of [
    [400, ''],
    [413, '<html>'],
    [407, 'Proxy'],
  ] as const) {
    const provider = await startSmsProvider([...answer]);
    const outcome = await sendSms(at(provider.url), sms());
    assert.partialDeepStrictEqual(outcome, { state: 'refused', permanent: false, elsewhere: true });
  }
});

test('202 without an id proves nothing', async () => {
  for (const body of [{ messages: [] }, { messages: [{ status: 'queued' }] }, { messages: [null] }, {}]) {
    const provider = await startSmsProvider([202, body]);
    assert.equal((await sendSms(at(provider.url), sms())).state, 'unknown');
  }
});
