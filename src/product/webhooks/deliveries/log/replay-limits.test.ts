/** Limits on replays: calls of a partner, replays of one delivery, and the attempts that its log keeps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { assertProblem } from '../../../../../test/fixtures/booking-api.ts';
import { startReceiver, webhookWorld } from '../../../../../test/fixtures/webhooks.ts';
import { signedInPartner } from '../../../../../test/harness/world.ts';

const { app, partner, book, register, log, makeDue } = await webhookWorld();
const { db } = app.context;
const actions = ['bookingCreate'];

async function delivered() {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, { actions });
  await book();
  await app.drain();
  const [delivery] = await log(webhook.id);
  return { receiver, webhookId: webhook.id, deliveryId: delivery?.id ?? '' };
}

test('one delivery is replayed at most once a minute, by either operation; a repeat is 202 and queues nothing', async () => {
  const { receiver, webhookId, deliveryId } = await delivered();
  const one = () => partner.call('POST', `/webhooks/${webhookId}/deliveries/${deliveryId}/replay`);
  const all = () => partner.call('POST', `/webhooks/${webhookId}/replay`, { since: '2020-01-01T00:00:00Z' });
  const counts: number[] = [];
  for (const replay of [one, one, all, one]) {
    const { status, body } = await replay();
    assert.equal(status, 202);
    counts.push(body.deliveries);
    await app.drain();
  }
  assert.deepEqual(counts, [1, 0, 0, 0]);
  assert.equal(receiver.received.length, 2);
  const aMinuteLater = () =>
    db.query(`UPDATE webhook_delivery SET replayed_at = replayed_at - interval '1 minute' WHERE id = $1`, [
      deliveryId,
    ]);
  await aMinuteLater();
  const together = await Promise.all([all(), one(), one(), all()]);
  assert.equal(
    together.reduce((sum, { body }) => sum + body.deliveries, 0),
    1,
    'also when they come at once',
  );
  await app.drain();
  assert.equal(receiver.received.length, 3);
  await partner.call('DELETE', `/webhooks/${webhookId}`);
});

test('twenty replays a minute for one partner, over both operations and all endpoints: then 429, which queues nothing', async () => {
  const eager = await signedInPartner(app, 'Eager');
  const make = async () => {
    const { body } = await eager.call('POST', '/webhooks', {
      url: 'https://partner.example/hook',
      actions,
    });
    return body.webhook.id as string;
  };
  const ids = [await make(), await make()];
  const since = { since: '2020-01-01T00:00:00Z' };
  // Calls refused for another reason do not count.
  assertProblem(await eager.call('POST', `/webhooks/${newId()}/replay`, since), 404, '110001');
  assertProblem(await eager.call('POST', `/webhooks/${ids[0]}/replay`, {}), 400, '000001', ['since']);
  const answers = await Promise.all(
    Array.from({ length: 23 }, (_, n) =>
      n % 3 === 0
        ? eager.call('POST', `/webhooks/${ids[n % 2]}/deliveries/${newId()}/replay`)
        : eager.call('POST', `/webhooks/${ids[n % 2]}/replay`, since),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 3);
  for (const { headers, body } of refused) {
    const wait = Number(headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60, `Retry-After: ${wait}`);
    assert.equal(headers.get('ratelimit'), `"webhook-replays";r=0;t=${wait}`);
    assert.equal(headers.get('ratelimit-policy'), '"webhook-replays";q=20;w=60');
    assert.deepEqual([body.success, body.errorCode], [false, undefined]);
  }
  const allowed = answers.find(({ status }) => status === 202);
  assert.match(allowed?.headers.get('ratelimit') ?? '', /^"webhook-replays";r=\d+;t=\d+$/);
  const { webhookId, deliveryId } = await delivered();
  const own = await partner.call('POST', `/webhooks/${webhookId}/deliveries/${deliveryId}/replay`);
  assert.equal(own.status, 202, 'another partner has its own');
  await app.drain();
  await partner.call('DELETE', `/webhooks/${webhookId}`);
});

test('a delivery keeps its last 50 attempts, including one of a process that died', async () => {
  const { receiver, webhookId, deliveryId } = await delivered();
  receiver.answersWith(503);
  await db.query(
    `UPDATE webhook_delivery SET status = 'waiting', tries = 0, due_at = clock_timestamp(),
            attempts = (SELECT jsonb_agg(jsonb_build_object('at', '2030-01-01T00:00:00.000Z', 'responseStatus', n, 'durationMs', 1, 'error', NULL))
                          FROM generate_series(1, 60) AS n)
      WHERE id = $1`,
    [deliveryId],
  );
  const statuses = async () => {
    const [found] = await log(webhookId);
    return (found?.attempts ?? []).map(({ responseStatus }) => responseStatus);
  };
  const numbers = (first: number) => Array.from({ length: 61 - first }, (_, index) => first + index);
  await makeDue();
  await app.drain();
  assert.deepEqual(await statuses(), [...numbers(12), 503]);
  await db.query(
    `UPDATE webhook_delivery SET in_flight = true, attempt_id = id, due_at = clock_timestamp() WHERE id = $1`,
    [deliveryId],
  );
  await db.query('UPDATE webhook_lane SET next_at = clock_timestamp()');
  receiver.answersWith(200);
  await app.drain();
  assert.deepEqual(await statuses(), [...numbers(14), 503, null, 200]);
  await partner.call('DELETE', `/webhooks/${webhookId}`);
});
