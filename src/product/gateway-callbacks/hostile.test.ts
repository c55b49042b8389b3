/** Hostile callbacks, an unavailable database, and repeated requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { newId } from '#base/values/id.ts';
import { clickSendCallbacks } from '#platform/gateways/sms/clicksend/callbacks.ts';
import type { SmsCallbacks } from '#platform/gateways/sms/gateway.ts';
import { kannelCallbacks } from '#platform/gateways/sms/kannel-callbacks.ts';
import { messageMediaCallbacks } from '#platform/gateways/sms/messagemedia/callbacks.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { twilioCallbacks } from '#platform/gateways/sms/twilio/callbacks.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { proxyTo } from '../../../test/fixtures/proxy.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { wildText } from '../../../test/fuzz/wild.ts';
import { recordedSms } from '../../../test/harness/gateways.ts';
import { expectErrors } from '../../../test/harness/log.ts';

const token = 'a-token-of-16-or-more';
const publicUrl = 'https://pitlane.example';
const broken: SmsCallbacks = {
  senderOf: () => 'unclear',
  isGenuine({ url }) {
    if (url.includes('throw')) throw new Error('a check that fails');
    return true;
  },
  reports() {
    throw new Error('a bug');
  },
  inbound: () => [{ gatewayId: 'x'.repeat(256), from: '+61491570006', to: '', body: 'Hi' }],
};
const callbacks = {
  kannel: kannelCallbacks(token),
  clicksend: clickSendCallbacks(token),
  messagemedia: messageMediaCallbacks({ publicKeys: [], callbackToken: token, publicUrl }),
  twilio: twilioCallbacks(token, publicUrl),
  broken,
};
const sms = recordedSms();
const members = Object.entries(callbacks).map(([name, own]) => ({ ...sms, name, callbacks: own }));
const { app, send, read } = await messagingWorld({ gateways: () => ({ sms: routed(members) }) });
const { db } = app.context;

async function sent() {
  const phone = newPhone();
  const { sms: result } = await send({ phone });
  return { phone, messageId: result.messageId, reference: sms.to(phone)[0]?.reference ?? '' };
}

/** The tables that a callback may write to. */
const written = async () =>
  JSON.stringify(
    await db.query(
      `SELECT (SELECT count(*) FROM message) AS messages, (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM customer) AS customers,
         (SELECT count(*) FROM sms_segment) AS segments, (SELECT count(*) FROM unplaced_sms) AS unplaced,
         (SELECT count(*) FROM message WHERE state = 'accepted') AS accepted`,
    ),
  );

const ours = await sent();
type Fields = readonly (readonly [name: string, value: string])[];
/** Genuine callbacks of each gateway, by path. */
const usual: readonly (readonly [gateway: string, what: string, Readonly<Record<string, string>>])[] = [
  ['kannel', 'reports', { reference: ours.reference, type: '2', detail: 'Away' }],
  ['kannel', 'inbound', { id: '1', from: ours.phone, to: '1', charset: 'utf-16be', text: 'Hi' }],
  ['twilio', 'reports', { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30003' }],
  ['twilio', 'inbound', { MessageSid: 'SM1', From: ours.phone, To: '1', Body: 'STOP', NumMedia: '1' }],
  ['clicksend', 'reports', { status_code: '301', error_text: 'Away', custom_string: ours.reference }],
  ['clicksend', 'inbound', { message_id: '1', from: ours.phone, to: '1', body: 'Hi', custom_string: '1' }],
  ['messagemedia', 'reports', { status: 'failed', error_code: '302', reference: ours.reference }],
  [
    'messagemedia',
    'callbacks',
    { reply_id: '1', source_number: ours.phone, destination_number: '1', content: 'Hi' },
  ],
  ['messagemedia', 'callbacks', { data: '1', replies: '1', delivery_reports: '1', ['__proto__']: '1' }],
];

const change = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: wildText },
);
const bodyOf = (fields: Fields) => {
  const content = Object.fromEntries(fields);
  return fc.oneof(
    fc.constant(new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()),
    fc.constant(JSON.stringify(content)),
    fc.constant(JSON.stringify({ data: [content, null, 1] })),
    fc.constant(JSON.stringify({ replies: [content], delivery_reports: {} })),
    fc.json(),
    wildText,
  );
};

/** A callback with parts removed, replaced or added, and sometimes at another gateway's path. */
const requests = fc
  .record({
    form: fc.constantFrom(...usual),
    changes: fc.array(change, { minLength: 6, maxLength: 6 }),
    more: fc.array(fc.tuple(wildText, wildText), { maxLength: 1 }),
    elsewhere: fc.option(fc.constantFrom(...usual), { freq: 8 }),
    method: fc.constantFrom('GET', 'POST'),
    hasToken: fc.nat(19).map((n) => n > 0),
    type: fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'a/b; charset=\u00ff',
    ),
  })
  .chain(({ form, changes, more, elsewhere, ...request }) => {
    const changed = Object.entries(form[2]).flatMap(([name, value], index): [string, string][] => {
      const by = changes[index];
      return by === undefined ? [] : [[name, by ?? value]];
    });
    const fields: Fields = [...changed, ...more];
    const [gateway, what] = elsewhere ?? form;
    return bodyOf(fields).map((body) => ({ ...request, gateway, what, fields, body }));
  });

test('any callback: no 5xx, and a refused one changes nothing', async () => {
  const statuses = new Map<number, number>();
  let recorded = 0;
  await fc.assert(
    fc.asyncProperty(requests, async ({ gateway, what, method, fields, hasToken, body, type }) => {
      const isInQuery = method === 'GET' || gateway === 'kannel';
      const inQuery = isInQuery ? fields.filter(([, value]) => value.length < 3_000) : [];
      const search = new URLSearchParams([
        ...inQuery.map(([...pair]) => pair),
        ...(hasToken ? [['token', token]] : []),
      ]);
      const path = `/gateways/${gateway}/${what}?${search}`;
      const form = [...new URLSearchParams(method === 'GET' ? '' : body)];
      const signed = Object.fromEntries(
        [...Map.groupBy(form, ([name]) => name)].map(([name, all]) => [name, all.map(([, value]) => value)]),
      );
      const headers = {
        'content-type': type,
        'x-twilio-signature': getExpectedTwilioSignature(token, `${publicUrl}${path}`, signed),
      };
      const before = await written();
      const { status } = await app.request(method, path, { headers, ...(method === 'GET' ? {} : { body }) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      assert.ok(status === 200 || (status >= 400 && status < 500), `${status}`);
      const isChanged = (await written()) !== before;
      if (isChanged) recorded++;
      if (status !== 200) assert.equal(isChanged, false, `${status} wrote something`);
    }),
    { numRuns: 600 },
  );
  assert.ok(recorded > 0, 'no callback was recorded');
  for (const status of [200, 400, 404]) assert.ok((statuses.get(status) ?? 0) > 0, `never ${status}`);
});

test('a body of more than 64 KiB is refused, of MessageMedia more than 2 MiB; one of exactly this size is read', async () => {
  for (const [path, atMost] of [
    [`/gateways/kannel/reports?token=${token}&reference=${newId()}&type=1`, 64],
    [`/gateways/clicksend/reports?token=${token}`, 64],
    [`/gateways/messagemedia/reports?token=${token}`, 2_048],
  ] as const) {
    for (const [bytes, wanted] of [
      [atMost * 1024 + 1, 413],
      [atMost * 1024, 200],
    ] as const) {
      const body = `status_code=200&status=held&x=${'x'.repeat(bytes - 30)}`;
      const { status, body: answer } = await app.request('POST', path, { body });
      assert.equal(status, wanted, path);
      if (wanted === 413) assert.match(answer.message, new RegExp(`larger than ${atMost} KiB`));
    }
  }
});

test('a signature check or a parser that throws leads to a refusal, not a 500', async () => {
  expectErrors(/a bug/, /a check that fails/);
  for (const [path, status] of [
    ['reports', 400],
    ['reports?throw', 404],
    ['inbound', 400],
    ['callbacks', 400],
  ] as const) {
    const before = await written();
    assert.equal((await app.request('POST', `/gateways/broken/${path}`, { body: 'x' })).status, status, path);
    assert.equal(await written(), before);
  }
});

test('a gateway may define the response to its callbacks', async () => {
  const form = { MessageStatus: 'queued', MessageSid: 'SM1' };
  const path = '/gateways/twilio/reports';
  const { status, headers, body } = await app.request('POST', path, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': getExpectedTwilioSignature(token, `${publicUrl}${path}`, form),
    },
    body: new URLSearchParams(form).toString(),
  });
  assert.deepEqual([status, body], [200, callbacks.twilio.answer?.body]);
  assert.match(headers.get('content-type') ?? '', /^text\/xml/);
});

test('concurrent repeats of a callback are recorded once', async () => {
  const { phone, messageId, reference } = await sent();
  const report = `/gateways/kannel/reports?token=${token}&reference=${reference}&type=1`;
  const answer = `/gateways/kannel/inbound?token=${token}&id=${newId()}&from=${phone.slice(1)}&to=1&text=Hi`;
  const all = await Promise.all(
    [report, answer].flatMap((path) => Array.from({ length: 10 }, () => app.request('GET', path))),
  );
  for (const { status } of all) assert.equal(status, 200);
  const [row] = await db.query<{ told: number; answers: number }>(
    `SELECT (SELECT count(*)::int FROM event WHERE subject_id = $1 AND kind = 'message.delivered') AS told,
       (SELECT count(*)::int FROM message WHERE direction = 'inbound' AND recipient = $2) AS answers`,
    [messageId, phone],
  );
  assert.deepEqual(row, { told: 1, answers: 1 });
});

test('while the database is unavailable: 503 with Retry-After, and the same request is recorded later', async () => {
  const proxy = await proxyTo(app.databaseUrl);
  const behind = await secondApp(app, { databaseUrl: proxy.url });
  const { phone, messageId, reference } = await sent();
  const report = `/gateways/kannel/reports?token=${token}&reference=${reference}&type=2&detail=Away`;
  const answer = `/gateways/kannel/inbound?token=${token}&id=${newId()}&from=${phone.slice(1)}&to=1&text=Hi`;
  await proxy.cut();
  for (const path of [report, answer]) {
    const { status, headers } = await behind.request('POST', path);
    assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
  }
  assert.equal((await read(messageId)).state, 'accepted');
  await proxy.mend();
  for (const path of [report, answer]) assert.equal((await behind.request('POST', path)).status, 200);
  const { state, detail } = await read(messageId);
  assert.deepEqual([state, detail], ['undelivered', 'Away']);
});
