/**
 * Twilio's specifics, beyond those of every provider (contract.test.ts): its refusals, server errors and opt-outs; over real HTTP
 * in both directions.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { readSmsConfig } from '#base/config/sms-gateways.ts';
import { createSmsGateways } from '#platform/gateways/sms/create.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';

const publicUrl = 'https://pitlane.example';
const authToken = 'a-token-of-twilio';
const hex = '0123456789abcdef'.repeat(2);

type Form = Readonly<Record<string, string>>;
interface Sms {
  readonly sid: string;
  readonly form: Form;
}

/** The messages that Twilio has accepted, by number, and the error that it returns for one. */
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
const { app, send, read, post, book } = await messagingWorld({ gateways: () => ({ sms }) });
const { conversations, optedOutAt, events } = inboundWorld(app);

/** How Twilio calls a given URL: the fragment contains options for Twilio. */
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
    // Faults of the account are shown only to the operator.
    assert.equal(body.sms.message.includes(`Twilio's error ${code}`), reason !== 'gatewayUnavailable');
    assert.ok(!JSON.stringify(body).includes(authToken));
  });
}

test('a server error of Twilio leaves the outcome unknown, and its report decides it', async () => {
  const phone = newPhone();
  refusals.set(phone, [500, 20500]);
  const { body } = await post({ phone });
  assert.deepEqual([body.sms.sent, body.sms.reason], [false, 'unknownOutcome']);
  assert.equal((await read(body.sms.messageId)).state, 'unknown');
  assert.equal((await reports(phone, 'delivered')).status, 200);
  assert.equal((await read(body.sms.messageId)).state, 'delivered');
});

test('STOP opts out; Twilio refuses our confirmation, since it has sent its own', async () => {
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

test('21610: the customer has opted out at Twilio, and is opted out here too, after a message or a notice', async () => {
  for (const kind of ['message', 'notice']) {
    const phone = newPhone();
    refusals.set(phone, [400, 21610]);
    if (kind === 'message') assert.equal((await send({ phone })).sms.reason, 'optedOut');
    else await book(phone);
    await app.drain();
    assert.ok((await optedOutAt(phone)) instanceof Date, kind);
    assert.equal((await events('customer.optedOut', phone)).length, 1);
    refusals.delete(phone);
    const { success, sms: again } = await send({ phone });
    assert.deepEqual([success, again.reason, accepted.has(phone)], [false, 'optedOut', false]);
    await answers(phone, 'START');
    assert.equal((await send({ phone })).success, true);
  }
});

test('REVOKE is one of Twilio’s opt-out words', async () => {
  const phone = newPhone();
  await send({ phone });
  await answers(phone, 'Revoke');
  assert.ok((await optedOutAt(phone)) instanceof Date);
});

test('an intermediate status settles an unknown outcome: nothing is sent again', async () => {
  const phone = newPhone();
  refusals.set(phone, [500, 20500]);
  const first = await send({ phone, referenceId: 'R' });
  assert.equal(first.sms.reason, 'unknownOutcome');
  assert.equal((await reports(phone, 'sent')).status, 200);
  assert.equal((await read(first.sms.messageId)).state, 'accepted');
  const { sid } = acceptedFor(phone);
  assert.equal((await send({ phone, referenceId: 'R' })).success, true);
  assert.equal(acceptedFor(phone).sid, sid);
});
