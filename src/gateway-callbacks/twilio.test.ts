/** Twilio from its settings to the inbox: a send, its reports, an answer, an opt-out; over real HTTP in both directions. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { readSmsConfig } from '#config/sms-gateways.ts';
import { createSmsGateways } from '#gateways/sms/create.ts';
import { inboundWorld } from '../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../test/fixtures/messaging.ts';
import { atEnd } from '../../test/harness/clean-up.ts';

const publicUrl = 'https://pitlane.example';
const authToken = 'a-token-of-twilio';
const hex = '0123456789abcdef'.repeat(2);

type Form = Readonly<Record<string, string>>;
interface Sms {
  readonly sid: string;
  readonly form: Form;
}

/** All that Twilio has accepted, by number; the error that it has for one. */
const accepted = new Map<string, Sms>();
const refusals = new Map<string, readonly [status: number, code: number]>();
let ids = 0;
const newSid = () => `SM${String(ids++).padStart(32, '0')}`;

const server = createServer(async (request, response) => {
  const form = Object.fromEntries(new URLSearchParams(await text(request)));
  const to = form['To'] ?? '';
  const [status, code] = refusals.get(to) ?? [201, 0];
  const sms = { sid: newSid(), form };
  if (status === 201 || status >= 500) accepted.set(to, sms);
  const error = { code, message: 'No.', more_info: 'https://www.twilio.com/docs/errors', status };
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify(status === 201 ? { sid: sms.sid, status: 'queued' } : error));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
atEnd(async () => void server.close());

const sms = await createSmsGateways(
  readSmsConfig({
    PITLANE_SMS_GATEWAYS: 'twilio',
    PITLANE_PUBLIC_URL: publicUrl,
    TWILIO_ACCOUNT_SID: `AC${hex}`,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_FROM: '+61400000000',
    TWILIO_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }),
);
assert.ok(sms);
const { app, send, read, post } = await messagingWorld({ gateways: () => ({ sms }) });
const { conversations, optedOutAt } = inboundWorld(app);

/** What Twilio does with a URL that it was given: the fragment is for itself. */
function calls(url: string, form: Form, token = authToken) {
  const [called = ''] = url.split('#');
  assert.ok(called.startsWith(publicUrl));
  return app.request('POST', called.slice(publicUrl.length), {
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': getExpectedTwilioSignature(token, called, form),
    },
    body: new URLSearchParams(form).toString(),
  });
}

const acceptedFor = (phone: string) => accepted.get(phone) ?? assert.fail(`nothing was sent to ${phone}`);

function reports(phone: string, MessageStatus: string, more: Form = {}, token = authToken) {
  const { sid, form } = acceptedFor(phone);
  const [To = '', From = ''] = [form['To'], form['From']];
  const standard = {
    AccountSid: `AC${hex}`,
    ApiVersion: '2010-04-01',
    MessageSid: sid,
    SmsSid: sid,
    To,
    From,
  };
  return calls(form['StatusCallback'] ?? '', { ...standard, MessageStatus, ...more }, token);
}

const answers = (phone: string, Body: string, MessageSid = newSid()) =>
  calls(`${publicUrl}/gateways/twilio/inbound`, {
    AccountSid: `AC${hex}`,
    ApiVersion: '2010-04-01',
    MessageSid,
    SmsSid: MessageSid,
    SmsStatus: 'received',
    NumSegments: '1',
    NumMedia: '0',
    From: phone,
    To: '+61400000000',
    FromCountry: 'AU',
    Body,
  });

test('a message is sent, on its way, delivered, and answered', async () => {
  const phone = newPhone();
  const { sms: result } = await send({ phone });
  const { messageId } = result;
  assert.deepEqual([acceptedFor(phone).form['Body'], result.sent], ['Your car is ready.', true]);
  for (const [status, state] of [
    ['queued', 'accepted'],
    ['sent', 'accepted'],
    ['delivered', 'delivered'],
    ['sent', 'delivered'],
    ['delivered', 'delivered'],
  ] as const) {
    assert.equal((await reports(phone, status)).status, 200);
    assert.equal((await read(messageId)).state, state);
  }
  const sid = newSid();
  for (const repeat of [1, 2]) {
    assert.equal((await answers(phone, 'Thanks ✓ & bye', sid)).status, 200, String(repeat));
  }
  const [conversation] = await conversations(phone);
  assert.deepEqual(
    conversation?.messages.map(({ direction, body }) => [direction, body]),
    [
      ['outbound', 'Your car is ready.'],
      ['inbound', 'Thanks ✓ & bye'],
    ],
  );
});

test('what came of it is said in words, with the code', async () => {
  const phone = newPhone();
  const { sms: result } = await send({ phone });
  await reports(phone, 'undelivered', { ErrorCode: '30006' });
  const { state, detail } = await read(result.messageId);
  assert.deepEqual(
    [state, detail],
    ['undelivered', "The number is a landline, or its carrier can not be reached (Twilio's error 30006)."],
  );
});

test('what is not signed with the token changes nothing: 404', async () => {
  const phone = newPhone();
  const { sms: result } = await send({ phone });
  const { status, body } = await reports(phone, 'delivered', {}, 'another-token');
  assert.deepEqual([status, body.errorCode], [404, '000002']);
  assert.equal((await read(result.messageId)).state, 'accepted');
});

for (const [status, code, reason] of [
  [400, 21211, 'invalidNumber'],
  [400, 21610, 'optedOut'],
  [400, 21612, 'refused'],
  [401, 20003, 'gatewayUnavailable'],
  [429, 20429, 'temporarilyRefused'],
] as const) {
  test(`Twilio refuses with ${status} ${code}: ${reason}`, async () => {
    const phone = newPhone();
    refusals.set(phone, [status, code]);
    const { body } = await post({ phone });
    assert.deepEqual([body.sms.sent, body.sms.reason], [false, reason]);
    // A fault of the account is the operator's business.
    assert.equal(body.sms.message.includes(`Twilio's error ${code}`), reason !== 'gatewayUnavailable');
    assert.ok(!JSON.stringify(body).includes(authToken));
  });
}

test('an error of Twilio leaves it unknown, and its report settles that', async () => {
  const phone = newPhone();
  refusals.set(phone, [500, 20500]);
  const { body } = await post({ phone });
  assert.deepEqual([body.sms.sent, body.sms.reason], [false, 'unknownOutcome']);
  assert.equal((await read(body.sms.messageId)).state, 'unknown');
  assert.equal((await reports(phone, 'delivered')).status, 200);
  assert.equal((await read(body.sms.messageId)).state, 'delivered');
});

test('STOP opts out, though Twilio refuses the confirmation, having said so itself', async () => {
  const phone = newPhone();
  await send({ phone });
  refusals.set(phone, [400, 21610]);
  assert.equal((await answers(phone, 'STOP')).status, 200);
  assert.ok(await optedOutAt(phone));
  await app.drain({ retries: true });
  const [conversation] = await conversations(phone);
  const { state, reason } = conversation?.messages.at(-1) ?? {};
  assert.deepEqual([state, reason], ['failed', 'optedOut']);
});
