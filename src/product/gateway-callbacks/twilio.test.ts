/** Long because one Twilio serves all of it. */

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
import { actors } from '#base/values/actor.ts';
import { createSmsGateways } from '#platform/gateways/sms/create.ts';
import { optInAgain } from '#product/customers/opt-in.ts';
import { findToldOptIn } from '#product/customers/provider-opt-in/store.ts';
import { tellOptIns } from '#product/sending/provider-opt-in/tell.ts';
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

/** What the Consent API was asked, and what it answers next: 201 where nothing else is said. */
const consents: Record<string, string>[] = [];
const consentAnswers: (readonly [status: number, errorCode?: number])[] = [];

const server = createServer(async (request, response) => {
  if (request.url === '/v1/Consents/Bulk') {
    const item = JSON.parse(new URLSearchParams(await text(request)).get('Items') ?? '{}');
    consents.push(item);
    const [status, error_code = 0] = consentAnswers.shift() ?? [201];
    const items = [
      { correlation_id: item.correlation_id, error_code, error_messages: error_code ? ['Bad sender'] : [] },
    ];
    return void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items }));
  }
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
    TWILIO_CONSENT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }),
);
assert.ok(sms);
const { app, send, read, post, book, workshopId } = await messagingWorld({ gateways: () => ({ sms }) });
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

const answers = (phone: string, Body: string, MessageSid = newSid(), more: Form = {}) =>
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
    ...more,
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

/** RCS: the number and the agent behind the name of the channel. */
const byRcs = (phone: string) => ({
  ...{
    From: `rcs:${phone}`,
    To: 'rcs:harbour_motors_abcdefgh_agent',
    ChannelPrefix: 'rcs',
    MessagingServiceSid: `MG${hex}`,
  },
});

test("an answer by RCS is of the workshop that texted last, from the number; a button says what it stands for (specification: Customers' answers 8)", async () => {
  const phone = newPhone();
  await send({ phone });
  assert.equal((await answers(phone, 'Yes, see you', newSid(), byRcs(phone))).status, 200);
  const button = { ...byRcs(phone), ButtonText: 'Move it', ButtonPayload: 'move_booking' };
  assert.equal((await answers(phone, 'Move it', newSid(), button)).status, 200);
  assert.equal(
    (await answers(phone, 'Yes', newSid(), { ...byRcs(phone), ButtonPayload: 'yes' })).status,
    200,
  );
  const [conversation, ...others] = await conversations(phone);
  assert.deepEqual([conversation?.workshopId, others], [workshopId, []]);
  assert.deepEqual(
    conversation?.messages.slice(1).map(({ body }) => body),
    ['Yes, see you', 'Move it\n[move_booking]', 'Yes'],
  );
  const strange = await app.context.db.query(`SELECT FROM customer WHERE phone LIKE 'rcs:%'`);
  assert.deepEqual(strange, []);
});

test('always: STOP by RCS opts out, typed or by a button', async () => {
  for (const [Body, more] of [
    ['STOP', {}],
    ['No more texts', { ButtonPayload: 'STOP' }],
    ['Arrêt', { OptOutType: 'STOP' }],
  ] as const) {
    const phone = newPhone();
    await send({ phone });
    await answers(phone, Body, newSid(), { ...byRcs(phone), ...more });
    assert.ok((await optedOutAt(phone)) instanceof Date, Body);
    assert.equal((await send({ phone })).sms.reason, 'optedOut');
  }
  // START by RCS is Twilio's own too: nothing is told.
  const phone = newPhone();
  await send({ phone });
  for (const word of ['STOP', 'START']) await answers(phone, word, newSid(), byRcs(phone));
  assert.equal(await optedOutAt(phone), null);
  assert.deepEqual(consents, []);
});

test('HELP is answered by Twilio, not here', async () => {
  const phone = '+14155550143';
  await send({ phone });
  accepted.delete(phone);
  assert.equal((await answers(phone, 'HELP')).status, 200);
  await app.drain();
  assert.equal(accepted.has(phone), false);
});

/** Somebody who has opted out by STOP, and is opted in again. */
async function optedInAgain() {
  const phone = newPhone();
  await send({ phone });
  await answers(phone, 'STOP');
  const [conversation] = await conversations(phone);
  const customerId = conversation?.customerId ?? '';
  const agreement = { how: 'asked for it at the desk', on: '2026-01-02' };
  const again = { workshopId, customerId, agreement, actor: actors.operator };
  await optInAgain(app.context, again);
  // A repeat is no second opt-in.
  await optInAgain(app.context, again);
  consents.length = 0;
  return { phone, customerId };
}
const toldOf = (customerId: string) => findToldOptIn(app.context.db, workshopId, customerId);
/** Its next attempt is due now. */
const dueNow = () =>
  app.context.db.query('UPDATE provider_opt_in SET due_at = clock_timestamp() WHERE due_at IS NOT NULL');

test('always: opting in again is told to the Consent API, once, though two processes work (specification: Opting out 10)', async () => {
  const { phone, customerId } = await optedInAgain();
  assert.deepEqual(await toldOf(customerId), { state: 'waiting', detail: null });
  await Promise.all([tellOptIns(app.context), tellOptIns(app.context)]);
  await dueNow();
  await tellOptIns(app.context);
  const [item, ...more] = consents;
  assert.match(item?.['correlation_id'] ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual(
    [{ ...item, correlation_id: '' }, more],
    [
      {
        ...{
          contact_id: phone,
          correlation_id: '',
          sender_id: '+61400000000',
          status: 'opt-in',
          source: 'others',
        },
        // The day began in Sydney: Twilio refuses what is in the future, as the day in UTC is in the morning there.
        date_of_consent: '2026-01-01T13:00:00.000Z',
      },
      [],
    ],
  );
  assert.deepEqual(await toldOf(customerId), { state: 'told', detail: null });
});

test('always: what fails is told again with the same id, five times at most; then it is known that it was not', async () => {
  const { customerId } = await optedInAgain();
  consentAnswers.push([503], [429], [500], [503], [502]);
  for (let times = 0; times < 8; times++) {
    await tellOptIns(app.context);
    await dueNow();
  }
  assert.equal(consents.length, 5);
  assert.equal(new Set(consents.map((item) => item['correlation_id'])).size, 1);
  assert.equal((await toldOf(customerId))?.state, 'refused');

  const other = await optedInAgain();
  consentAnswers.push([503]);
  await tellOptIns(app.context);
  assert.equal((await toldOf(other.customerId))?.state, 'waiting');
  await dueNow();
  await tellOptIns(app.context);
  assert.equal((await toldOf(other.customerId))?.state, 'told');
});

for (const [answer, words] of [
  [[403], /does not let this account use its Consent API/],
  [[401], /does not let this account/],
  [[400], /Twilio refused it/],
  [[201, 30645], /Twilio refused it: Bad sender/],
] as const) {
  test(`the Consent API answers ${answer.join(' ')}: it is not asked again, and staff read why`, async () => {
    const { customerId } = await optedInAgain();
    consentAnswers.push(answer);
    await tellOptIns(app.context);
    await dueNow();
    await tellOptIns(app.context);
    const { state, detail } = (await toldOf(customerId)) ?? {};
    assert.deepEqual([state, consents.length], ['refused', 1]);
    assert.match(detail ?? '', words);
  });
}

test('always: who opts out again before it was told is not opted in at the provider', async () => {
  const { phone, customerId } = await optedInAgain();
  await answers(phone, 'STOP');
  await tellOptIns(app.context);
  assert.deepEqual([await toldOf(customerId), consents], [{ state: 'overtaken', detail: null }, []]);
});
