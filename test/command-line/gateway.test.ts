/** `pitlane gateway …`, against a provider of the test's, and `pitlane message list`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { beat } from '#platform/work/store.ts';
import { startSmsc } from '../../packages/smpp/test/smsc.ts';
import { handedOverIn } from '../fixtures/reported.ts';
import { startSmsProvider } from '../fixtures/sms-provider.ts';
import { createTestDatabase } from '../harness/database.ts';
import { fail, json, succeed } from './run.ts';

const { db, url: databaseUrl } = await createTestDatabase();
const handOver = await handedOverIn(db);

const clickSend = (url: string) => ({
  DATABASE_URL: databaseUrl,
  PITLANE_SMS_GATEWAYS: 'clicksend',
  PITLANE_PUBLIC_URL: 'https://pitlane.example',
  CLICKSEND_URL: url,
  CLICKSEND_USERNAME: 'harbour',
  CLICKSEND_API_KEY: 'hunter2-hunter2',
  CLICKSEND_CALLBACK_TOKEN: '0123456789abcdef',
});

test('gateway test: an SMS goes out through the gateway alone, and its response is shown', async () => {
  const message_id = newId();
  const messages = (status: string) => ({ data: { messages: [{ status, message_id }] } });
  const provider = await startSmsProvider([200, messages('SUCCESS')]);
  const env = clickSend(provider.url);
  const test = ['gateway', 'test', 'clicksend', '--to', '+61 491 570 006'];
  const shown = await json([...test, '--from', 'HARBOUR'], env);
  assert.partialDeepStrictEqual(shown, {
    gateway: 'clicksend',
    to: '+61491570006',
    gatewayId: message_id,
  });
  const [sent] = JSON.parse(provider.asked[0]?.body ?? '').messages;
  assert.partialDeepStrictEqual(sent, {
    to: '+61491570006',
    from: 'HARBOUR',
    custom_string: shown.reference,
  });
  assert.match((await succeed(test, env)).stdout, /^gatewayId +\S+$/m);

  provider.answer([200, messages('INSUFFICIENT_CREDIT')]);
  await fail(test, env, 1, /not sent\. ClickSend: the account has no credit left\./);
  provider.answer([500, {}]);
  await fail(test, env, 1, /it is not known whether it was sent\. ClickSend answered with status 500/);
  await fail(['gateway', 'test', 'kannel', '--to', '+61491570006'], env, 1, /there are: clicksend/);
  await fail(['gateway', 'test', 'clicksend', '--to', '0491570006'], env, 2, /--to must be a phone with its/);
  await fail(['gateway', 'test', 'clicksend'], env, 2, /--to must be/);
});

test('gateway test: over a connection of its own, and what the carrier brings on it stays with the carrier', async () => {
  const smsc = await startSmsc({
    answer: async (_, id) => {
      assert.notEqual(await smsc.receipt('1', 'DELIVRD'), 0);
      return { id };
    },
  });
  const env = {
    PITLANE_SMS_GATEWAYS: 'smpp',
    SMPP_URL: `smpp://127.0.0.1:${smsc.port}`,
    SMPP_SYSTEM_ID: 'pitlane',
    SMPP_PASSWORD: 'secret',
  };
  const shown = await json(['gateway', 'test', 'smpp', '--to', '+61491570006'], env);
  assert.deepEqual([shown.gatewayId, smsc.submitted.length], ['1', 1]);
});

test('gateway list: breaker, backlog, last error and balance', async () => {
  const account = { balance: '12.50', _currency: { currency_name_short: 'AUD' } };
  const provider = await startSmsProvider([200, { data: account }]);
  const env = clickSend(provider.url);
  const failed = (reason: 'invalidNumber' | 'gatewayUnavailable', detail: string): SmsOutcome => ({
    ...{ state: 'refused', permanent: false, gateway: 'clicksend' },
    ...{ reason, detail },
  });
  for (const outcome of [
    failed('gatewayUnavailable', 'Long ago.'),
    failed('gatewayUnavailable', 'The account is not active.'),
    failed('invalidNumber', 'The number is not valid.'),
  ]) {
    await (await handOver('notification', 1, 'clicksend')).record(db, outcome);
  }
  await handOver('notification', 1, 'clicksend');
  await beat(db, 'w1', [{ gateway: 'clicksend', inFlight: 2, waiting: 0, breaker: 'open' }]);
  const [row, ...others] = await json(['gateway', 'list'], env);
  assert.deepEqual(others, []);
  assert.partialDeepStrictEqual(row, {
    gateway: 'clicksend',
    breakers: { open: 1 },
    inFlight: 2,
    backlog: 1,
    balance: '12.50 AUD',
    lastError: { reason: 'gatewayUnavailable', detail: 'The account is not active.' },
  });
  provider.answer([401, {}]);
  const { stdout } = await succeed(['gateway', 'list'], env);
  assert.match(stdout, /^clicksend +1 open +2 +1 \(\d+ s\) +not told +\S+Z gatewayUnavailable: The account/m);
  assert.doesNotMatch(stdout, /hunter2/);
  assert.match((await succeed(['gateway', 'list'], { DATABASE_URL: databaseUrl })).stdout, /^No gateway/);
});

test('message list: what did not arrive, by state and time, page by page', async () => {
  const { db: other, url } = await createTestDatabase();
  const env = { DATABASE_URL: url };
  const handed = await handedOverIn(other);
  const refused: SmsOutcome = { ...unknown, state: 'refused', permanent: true, reason: 'refused' };
  const [first, second, third] = [
    await handed('message', 1),
    await handed('notification', 1),
    await handed('answer_notice', 1),
  ];
  await first.record(other, { state: 'accepted', gatewayId: 'g' });
  await second.record(other, refused);
  await third.record(other, unknown);
  const ids = async (...args: string[]) =>
    (await json(['message', 'list', ...args], env)).map((row: { messageId: string }) => row.messageId);
  assert.deepEqual(await ids(), [third.id, second.id]);
  assert.deepEqual(await ids('--state', 'failed'), [second.id]);
  assert.deepEqual(await ids('--state', 'undelivered,expired'), []);
  assert.deepEqual(await ids('--limit', '1'), [third.id]);
  assert.deepEqual(await ids('--limit', '1', '--before', third.id), [second.id]);
  assert.deepEqual(await ids('--since', '0m'), []);
  const { stdout } = await succeed(['message', 'list', '--since', '7d'], env);
  assert.match(stdout, /bookingNotice +sms +\+61491570006 +failed +refused: No answer\./);
  for (const bad of ['yesterday', '91d', '2999-01-01', '5']) {
    await fail(['message', 'list', '--since', bad], env, 2, /--since must be such as 24h/);
  }
  await fail(['message', 'list', '--state', 'lost'], env, 2, /--state must be some of undelivered/);
});

const unknown = { state: 'unknown', detail: 'No answer.' } as const;
