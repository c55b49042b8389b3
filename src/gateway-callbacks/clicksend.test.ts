/** ClickSend from the send to the inbox, as its documentation describes it: message, receipt, delivered, answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#values/id.ts';
import { inboundWorld } from '../../test/fixtures/inbound.ts';
import { newPhone } from '../../test/fixtures/messaging.ts';
import { type AskedOfProvider, startSmsProvider } from '../../test/fixtures/sms-provider.ts';
import { worldThrough } from '../../test/fixtures/through-gateway.ts';

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
const { conversations } = inboundWorld(app);

const referenceOfLast = (): string => JSON.parse(provider.asked.at(-1)?.body ?? '').messages[0].custom_string;

/** As ClickSend's rule with the action URL posts it. */
async function bring(what: string, fields: Record<string, string>, given = token): Promise<number> {
  const { status } = await app.request('POST', `/gateways/clicksend/${what}?token=${given}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return status;
}

async function sent() {
  const phone = newPhone();
  const { sms } = await send({ phone });
  return { phone, messageId: sms.messageId, custom_string: referenceOfLast() };
}

test('a message is accepted, reported and delivered; forged and repeated callbacks change nothing', async () => {
  const { messageId, custom_string } = await sent();
  const receipt = (status_code: string, status_text: string) => ({
    message_id: newId().toUpperCase(),
    message_type: 'sms',
    status_code,
    status_text,
    error_code: '',
    error_text: '',
    custom_string,
  });
  for (const code of ['200', '300']) assert.equal(await bring('reports', receipt(code, 'On its way')), 200);
  assert.equal(await bring('reports', receipt('301', 'Failed'), 'another-token-of-its-own'), 404);
  assert.equal((await read(messageId)).state, 'accepted');
  for (const [code, text] of [
    ['201', 'Success: Message received on handset.'],
    ['201', 'Success: Message received on handset.'],
    ['301', 'Failed'],
  ] as const) {
    assert.equal(await bring('reports', receipt(code, text)), 200);
    assert.equal((await read(messageId)).state, 'delivered');
  }
});

test('a failure and an expiry are recorded with their reasons', async () => {
  for (const [error_text, state] of [
    ['Absent Subscriber. Phone is out of range or switched off.', 'undelivered'],
    ['Message delivery receipt expired', 'expired'],
  ] as const) {
    const { messageId, custom_string } = await sent();
    assert.equal(await bring('reports', { status_code: '301', error_text, custom_string }), 200);
    const message = await read(messageId);
    assert.deepEqual([message.state, message.detail], [state, error_text]);
  }
});

test("the customer's answer is in the conversation once, however often and in whatever form the callback comes", async () => {
  const { phone, custom_string } = await sent();
  const answer = {
    message_id: newId(),
    from: phone.slice(1),
    to: '61477000001',
    body: 'Yes & ✓',
    custom_string,
  };
  const path = `/gateways/clicksend/inbound?token=${token}`;
  for (const status of [
    await bring('inbound', answer),
    await bring('inbound', answer),
    (await app.request('POST', path, { body: { ...answer, timestamp: 1_775_012_927 } })).status,
    (await app.request('GET', `${path}&${new URLSearchParams(answer)}`)).status,
  ]) {
    assert.equal(status, 200);
  }
  assert.equal(await bring('inbound', { ...answer, message_id: newId() }, ''), 404);
  const [conversation, ...more] = await conversations(phone);
  assert.deepEqual(
    conversation?.messages.map(({ direction, body }) => [direction, body]),
    [
      ['outbound', 'Your car is ready.'],
      ['inbound', 'Yes & ✓'],
    ],
  );
  assert.deepEqual(more, []);
});

test('an account without credit fails with a detail that a person understands', async () => {
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
