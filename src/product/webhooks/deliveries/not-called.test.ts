/** Deliveries whose endpoint is not called: of a suspended partner, or without a readable secret. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setPartnerStatus } from '#product/partners/status.ts';
import { startReceiver, webhookWorld } from '../../../../test/fixtures/webhooks.ts';
import { deliverDue } from './deliverer.ts';

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

test('a suspended partner gets nothing; once it is activated, the waiting deliveries are sent', async () => {
  const receiver = await startReceiver();
  receiver.answersWith(500);
  const { webhook } = await register(receiver.url, bookings);
  await queue(1);
  receiver.answersWith(200);
  await setPartnerStatus({ db, clock: app.clock }, partner.partnerId, 'suspended', actors.operator);
  await makeDue();
  assert.equal(await deliverDue(context), 0);
  await setPartnerStatus({ db, clock: app.clock }, partner.partnerId, 'active', actors.operator);
  assert.equal(await deliverDue(context), 0);
  const [lane] = await db.query<{ ms: number }>(
    'SELECT extract(epoch FROM next_at - clock_timestamp())::float8 * 1000 AS ms FROM webhook_lane WHERE webhook_id = $1',
    [webhook.id],
  );
  assert.ok(lane && lane.ms > 0 && lane.ms <= 5_000);
  await makeDue();
  assert.equal(await deliverDue(context), 1);
  await remove(webhook.id);
});

test('an unreadable secret stops the delivery, and does not count as a failure of the receiver', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  await db.query(`UPDATE webhook_secret SET sealed = 'AAAA' WHERE webhook_id = $1`, [webhook.id]);
  await queue(1);
  const [delivery] = await log(webhook.id);
  assert.deepEqual(
    delivery?.attempts.map(({ responseStatus, durationMs, error }) => [responseStatus, durationMs, error]),
    [[null, null, 'the secret can not be read any more: rotate it']],
  );
  const [lane] = await db.query('SELECT failures FROM webhook_lane WHERE webhook_id = $1', [webhook.id]);
  assert.deepEqual(lane, { failures: 0 });
  await partner.call('POST', `/webhooks/${webhook.id}/rotate-secret`);
  await makeDue();
  await app.drain();
  assert.equal(receiver.received.length, 1);
  await remove(webhook.id);
});
