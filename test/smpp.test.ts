/**
 * The whole loop over SMPP: real server processes, and the server side of another library as the carrier. A message out
 * and its receipts, a customer's answer, several processes, and a process or a carrier that is killed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type Smsc, type SmscOptions, startSmsc } from '../packages/smpp/test/smsc.ts';
import { certificate } from './fixtures/certificate.ts';
import { newPhone } from './fixtures/messaging.ts';
import { createTestDatabase } from './harness/database.ts';
import { type HttpResponse, send } from './harness/http.ts';
import { startServer } from './harness/server.ts';
import { until } from './harness/wait.ts';
import { linkedWorkshop, signedInPartner } from './harness/world.ts';

const password = 'carrier-password';
const sender = '61400000000';

function settings(smsc: Smsc, databaseUrl: string) {
  return {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
    PITLANE_SMS_GATEWAYS: 'smpp',
    SMPP_URL: `smpp://127.0.0.1:${smsc.port}`,
    SMPP_SYSTEM_ID: 'pitlane',
    SMPP_PASSWORD: password,
  };
}

/** A server, a workshop with a number of its own, and a partner that sends for it. */
async function world(
  t: TestContext,
  smscOptions: SmscOptions = {},
  change: Readonly<Record<string, string>> = {},
) {
  const smsc = await startSmsc(smscOptions);
  const { db, url: databaseUrl } = await createTestDatabase();
  const env = { ...settings(smsc, databaseUrl), ...change };
  const server = await startServer(t, env);
  await until('it is bound', () => smsc.binds.length === 1);
  const place = {
    context: { db, clock: systemClock() },
    request: (method: string, path: string, options = {}) => send(`${server.url}${path}`, method, options),
  };
  const partner = await signedInPartner(place);
  const workshopId = await linkedWorkshop(place, [partner], { smsSender: `+${sender}` });
  const post = async (phone: string, message: string): Promise<HttpResponse['body']> => {
    const { status, body } = await partner.call('POST', `/workshops/${workshopId}/messages`, {
      phone,
      referenceId: phone,
      channels: { sms: { message } },
    });
    assert.equal(status, 200);
    return body.sms;
  };
  const read = async (messageId: string): Promise<HttpResponse['body']> =>
    (await partner.call('GET', `/workshops/${workshopId}/messages/${messageId}`)).body.message;
  const answers = (phone: string) =>
    db.query<{ body: string; conversation: string }>(
      `SELECT body, conversation_id AS conversation FROM message WHERE direction = 'inbound' AND recipient = $1 ORDER BY id`,
      [phone],
    );
  return { smsc, server, env, post, read, answers };
}

const receiptOf = (id: string, stat: string) => ({
  source_addr: '61491570006',
  destination_addr: sender,
  esm_class: 4,
  short_message: `id:${id} sub:001 dlvrd:001 submit date:2601010000 done date:2601010001 stat:${stat} err:000 text:`,
});

test('one connection', async (t) => {
  let early = '';
  const { smsc, server, post, read, answers } = await world(t, {
    answer: async ({ text }, id) => {
      if (text === 'early') early = id;
      if (text === 'early') await smsc.deliver(receiptOf(id, 'DELIVRD'));
      return { id };
    },
  });

  await t.test('a long message, its receipts, and the customer’s answer', async () => {
    const phone = newPhone();
    const message = `Prêt ✓ ${'à bientôt '.repeat(20)}`.trim();
    const sms = await post(phone, message);
    assert.equal(sms.sent, true);
    assert.deepEqual(smsc.textsTo(phone.slice(1)), [message]);
    assert.ok(smsc.submitted.length > 1);

    for (const [index] of smsc.submitted.entries()) {
      assert.equal((await read(sms.messageId)).state, 'accepted');
      assert.equal(await smsc.deliver(receiptOf(String(index + 1), 'DELIVRD')), 0);
    }
    assert.equal((await read(sms.messageId)).state, 'delivered');

    const answer = { source_addr: phone.slice(1), destination_addr: sender, data_coding: 8 };
    const short_message = Buffer.from('Merci ✓', 'utf16le').swap16();
    const heard = { body: 'Merci ✓', conversation: sms.conversationId };
    assert.equal(await smsc.deliver({ ...answer, short_message }), 0);
    assert.deepEqual(await answers(phone), [heard]);
    // A customer may send the same text again.
    assert.equal(await smsc.deliver({ ...answer, short_message }), 0);
    assert.deepEqual(await answers(phone), [heard, heard]);

    assert.match(server.log(), /The connection to the carrier is there/);
    for (const secret of [password, phone.slice(1), 'Merci', message.slice(0, 8)]) {
      assert.ok(!server.log().includes(secret), secret);
    }
  });

  await t.test('a receipt that comes before the message is recorded, and a part that failed', async () => {
    const first = await post(newPhone(), 'early');
    assert.notEqual(early, '');
    await until('the early receipt counts', async () => (await read(first.messageId)).state === 'delivered');

    const ids = smsc.submitted.length;
    const second = await post(newPhone(), 'x'.repeat(300));
    for (const [index, stat] of ['UNDELIV', 'DELIVRD'].entries()) {
      await smsc.deliver(receiptOf(String(ids + index + 1), stat));
    }
    await until('the failure counts', async () => (await read(second.messageId)).state === 'undelivered');
  });
});

test('a carrier that refuses the bind: status and metrics say that it does not work until it is bound', async (t) => {
  let status = 0x08;
  const { server } = await world(t, { bind: () => status });
  const shown = async () => {
    const { body } = await send(`${server.url}/metrics`, 'GET');
    const state = /^pitlane_gateway_breaker_state\{gateway="smpp"\} (\d)$/m.exec(body)?.[1];
    // The worker's last report, which `pitlane status` shows too.
    const worker = /^pitlane_gateway_workers\{gateway="smpp",breaker="(\w+)"\} 1$/m.exec(body)?.[1];
    return `${state} ${worker}`;
  };
  await until('it does not work', async () => (await shown()) === '2 open');
  status = 0;
  await until('it works', async () => (await shown()) === '0 closed');
});

test('always: each process has a connection of its own; one that is killed is no loss, and comes back', async (t) => {
  const { smsc, server, env, post, answers } = await world(t);
  const { PORT: _, ...same } = { PORT: '', ...env };
  const second = await startServer(t, { ...same, PITLANE_ROLE: 'worker' });
  await until('both are bound', () => smsc.sessions().length === 2);

  const phone = newPhone();
  const { sent } = await post(phone, 'Shall we?');
  assert.equal(sent, true);
  const answer = { source_addr: phone.slice(1), destination_addr: sender, short_message: Buffer.from('Yes') };
  await second.end('SIGKILL');
  await until('its connection is gone', () => smsc.sessions().length === 1);
  assert.equal(await smsc.deliver(answer), 0);
  assert.equal((await answers(phone)).length, 1);

  const third = await startServer(t, { ...same, PITLANE_ROLE: 'worker' });
  await until('both are bound again', () => smsc.sessions().length === 2);
  const [one, other] = smsc.sessions();
  assert.notEqual(one, other);
  assert.equal(await smsc.deliver({ ...answer, short_message: Buffer.from('One') }, one), 0);
  assert.equal(await smsc.deliver({ ...answer, short_message: Buffer.from('Other') }, other), 0);
  assert.deepEqual(
    (await answers(phone)).map(({ body }) => body),
    ['Yes', 'One', 'Other'],
  );
  assert.equal(await third.end('SIGTERM'), 0);
  assert.equal(await server.end('SIGTERM'), 0);
  await until('both have unbound', () => smsc.sessions().length === 0);
});

test('always: a carrier that is killed under load: one outcome for each message, and none it acknowledged goes out twice', async (t) => {
  const acknowledged = new Set<string>();
  let isMute = false;
  const { smsc, post, read } = await world(t, {
    answer: ({ to }, id) => {
      if (isMute) return 'none';
      acknowledged.add(to);
      return { id };
    },
  });
  const load = Array.from({ length: 60 }, () => newPhone());
  const back = Promise.withResolvers<void>();
  const first = new Map<string, HttpResponse['body']>();
  const waiting = load.values();
  const senders = Array.from({ length: 6 }, async () => {
    for (const phone of waiting) {
      const sms = await post(phone, `for ${phone}`);
      first.set(phone, sms);
      if (sms.reason === 'gatewayUnavailable') await back.promise;
    }
  });
  const killing = (async () => {
    await until('some were accepted', () => first.size >= 15);
    isMute = true;
    const before = smsc.submitted.length;
    await until('some hang', () => smsc.submitted.length >= before + senders.length);
    await smsc.kill();
    isMute = false;
    await until('it is missed', () =>
      [...first.values()].some(({ reason }) => reason === 'gatewayUnavailable'),
    );
    await smsc.start();
    await until('it is bound again', () => smsc.binds.length === 2);
    back.resolve();
  })();
  await Promise.all([...senders, killing]);

  const outcomes = Map.groupBy(load, (phone) => {
    const { sent, reason } = first.get(phone);
    return sent ? 'accepted' : reason;
  });
  assert.deepEqual([...outcomes.keys()].sort(), ['accepted', 'gatewayUnavailable', 'unknownOutcome']);
  assert.deepEqual(new Set(outcomes.get('accepted')?.map((phone) => phone.slice(1))), acknowledged);
  for (const phone of load) {
    const times = smsc.submitted.filter(({ to }) => to === phone.slice(1)).length;
    const { sent, reason, messageId } = first.get(phone);
    assert.equal(times, reason === 'gatewayUnavailable' ? 0 : 1, phone);
    const state = sent ? 'accepted' : reason === 'unknownOutcome' ? 'unknown' : 'failed';
    assert.equal((await read(messageId)).state, state);
  }
  for (const phone of outcomes.get('accepted') ?? []) {
    assert.equal((await post(phone, `for ${phone}`)).sent, true);
    assert.equal(smsc.submitted.filter(({ to }) => to === phone.slice(1)).length, 1);
  }
});

test('over TLS with an authority of its own, as Node takes it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pitlane-smpp-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ca.pem');
  writeFileSync(path, certificate);
  const smsc = await startSmsc({ tls: true });
  const { url } = await createTestDatabase();
  const env = { ...settings(smsc, url), SMPP_URL: `ssmpp://localhost:${smsc.port}` };
  const careful = await startServer(t, { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  await until('it says why not', () => /DEPTH_ZERO_SELF_SIGNED_CERT/.test(careful.log()));
  assert.equal(smsc.binds.length, 0);
  await startServer(t, { ...env, NODE_EXTRA_CA_CERTS: path });
  await until('it is bound', () => smsc.binds.length === 1);
});
