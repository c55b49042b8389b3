/** Failing deliveries: their schedule, probes, disablement, and processes that die (specification: Webhooks 4, 5 and 6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayBatch } from '#platform/events/batch.ts';
import { reactions } from '#reactions.ts';
import { type Receiver, startReceiver, webhookWorld } from '../../../../test/fixtures/webhooks.ts';
import { claimDeliveries } from './claim/store.ts';
import { deliverDue, startDeliverer } from './deliverer.ts';
import { recordFinish } from './finish/store.ts';
import { nextInMs, pausesMs } from './schedule.ts';

const world = await webhookWorld();
const { app, partner, book, register, log, makeDue } = world;
const { context } = app;
const { db } = context;
const bookings = { actions: ['bookingCreate'] };

async function remove(webhookId: string): Promise<void> {
  assert.equal((await partner.call('DELETE', `/webhooks/${webhookId}`)).status, 204);
}
async function queue(count: number): Promise<void> {
  for (let made = 0; made < count; made++) await book();
  await app.drain();
}
const laneOf = async (webhookId: string) => {
  const [row] = await db.query<{ failures: number; pauseMs: number | null; failing: boolean }>(
    `SELECT failures, extract(epoch FROM probe_at - clock_timestamp())::float8 * 1000 AS pause_ms, failing_since IS NOT NULL AS failing
       FROM webhook_lane WHERE webhook_id = $1`,
    [webhookId],
  );
  assert.ok(row);
  return row;
};

test('the schedule: nine retries after the given pauses, up to a fifth longer', () => {
  assert.deepEqual(
    pausesMs.map((ms) => ms / 1_000),
    [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
  );
  assert.equal(
    nextInMs(1, () => 0),
    5_000,
  );
  assert.equal(
    nextInMs(9, () => 1),
    86_400_000 * 1.2,
  );
  assert.equal(nextInMs(10), null);
});

test('a failing delivery is tried ten times, at the times that the log shows, and has then failed', async () => {
  const receiver = await startReceiver();
  receiver.answersWith(503);
  const { webhook } = await register(receiver.url, bookings);
  await queue(1);
  const waits: number[] = [];
  for (let tries = 1; tries < 10; tries++) {
    const [delivery] = await log(webhook.id);
    assert.equal(delivery?.status, 'waiting');
    assert.equal(delivery.attempts.length, tries);
    waits.push(Date.parse(delivery.nextAttemptAt ?? '') - app.clock.now().getTime());
    await makeDue();
    await deliverDue(context);
  }
  for (const [index, ms] of waits.entries()) {
    const pause = pausesMs[index] ?? 0;
    assert.ok(ms > pause - 5_000 && ms <= pause * 1.2, `${ms} after ${index + 1}`);
  }
  const [delivery] = await log(webhook.id);
  assert.deepEqual(
    [delivery?.status, delivery?.nextAttemptAt, delivery?.attempts.length],
    ['failed', null, 10],
  );
  assert.ok(
    delivery?.attempts.every(
      ({ responseStatus, error, durationMs }) =>
        responseStatus === 503 && error === 'the receiver answered 503' && durationMs !== null,
    ),
  );
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id'])).size, 10);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-request-id'])).size, 1);
  await remove(webhook.id);
});

test('a redirect, a refused connection and a silent receiver are failures with a reason in the log (specification: Webhooks 9)', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  const errors: (string | null | undefined)[] = [];
  const next = async () => {
    await makeDue();
    await deliverDue(context);
    errors.push((await log(webhook.id))[0]?.attempts.at(-1)?.error);
  };
  receiver.answersWith(302, { location: 'https://elsewhere.example/' });
  await queue(1);
  await next();
  receiver.answers((request) => request.socket.destroy());
  await next();
  await receiver.close();
  await next();
  assert.equal(errors[0], 'the receiver answered 302: redirects are not followed');
  assert.match(errors[1] ?? '', /the connection was closed/);
  assert.match(errors[2] ?? '', /^no connection \(ECONNREFUSED\)$/);
  await remove(webhook.id);
});

test('after ten failures in a row one probe at a time, and waiting deliveries spend no attempt', async () => {
  const receiver = await startReceiver();
  receiver.answersWith(500);
  const { webhook } = await register(receiver.url, bookings);
  await queue(30);
  assert.equal(receiver.received.length, 10);
  const { failures, pauseMs } = await laneOf(webhook.id);
  assert.equal(failures, 10);
  assert.ok(pauseMs !== null && pauseMs > 0 && pauseMs <= 1_000, `${pauseMs}`);
  // Even when more is queued, nothing is sent before the probe.
  await queue(1);
  assert.equal(receiver.received.length, 10);
  const pauses: number[] = [];
  for (let probes = 1; probes <= 8; probes++) {
    await db.query('UPDATE webhook_lane SET next_at = clock_timestamp(), probe_at = clock_timestamp()');
    await app.drain();
    assert.equal(receiver.received.length, 10 + probes);
    pauses.push(Math.round(((await laneOf(webhook.id)).pauseMs ?? 0) / 1_000));
  }
  assert.deepEqual(pauses, [2, 4, 8, 16, 32, 60, 60, 60]);
  const untried = (await log(webhook.id)).filter(({ attempts }) => attempts.length === 0);
  assert.ok(untried.length >= 31 - 18, `${untried.length} have spent no attempt`);
  receiver.answersWith(200);
  await db.query('UPDATE webhook_lane SET next_at = clock_timestamp(), probe_at = clock_timestamp()');
  await app.drain();
  await makeDue();
  await app.drain();
  assert.ok((await log(webhook.id)).every(({ status }) => status === 'delivered'));
  await remove(webhook.id);
});

test('a successful test call ends the pause of a receiver that had failed', async () => {
  const receiver = await startReceiver();
  receiver.answersWith(500);
  const { webhook } = await register(receiver.url, bookings);
  await queue(12);
  const failed = await partner.call('POST', `/webhooks/${webhook.id}/test`);
  assert.deepEqual([failed.status, failed.body.delivery.status], [200, 'failed']);
  await app.drain();
  assert.equal(receiver.received.length, 11);
  receiver.answersWith(200);
  assert.equal(
    (await partner.call('POST', `/webhooks/${webhook.id}/test`)).body.delivery.status,
    'delivered',
  );
  await app.drain();
  assert.equal(receiver.received.length, 14, 'the two that have not been tried');
  await remove(webhook.id);
});

/** Holds requests until it is told to answer, and counts them. */
function held(receiver: Receiver) {
  const waiting = new Set<() => void>();
  let most = 0;
  receiver.answers((_, response) => {
    const release = () => {
      waiting.delete(release);
      response.end();
    };
    waiting.add(release);
    response.on('close', () => waiting.delete(release));
    most = Math.max(most, waiting.size);
  });
  return {
    most: () => most,
    releaseAll: () => {
      for (const release of [...waiting]) release();
    },
  };
}

test('at most maxConcurrent in flight, over all processes, and each delivery once', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  await partner.call('PATCH', `/webhooks/${webhook.id}`, { maxConcurrent: 3 });
  for (let made = 0; made < 20; made++) await book();
  while ((await relayBatch(context, reactions)) > 0);
  const gate = held(receiver);
  const deliverers = [startDeliverer(context), startDeliverer(context), startDeliverer(context)];
  const releasing = setInterval(gate.releaseAll, 20);
  await receiver.atLeast(20);
  clearInterval(releasing);
  gate.releaseAll();
  await Promise.all(deliverers.map((each) => each.stop()));
  assert.equal(gate.most(), 3);
  assert.equal(receiver.received.length, 20);
  assert.equal(new Set(receiver.received.map(({ body }) => body.id)).size, 20);
  assert.ok((await log(webhook.id)).every(({ status }) => status === 'delivered'));
  await remove(webhook.id);
});

test('a process that dies during an attempt: its lease ends, and the delivery is made again under the same webhook-id', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  await book();
  while ((await relayBatch(context, reactions)) > 0);
  const { deliveries } = await claimDeliveries(db, {
    room: 10,
    running: new Map(),
    now: app.clock.now(),
  });
  assert.equal(deliveries.length, 1);
  assert.equal(await deliverDue(context), 0, 'its lease holds');
  await db.query(
    `WITH over AS (UPDATE webhook_delivery SET due_at = clock_timestamp() WHERE in_flight RETURNING webhook_id)
     UPDATE webhook_lane SET next_at = clock_timestamp() WHERE webhook_id IN (SELECT webhook_id FROM over)`,
  );
  assert.equal(await deliverDue(context), 1);
  const [delivery] = await log(webhook.id);
  assert.equal(delivery?.status, 'delivered');
  assert.deepEqual(
    delivery?.attempts.map(({ responseStatus, error }) => [responseStatus, error]),
    [
      [null, 'the outcome is unknown: the service stopped during the attempt'],
      [200, null],
    ],
  );
  assert.equal(receiver.received[0]?.headers['webhook-id'], deliveries[0]?.eventId);
  const lost = deliveries[0];
  assert.ok(lost);
  assert.notEqual(receiver.received[0]?.headers['x-webhook-id'], lost.attemptId);

  // It was not dead, and records its own outcome after all.
  const now = app.clock.now();
  const attempt = { at: now.toISOString(), responseStatus: 410, durationMs: 1, error: 'gone' };
  const outcome = { delivered: false, gone: true, counts: true, attempt, inMs: null, now };
  await recordFinish(db, {
    deliveryId: lost.id,
    webhookId: webhook.id,
    attemptId: lost.attemptId,
    ...outcome,
  });
  assert.deepEqual(await log(webhook.id), [delivery]);
  await remove(webhook.id);
});
