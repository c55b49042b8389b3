/** Slow receivers use up places of their own partner, and do not delay other partners. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relayBatch } from '#platform/events/batch.ts';
import { partnerAtOnce } from '#platform/gateways/outbound/client.ts';
import { reactions } from '#reactions.ts';
import { clientOf } from '../../../../test/fixtures/outbound.ts';
import { startReceiver, webhookWorld } from '../../../../test/fixtures/webhooks.ts';
import { until } from '../../../../test/harness/wait.ts';
import { signedInPartner } from '../../../../test/harness/world.ts';
import { startDeliverer } from './deliverer.ts';

/** Retries after a connection that broke, and a machine that does much else, have room in it. */
const longestWaitMs = 50_000;

const world = await webhookWorld();
const { app, partner, book, register } = world;
const { context } = app;
const { db } = context;

test('twenty slow endpoints of one partner, and a quick one of another at the same origin: all deliveries of the quick one arrive meanwhile', async () => {
  const receiver = await startReceiver();
  const quickUrl = receiver.url.replace('/hook', '/quick');
  const held = new Set<() => void>();
  let [most, quickCount] = [0, 0];
  receiver.answers((request, response) => {
    const end = () => {
      held.delete(end);
      response.end();
    };
    if (request.url === '/quick') {
      quickCount++;
      return end();
    }
    held.add(end);
    most = Math.max(most, held.size);
  });
  const actions = ['bookingCreate'];
  for (let made = 0; made < 20; made++) {
    const { webhook } = await register(receiver.url, { actions });
    await partner.call('PATCH', `/webhooks/${webhook.id}`, { maxConcurrent: 50 });
  }
  const other = await signedInPartner(app, 'Another Partner');
  const { body } = await other.call('POST', '/webhooks', { url: quickUrl, actions });
  await book();
  while ((await relayBatch(context, reactions)) > 0);
  // 320 for the slow endpoints, more than a process has places, and 100 for the quick one.
  await db.query(
    `WITH more AS (
       INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, due_at, created_at)
       SELECT gen_random_uuid(), webhook_id, event_id, action, status, due_at, created_at FROM webhook_delivery CROSS JOIN generate_series(1, 15)),
     quick AS (
       INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, due_at, created_at)
       SELECT gen_random_uuid(), $1, event_id, action, status, due_at, created_at
         FROM (SELECT * FROM webhook_delivery LIMIT 1) AS one CROSS JOIN generate_series(1, 100))
     INSERT INTO webhook_wake VALUES ($1)`,
    [body.webhook.id],
  );
  // A call may last longer than both waits below, so no slow call ends in between, however busy the machine is.
  const deliverer = startDeliverer({ ...context, outbound: clientOf({ withinMs: 4 * longestWaitMs }) });
  try {
    await until('the quick one has its own', () => quickCount >= 100, longestWaitMs);
    await until('the slow ones have all they may', () => held.size === partnerAtOnce, longestWaitMs);
    assert.equal(most, partnerAtOnce);
  } catch (error) {
    throw new Error(`after ${quickCount} quick calls: ${JSON.stringify(await outcomes())}`, { cause: error });
  } finally {
    const stopped = deliverer.stop();
    for (const end of [...held]) end();
    await stopped;
  }
  const delivered = (await outcomes()).filter(({ status }) => status === 'delivered');
  const expected = [
    { isQuick: false, status: 'delivered', error: null, count: partnerAtOnce },
    { isQuick: true, status: 'delivered', error: null, count: 100 },
  ];
  assert.deepEqual(delivered, expected);
  assert.equal(receiver.received.length, 100 + partnerAtOnce, 'each was called once');

  /** How many deliveries there are of each state, with the error of the latest attempt. */
  async function outcomes() {
    return await db.query<{ isQuick: boolean; status: string; error: string | null; count: number }>(
      `SELECT webhook_id = $1 AS is_quick, status, attempts -> -1 ->> 'error' AS error, count(*)::integer AS count
         FROM webhook_delivery GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      [body.webhook.id],
    );
  }
});
