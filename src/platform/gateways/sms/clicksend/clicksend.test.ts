/** Tests against the shapes of ClickSend's documentation (SMS, Application Status Codes), served on loopback. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, timeOfId } from '#base/values/id.ts';
import { createHttpPool } from '#platform/gateways/http-pool.ts';
import { providerRules, sms } from '../../../../../test/fixtures/provider-rules.ts';
import { type AskedOfProvider, startSmsProvider } from '../../../../../test/fixtures/sms-provider.ts';
import { sendSms } from '../send.ts';
import { clickSendSms } from './clicksend.ts';

const at = (url: string, apiKey = 'key') =>
  clickSendSms({
    url,
    username: 'user',
    apiKey,
    callbackToken: 'a-token-of-16-or-more',
    http: createHttpPool(),
  });

const messageId = '1ABC3200-C38C-6308-BE4B-C7C51D01DCF0';
/** ClickSend responds with HTTP 200 whatever became of the message. */
const answered =
  (status: string, changes = {}) =>
  (asked: AskedOfProvider) => ({
    http_code: 200,
    response_code: 'SUCCESS',
    response_msg: 'Messages queued for delivery.',
    data: {
      total_price: 0.0792,
      total_count: 1,
      queued_count: status === 'SUCCESS' ? 1 : 0,
      messages: JSON.parse(asked.body).messages.map((message: object) => ({
        direction: 'out',
        date: 1_721_099_039,
        ...message,
        schedule: '',
        message_id: messageId,
        message_parts: 1,
        message_price: '0.0792',
        country: 'AU',
        carrier: 'Telstra',
        status,
        ...changes,
      })),
      _currency: { currency_name_short: 'AUD' },
      blocked_count: 0,
    },
  });
const envelope = (http_code: number, response_code: string, response_msg = 'Words.') => ({
  http_code,
  response_code,
  response_msg,
  data: null,
});

providerRules({ at, accepts: [200, answered('SUCCESS')] });

test('what is sent: text, numbers, our reference', async () => {
  const provider = await startSmsProvider([200, answered('SUCCESS')]);
  const outbound = sms({ from: 'HARBOUR', body: 'Hi 100% & € "✓"\n' });
  assert.deepEqual(await sendSms(at(provider.url), outbound), { state: 'accepted', gatewayId: messageId });
  await sendSms(at(provider.url), sms());
  const [first, second] = provider.asked;
  assert.deepEqual([first?.method, first?.url], ['POST', '/v3/sms/send']);
  assert.deepEqual(JSON.parse(first?.body ?? ''), {
    messages: [
      {
        to: '+61491570006',
        body: 'Hi 100% & € "✓"\n',
        from: 'HARBOUR',
        source: 'pitlane',
        custom_string: outbound.reference,
      },
    ],
  });
  assert.ok(!('from' in JSON.parse(second?.body ?? '').messages[0]));
});

const invalid = { state: 'refused', permanent: true, reason: 'invalidNumber' };
const refused = { state: 'refused', permanent: true, reason: 'refused' };
const busy = { state: 'refused', permanent: false, reason: 'temporarilyRefused' };
const unavailable = { state: 'refused', permanent: false, reason: 'gatewayUnavailable', elsewhere: true };
const unknown = { state: 'unknown' };

const codes = [
  ['INVALID_RECIPIENT', invalid, undefined, /the number is not valid/],
  ['INVALID_SENDER_ID', refused, undefined, /the sender is not allowed/],
  ['EMPTY_MESSAGE', refused, undefined, /empty/],
  ['REGISTRATION_NEEDED', refused, true, /must be registered/],
  ['COUNTRY_NOT_ENABLED', refused, true, /may not send to this country/],
  ['THROTTLED', busy, false, /the same text/],
  ['INSUFFICIENT_CREDIT', busy, true, /no credit left/],
  ['ACCOUNT_NOT_ACTIVATED', unavailable, true, /not active/],
  ['INVALID_CREDENTIALS', unavailable, true, /the user name and key \(CLICKSEND_USERNAME\)\.$/],
  ['INTERNAL_ERROR', unknown, undefined, /an error of its own/],
  ['SOMETHING_NEW', unknown, undefined, /SOMETHING_NEW/],
] as const;

for (const [code, expected, elsewhere, detail] of codes) {
  test(`the message's status ${code}`, async () => {
    const provider = await startSmsProvider([200, answered(code)]);
    const outcome = await sendSms(at(provider.url), sms());
    assert.partialDeepStrictEqual(outcome, expected);
    assert.equal(outcome.state === 'refused' ? outcome.elsewhere : undefined, elsewhere);
    assert.match(outcome.state === 'accepted' ? '' : outcome.detail, detail);
  });
}

test('a text that ClickSend would cut is not handed over', async () => {
  const provider = await startSmsProvider([200, answered('SUCCESS')]);
  const outcome = await sendSms(at(provider.url), sms({ body: 'x'.repeat(8 * 153 + 1) }));
  assert.partialDeepStrictEqual(outcome, { state: 'refused', permanent: true, elsewhere: true });
  assert.equal(provider.asked.length, 0);
  await sendSms(at(provider.url), sms({ body: 'x'.repeat(8 * 153) }));
  assert.equal(provider.asked.length, 1);
});

test('the same codes of a whole request; others with its words', async () => {
  for (const [status, body, expected] of [
    [400, envelope(400, 'INVALID_RECIPIENT'), invalid],
    [402, envelope(402, 'INSUFFICIENT_CREDIT'), { ...busy, elsewhere: true }],
    [400, envelope(400, 'BAD_REQUEST', 'No to +61491570006.'), { ...refused, detail: 'ClickSend: No to ….' }],
    [400, {}, { ...refused, detail: 'ClickSend: status 400' }],
    [400, envelope(400, 'INTERNAL_ERROR'), unknown],
    // Not in ClickSend's form: the response of a proxy, which says nothing about the message.
    [400, '', unavailable],
    [413, '<html>', unavailable],
    // As ClickSend's older API responds.
    [200, envelope(401, 'INVALID_CREDENTIALS'), unavailable],
    [200, envelope(400, 'BAD_REQUEST'), unknown],
    [200, envelope(500, 'INTERNAL_ERROR'), unknown],
  ] as const) {
    const provider = await startSmsProvider([status, body]);
    assert.partialDeepStrictEqual(await sendSms(at(provider.url), sms()), expected);
  }
});

test('a response with several messages: ours counts; SUCCESS without an id is no acceptance', async () => {
  const outbound = sms();
  const row = (status: string, custom_string: string) => ({ status, custom_string, message_id: messageId });
  for (const [messages, expected] of [
    [[row('INVALID_RECIPIENT', 'other'), row('SUCCESS', outbound.reference)], { state: 'accepted' }],
    [[row('SUCCESS', 'other'), row('INVALID_RECIPIENT', outbound.reference)], invalid],
    [[row('SUCCESS', 'a'), row('SUCCESS', 'b')], unknown],
    [[{ status: 'SUCCESS', message_id: messageId }], { state: 'accepted' }],
    [[{ status: 'SUCCESS' }], unknown],
    [[{ message_id: messageId }], unknown],
  ] as const) {
    const provider = await startSmsProvider([200, { ...envelope(200, 'SUCCESS'), data: { messages } }]);
    assert.partialDeepStrictEqual(await sendSms(at(provider.url), outbound), expected);
  }
});

const rowOf = (custom_string: string, changes = {}) => ({
  direction: 'out',
  status: 'Sent',
  message_id: messageId,
  custom_string,
  ...changes,
});
/** The pages of ClickSend's history, by `page`. */
const history =
  (...pages: readonly (readonly object[])[]) =>
  ({ url }: AskedOfProvider) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page'));
    const data = { current_page: page, last_page: pages.length, data: pages[page - 1] ?? [] };
    return { ...envelope(200, 'SUCCESS'), data };
  };
const lookUp = (url: string, reference: string) =>
  at(url).lookUp(reference, AbortSignal.timeout(10_000), null, { to: '+61491570006', body: 'Hi' });
const others = Array.from({ length: 25 }, () => rowOf(newId()));

test('"View SMS history": the look-up filters by recipient and time of the hand-over, and reads page after page until it finds the reference', async () => {
  const reference = newId();
  const provider = await startSmsProvider([200, history(others, [...others, rowOf(reference)], others)]);
  assert.deepEqual(await lookUp(provider.url, reference), { state: 'accepted', gatewayId: messageId });
  assert.equal(provider.asked.length, 2);
  const { pathname, searchParams } = new URL(provider.asked[0]?.url ?? '', 'http://x');
  const { date_from, date_to, ...query } = Object.fromEntries(searchParams);
  assert.deepEqual([pathname, query], ['/v3/sms/history', { q: 'to:+61491570006', limit: '25', page: '1' }]);
  assert.match(provider.asked[0]?.url ?? '', /[?&]q=to%3A%2B61491570006&/);
  const madeAt = (timeOfId(reference)?.getTime() ?? 0) / 1_000;
  assert.ok(Number(date_from) <= madeAt - 120 && Number(date_to) >= madeAt + 119);
});

test('a message that is missing in the history, failed or inbound proves nothing', async () => {
  const reference = newId();
  for (const pages of [
    [others],
    [[]],
    [[rowOf(reference, { status: 'Failed' }), rowOf(reference, { status: 'CancelledAfterReview' })]],
    [[rowOf(reference, { direction: 'in', status: 'Received' })]],
    [[rowOf(reference.toUpperCase())]],
  ]) {
    const provider = await startSmsProvider([200, history(...pages)]);
    assert.deepEqual(await lookUp(provider.url, reference), { state: 'unknown' });
  }
});

test('a history with too many pages is given up for good', async () => {
  const provider = await startSmsProvider([200, history(...Array.from({ length: 9 }, () => others))]);
  assert.deepEqual(await lookUp(provider.url, newId()), { state: 'unknown', permanent: true });
  assert.equal(provider.asked.length, 8);
});
