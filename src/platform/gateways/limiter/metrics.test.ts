/** Metrics of the gateways of a process, and of the messages that wait for them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { actors } from '#base/values/actor.ts';
import { readStatus } from '#operation/status/read.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { routed } from '#platform/gateways/sms/router.ts';
import { sendSms } from '#platform/gateways/sms/send.ts';
import { beat } from '#platform/work/store.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { insertWorld } from '../../../../test/fixtures/booking-events.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { recordedEmail, recordedSms } from '../../../../test/harness/gateways.ts';
import { settle, testTimers } from '../../../../test/harness/timers.ts';
import { createLimiter } from './limiter.ts';
import { measureLimiters } from './metrics.ts';
import { throttledEmail } from './throttled-email.ts';
import { throttled } from './throttled-sms.ts';

const timers = testTimers();
const [kannel, smtp] = [recordedSms(), recordedEmail()];
const limiter = createLimiter({ name: 'kannel', concurrency: 1, timers, random: () => 0 });
const sms = routed([throttled({ ...kannel, name: 'kannel' }, limiter)]);
const email = throttledEmail({ ...smtp, name: 'smtp' }, createLimiter({ name: 'smtp', timers }));
const app = await startTestApp({ gateways: () => ({ sms, email }) });
const { db } = app.context;
const message = { reference: 'r', messageId: 'm', to: '+61491570006', from: null, body: 'Hi', route: null };

async function metrics(): Promise<(line: string) => number> {
  const { body } = await app.request('GET', '/metrics');
  return (series) => {
    const line = String(body)
      .split('\n')
      .find((each) => each.startsWith(`${series} `));
    return line === undefined ? assert.fail(`no ${series} in\n${body}`) : Number(line.slice(series.length));
  };
}

test('metrics: in flight, waiting, working or not, and the outcomes of hand-overs', async () => {
  const before = await metrics();
  for (const gateway of ['kannel', 'smtp']) {
    for (const name of ['in_flight', 'waiting', 'breaker_state']) {
      assert.equal(before(`pitlane_gateway_${name}{gateway="${gateway}"}`), 0);
    }
  }
  const { promise, resolve } = Promise.withResolvers<SmsOutcome>();
  kannel.next(() => promise);
  const sending = [sendSms(sms, message), sendSms(sms, message)];
  await settle();
  const busy = await metrics();
  assert.equal(busy('pitlane_gateway_in_flight{gateway="kannel"}'), 1);
  assert.equal(busy('pitlane_gateway_waiting{gateway="kannel"}'), 1);
  resolve({ state: 'unknown', detail: 'No answer.' });
  await Promise.all(sending);
  const refusal = { state: 'refused', permanent: false, detail: 'Away.', elsewhere: true } as const;
  kannel.next(...Array<SmsOutcome>(5).fill({ ...refusal, reason: 'gatewayUnavailable' }));
  for (let i = 0; i < 7; i++) await sendSms(sms, message);
  const open = await metrics();
  assert.equal(open('pitlane_gateway_breaker_state{gateway="kannel"}'), 2);
  const outcomes = (outcome: string, reason: string) =>
    open(`pitlane_gateway_outcomes_total{gateway="kannel",outcome="${outcome}",reason="${reason}"}`);
  assert.deepEqual(
    [
      outcomes('accepted', ''),
      outcomes('unknown', ''),
      outcomes('refused', 'gatewayUnavailable'),
      outcomes('notAsked', 'open'),
    ],
    [1, 1, 5, 2],
  );
  assert.equal(open('pitlane_gateway_send_seconds_count{gateway="kannel"}'), 7);
  await timers.pass(5_000);
  assert.equal((await metrics())('pitlane_gateway_breaker_state{gateway="kannel"}'), 1);
});

test('a gateway without a connection does not work', async () => {
  const away = createLimiter({ name: 'smpp', timers });
  const registry = new Registry();
  measureLimiters([away], registry);
  const shown = async () =>
    (await registry.getSingleMetric('pitlane_gateway_breaker_state')?.get())?.values.map(
      ({ value }) => value,
    );
  assert.deepEqual(await shown(), [0]);
  away.connected(false);
  assert.deepEqual(await shown(), [2]);
  await beat(db, 'api', [away.state()]);
  const { work } = await readStatus(db, { embedded: false, place: '' }, null);
  assert.deepEqual(work?.workers[0]?.gateways[0]?.breaker, 'open');
  await db.query('DELETE FROM worker');
  away.connected(true);
  assert.deepEqual(await shown(), [0]);
});

test('metrics of what waits for which gateways, and for how long; the command shows the same, and the workers’ view', async () => {
  const none = await metrics();
  for (const labels of ['channel="sms",route="kannel"', 'channel="email",route="smtp"']) {
    assert.equal(none(`pitlane_messages_waiting{${labels}}`), 0);
    assert.equal(none(`pitlane_oldest_message_seconds{${labels}}`), 0);
  }
  for (const gateways of [null, '{kannel}', '{twilio,kannel}']) {
    const { workshopId } = await insertWorld(db);
    await db.query('UPDATE workshop SET sms_gateways = $2 WHERE id = $1', [workshopId, gateways]);
    const to = { channel: 'sms', audience: 'workshop', recipient: '+61255501234', body: 'x' } as const;
    const options = { now: new Date('2030-01-15T00:00:00Z'), actor: actors.schedule, exemptCountries: [] };
    await enqueue(db, [{ kind: 'inboxDigest', workshopId, ...to }], options);
  }
  await db.query(
    `UPDATE queued_message q SET created_at = q.created_at - interval '600 seconds' FROM workshop w
      WHERE w.id = q.workshop_id AND w.sms_gateways = '{kannel}'`,
  );
  const some = await metrics();
  assert.equal(some('pitlane_messages_waiting{channel="sms",route="kannel"}'), 2);
  assert.equal(some('pitlane_messages_waiting{channel="sms",route="twilio,kannel"}'), 1);
  assert.equal(some('pitlane_messages_waiting{channel="email",route="smtp"}'), 0);
  const age = some('pitlane_oldest_message_seconds{channel="sms",route="kannel"}');
  assert.ok(age > 590 && age < 700, String(age));

  await beat(db, 'w', [limiter.state()]);
  assert.equal((await metrics())('pitlane_gateway_workers{gateway="kannel",breaker="halfOpen"}'), 1);
  const { work } = await readStatus(db, { embedded: false, place: '' }, null);
  assert.deepEqual(
    work?.messages.map(({ route, count }) => [route, count]),
    [
      ['sms', 1],
      ['sms:kannel', 1],
      ['sms:twilio,kannel', 1],
    ],
  );
  assert.deepEqual(
    work?.workers.map(({ gateways }) => gateways),
    [[{ gateway: 'kannel', inFlight: 0, waiting: 0, breaker: 'halfOpen' }]],
  );

  await db.query('DELETE FROM queued_message');
  const { body } = await app.request('GET', '/metrics');
  assert.ok(!String(body).includes('twilio'), 'a route that nothing waits for is gone');
});
