/** ClickSend's specifics, beyond those of every provider (contract.test.ts): expiries, credit, and look-ups. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { newPhone } from '../../../test/fixtures/messaging.ts';
import { type AskedOfProvider, startSmsProvider } from '../../../test/fixtures/sms-provider.ts';
import { worldThrough } from '../../../test/fixtures/through-gateway.ts';

const token = 'a-token-of-16-or-more';
const answering = (status: string) => (asked: AskedOfProvider) => ({
  http_code: 200,
  response_code: 'SUCCESS',
  response_msg: 'Messages queued for delivery.',
  data: {
    messages: JSON.parse(asked.body).messages.map((message: object) => ({
      ...message,
      message_id: newId().toUpperCase(),
      status,
    })),
  },
});
const provider = await startSmsProvider([200, answering('SUCCESS')]);
const { app, send, post, read } = await worldThrough({
  PITLANE_SMS_GATEWAYS: 'clicksend',
  CLICKSEND_URL: provider.url,
  CLICKSEND_USERNAME: 'user',
  CLICKSEND_API_KEY: 'key',
  CLICKSEND_CALLBACK_TOKEN: token,
});

const referenceOfLast = (): string => JSON.parse(provider.asked.at(-1)?.body ?? '').messages[0].custom_string;

test('an expiry is recorded with its reason', async () => {
  const { sms } = await send({ phone: newPhone() });
  const error_text = 'Message delivery receipt expired';
  const report = { status_code: '301', error_text, custom_string: referenceOfLast() };
  const { status } = await app.request('POST', `/gateways/clicksend/reports?token=${token}`, {
    body: new URLSearchParams(report).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(status, 200);
  const { state, detail } = await read(sms.messageId);
  assert.deepEqual([state, detail], ['expired', error_text]);
});

test('an account without credit fails with a detail in plain words', async () => {
  provider.answer([200, answering('INSUFFICIENT_CREDIT')]);
  const { success, sms } = await send({ phone: newPhone() });
  const { state, detail } = await read(sms.messageId);
  assert.deepEqual([success, sms.reason, state], [false, 'temporarilyRefused', 'failed']);
  assert.equal(detail, 'ClickSend: the account has no credit left.');
  provider.answer([200, answering('SUCCESS')]);
});

test('an unknown outcome is reconciled when the partner repeats the request, and not sent twice', async () => {
  const body = { phone: newPhone(), referenceId: newId() };
  provider.answer((_, response) => response.destroy());
  const first = await post(body);
  assert.deepEqual([first.body.success, first.body.sms.reason], [false, 'unknownOutcome']);
  const row = { direction: 'out', status: 'Sent', message_id: newId(), custom_string: referenceOfLast() };
  const before = provider.asked.length;
  provider.answer(({ url }, response) => {
    assert.match(url, /^\/v3\/sms\/history\?/);
    response.end(JSON.stringify({ http_code: 200, data: { last_page: 1, data: [row] } }));
  });
  const second = await post(body);
  assert.deepEqual([second.status, second.body.success], [200, true]);
  assert.equal(provider.asked.length, before + 1, 'asked, and nothing sent');
  provider.answer([200, answering('SUCCESS')]);
});
