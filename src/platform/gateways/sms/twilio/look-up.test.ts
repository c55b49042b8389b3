/** What a look-up concludes from Twilio's list of messages, in the form of "Message resource", read multiple messages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, timeOfId } from '#base/values/id.ts';
import { startSmsProvider } from '../../../../../test/fixtures/sms-provider.ts';
import { accountSid, gatewayAt } from '../../../../../test/fixtures/twilio.ts';

const reference = newId();
const madeAt = timeOfId(reference)?.getTime() ?? 0;
const handedOver = { to: '+61491570006', body: 'Your car is ready.' };
const rfc2822 = (ms: number) => new Date(ms).toUTCString().replace('GMT', '+0000');
const created = (sid: string, changes = {}) => ({
  sid,
  account_sid: accountSid,
  to: handedOver.to,
  from: '+61400000000',
  body: handedOver.body,
  direction: 'outbound-api',
  status: 'sent',
  date_created: rfc2822(madeAt + 4_000),
  ...changes,
});

/** The result of a look-up `afterMs` after the hand-over, when the list has these messages. */
async function lookUp(messages: unknown, afterMs = 10_000, sms: typeof handedOver | undefined = handedOver) {
  const provider = await startSmsProvider([200, { messages }, { date: rfc2822(madeAt + afterMs) }]);
  const gateway = gatewayAt(Number(new URL(provider.url).port));
  return { found: await gateway.lookUp(reference, AbortSignal.timeout(10_000), null, sms), provider };
}

test('one message to the recipient with the text, created in the time of the hand-over, means accepted', async () => {
  const inbound = created('SM-in', { direction: 'inbound' });
  const { found, provider } = await lookUp([
    inbound,
    created('SM-own'),
    created('SM-b', { body: 'Another' }),
  ]);
  assert.deepEqual(found, { state: 'accepted', gatewayId: 'SM-own' });
  const [asked] = provider.asked;
  const url = new URL(asked?.url ?? '', 'http://x');
  assert.deepEqual(
    [asked?.method, url.pathname, Object.fromEntries(url.searchParams)],
    ['GET', `/2010-04-01/Accounts/${accountSid}/Messages.json`, { To: handedOver.to, PageSize: '20' }],
  );
});

for (const [status, error_code, final] of [
  [
    'failed',
    30002,
    { state: 'undelivered', detail: "The Twilio account is suspended (Twilio's error 30002)." },
  ],
  [
    'undelivered',
    '30005',
    { state: 'undelivered', detail: "The carrier does not know the number (Twilio's error 30005)." },
  ],
  ['failed', null, { state: 'undelivered', detail: null }],
  ['canceled', null, { state: 'undelivered', detail: 'It was cancelled at Twilio.' }],
  [
    'failed',
    30036,
    { state: 'expired', detail: "Its time was over before it could be sent (Twilio's error 30036)." },
  ],
  ['delivered', null, { state: 'delivered', detail: null }],
  ['sending', null, undefined],
  ['constructor', null, undefined],
] as const) {
  test(`a message that is ${status} (${error_code}) there ${final ? `is ${final.state}` : 'is accepted'}`, async () => {
    const { found } = await lookUp([created('SM-own', { status, error_code })]);
    assert.deepEqual(found, { state: 'accepted', gatewayId: 'SM-own', ...(final && { final }) });
  });
}

test('two matching messages prove that Twilio has one of them: the outcome stays unknown, and nothing is sent again', async () => {
  const { found } = await lookUp([created('SM-a'), created('SM-b')], 3_600_000);
  assert.deepEqual(found, { state: 'unknown' });
});

test('without a match the look-up is repeated for a minute, then given up', async () => {
  const none = [
    created('SM-1', { date_created: rfc2822(madeAt - 60_000) }),
    created('SM-2', { date_created: rfc2822(madeAt + 60_000) }),
    created('SM-3', { to: '+61491570007' }),
    created('SM-4', { date_created: null }),
    { sid: 'SM-5' },
    null,
  ];
  assert.deepEqual((await lookUp(none)).found, { state: 'unknown' });
  assert.deepEqual((await lookUp(none, 61_000)).found, { state: 'unknown', permanent: true });
});

test('without the handed-over SMS there is nothing to look for, and Twilio is not called', async () => {
  for (const sms of [undefined, { ...handedOver, body: '' }]) {
    const provider = await startSmsProvider([200, { messages: [created('SM-own')] }]);
    const gateway = gatewayAt(Number(new URL(provider.url).port));
    const found = await gateway.lookUp(reference, AbortSignal.timeout(10_000), null, sms);
    assert.deepEqual([found, provider.asked], [{ state: 'unknown', permanent: true }, []]);
  }
});

test('an unreadable response proves nothing; an account that may not read the list ends the look-up', async () => {
  for (const [status, expected] of [
    [500, { state: 'unknown' }],
    [429, { state: 'unknown' }],
    [401, { state: 'unknown', permanent: true }],
  ] as const) {
    const provider = await startSmsProvider([status, {}, { date: rfc2822(madeAt + 3_600_000) }]);
    const gateway = gatewayAt(Number(new URL(provider.url).port));
    assert.deepEqual(
      await gateway.lookUp(reference, AbortSignal.timeout(10_000), null, handedOver),
      expected,
    );
  }
  assert.deepEqual((await lookUp('not a list')).found, { state: 'unknown' });
});
