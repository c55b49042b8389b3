/** Callbacks over real HTTP: accepted only from the gateway, recorded once, in any order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { kannelCallbacks } from '#platform/gateways/sms/kannel-callbacks.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { messagingWorld, newPhone } from '../../../test/fixtures/messaging.ts';
import { recordedSms } from '../../../test/harness/gateways.ts';
import { bookingBody } from '../../../test/harness/world.ts';

const token = 'a-token-of-16-or-more';
const second = { ...recordedSms(), name: 'second', callbacks: kannelCallbacks('another-token-of-its-own') };
const world = await messagingWorld({
  gateways: ({ sms }) => ({
    sms: routed([
      { ...sms, name: 'first', callbacks: kannelCallbacks(token) },
      second,
      { ...recordedSms(), name: 'silent' },
    ]),
  }),
});
const { app, send, read, partner, workshopId } = world;
const { db } = app.context;

const bring = (what: 'reports' | 'inbound', query: string, options = {}, method = 'GET', gateway = 'first') =>
  app.request(method, `/gateways/${gateway}/${what}?token=${token}&${query}`, options);

async function sent() {
  const phone = newPhone();
  const { sms } = await send({ phone });
  const reference = app.sms.to(phone)[0]?.reference ?? '';
  return { phone, messageId: sms.messageId, conversationId: sms.conversationId, reference };
}

test('a report makes the message delivered; a repeat and a later one change nothing', async () => {
  const { messageId, reference } = await sent();
  for (const type of ['8', '1', '1', '2']) {
    const { status, body, headers } = await bring('reports', `reference=${reference}&type=${type}`);
    assert.deepEqual([status, body], [200, null]);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  }
  const { state, attempts } = await read(messageId);
  assert.deepEqual([state, attempts[0].state, attempts.length], ['delivered', 'delivered', 1]);
});

test('a report of a failure is recorded with the redacted gateway text, and a later delivered one does not change it', async () => {
  const { messageId, reference } = await sent();
  for (const report of ['type=2&detail=Away%00', 'type=1&detail=']) {
    const { status } = await bring('reports', `reference=${reference}&${report}`, { body: 'a=b' }, 'POST');
    assert.equal(status, 200);
  }
  const { state, detail } = await read(messageId);
  assert.deepEqual([state, detail], ['undelivered', 'Away']);
});

test('reports of notices are recorded too', async () => {
  const phone = newPhone();
  await partner.call('POST', '/bookings', bookingBody(workshopId, { customerPhone: phone }));
  await app.drain();
  const reference = app.sms.to(phone)[0]?.reference ?? '';
  assert.equal((await bring('reports', `reference=${reference}&type=16&detail=NACK`)).status, 200);
  const rows = await db.query(
    `SELECT m.state, m.detail, a.gateway FROM message m JOIN message_attempt a ON a.id = m.attempt_id
      WHERE m.kind = 'bookingNotice' AND m.channel = 'sms' AND m.recipient = $1`,
    [phone],
  );
  assert.deepEqual(rows, [{ state: 'undelivered', detail: 'NACK', gateway: 'first' }]);
});

test('reports about unknown SMS get a 200, so that the gateway stops repeating them', async () => {
  for (const reference of [newId(), 'no-uuid', '%00']) {
    assert.equal((await bring('reports', `reference=${reference}&type=1`)).status, 200);
  }
});

test('a callback that can’t be parsed is refused: 400 000001', async () => {
  for (const [what, query] of [
    ['reports', 'type=1'],
    ['inbound', 'id=1&from=2'],
  ] as const) {
    const { status, body } = await bring(what, query);
    assert.deepEqual([status, body.errorCode], [400, '000001']);
  }
});

test('a request from anybody but the gateway changes nothing and reveals nothing: 404 000002', async () => {
  const { messageId, reference } = await sent();
  const report = `reference=${reference}&type=1`;
  for (const path of [
    `/gateways/first/reports?${report}`,
    `/gateways/first/reports?token=${token}x&${report}`,
    `/gateways/second/reports?token=${token}&${report}`,
    `/gateways/silent/reports?token=${token}&${report}`,
    `/gateways/nobody/reports?token=${token}&${report}`,
    `/gateways/first/inbound?id=1&from=2&to=3&text=4`,
  ]) {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await app.request(method, path);
      assert.deepEqual([status, body.errorCode], [404, '000002'], path);
    }
  }
  assert.equal((await read(messageId)).state, 'accepted');
});

test('each gateway of a route has its own token, and its reports count only for SMS that it accepted', async () => {
  app.sms.next({
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail: '',
    elsewhere: true,
  });
  for (const [gateway, taken] of [
    ['second', second.sent],
    ['first', app.sms.sent],
  ] as const) {
    const { messageId } = await sent();
    const { reference = '' } = taken.at(-1) ?? {};
    const query = `reference=${reference}&type=1`;
    const tokens = { first: token, second: 'another-token-of-its-own' };
    const other = gateway === 'first' ? 'second' : 'first';
    for (const [by, state] of [
      [other, 'accepted'],
      [gateway, 'delivered'],
    ] as const) {
      const path = `/gateways/${by}/reports?token=${tokens[by]}&${query}`;
      assert.equal((await app.request('POST', path)).status, 200);
      assert.equal((await read(messageId)).state, state, `${by} of ${gateway}`);
    }
  }
});

test("a customer's answer is stored once for each id, by GET and by POST of any content type", async () => {
  const { phone, conversationId } = await sent();
  const query = `id=K-1&from=${phone.slice(1)}&to=61400000000&charset=UTF-8&text=Yes%20%E2%9C%93`;
  const headers = { 'content-type': 'application/x-unheard-of' };
  for (const [method, options] of [
    ['GET', {}],
    ['POST', { headers, body: 'x' }],
  ] as const) {
    const { status, body } = await bring('inbound', query, options, method);
    assert.deepEqual([status, body], [200, null]);
  }
  const rows = await db.query(
    `SELECT body, conversation_id FROM message WHERE direction = 'inbound' AND recipient = $1`,
    [phone],
  );
  assert.deepEqual(rows, [{ body: 'Yes ✓', conversationId }]);
});

test('an answer of any length that an SMS can have is stored; a longer one is refused: 431', async () => {
  const { phone } = await sent();
  // 255 segments of 67 characters in UTF-16, with each byte escaped by the gateway.
  const longest = '✓'.repeat(255 * 67);
  const escaped = Buffer.from(longest, 'utf16le').swap16().toString('hex').replaceAll(/../g, '%$&');
  const query = `id=K-long&from=${phone.slice(1)}&to=61400000000&charset=UTF-16BE&text=${escaped}`;
  assert.equal((await bring('inbound', query)).status, 200);
  const rows = await db.query(`SELECT body FROM message WHERE direction = 'inbound' AND recipient = $1`, [
    phone,
  ]);
  assert.deepEqual(rows, [{ body: longest }]);
  const longer = `${query.replace('K-long', 'K-longer')}${escaped.slice(0, 30_000)}`;
  const { status, body } = await bring('inbound', longer);
  assert.deepEqual([status, body.errorCode], [431, '000001']);
});

test('a URL with very many parameters is refused before it is parsed: 414', async () => {
  const { phone } = await sent();
  const answer = `id=K-many&from=${phone.slice(1)}&to=61400000000&text=Hi`;
  const { status, body } = await bring('inbound', `${answer}${'&+'.repeat(60_000)}`);
  assert.deepEqual([status, body.errorCode], [414, '000001']);
  assert.equal((await bring('inbound', `${answer}${'&+'.repeat(50)}`)).status, 200);
});

test("the paths are not in the partner's document, and respond only to GET and POST", async () => {
  const { body } = await app.request('GET', '/openapi.json');
  assert.deepEqual(
    Object.keys(body.paths).filter((path) => path.includes('gateways')),
    [],
  );
  const { status, headers } = await app.request('DELETE', `/gateways/first/reports?token=${token}`);
  assert.deepEqual([status, headers.get('allow')], [405, 'GET, POST']);
});
