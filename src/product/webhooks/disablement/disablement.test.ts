/** Endpoints that are disabled because their receiver fails or answers 410, and the e-mail about it (specification: Webhooks 5). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { setPartnerEmail } from '#product/partners/email.ts';
import { startReceiver, webhookWorld } from '../../../../test/fixtures/webhooks.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import { deliverDue } from '../deliveries/deliverer.ts';
import { notifyOfDisablement } from './notify.ts';

const world = await webhookWorld();
const { app, partner, book, register, log, endpoint, makeDue } = world;
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

test('410 disables at once, waiting deliveries stay, and the partner gets an e-mail', async () => {
  const receiver = await startReceiver();
  receiver.answersWith(503);
  const { webhook } = await register(`${receiver.url}?token=hush`, bookings);
  await queue(2);
  receiver.answersWith(410);
  await setPartnerEmail({ db, clock: app.clock }, partner.partnerId, 'it@partner.example', actors.operator);
  await db.query(`UPDATE webhook SET max_concurrent = 1`);
  await makeDue();
  await app.drain();
  const now = await endpoint(webhook.id);
  assert.deepEqual([now.status, now.disabledReason], ['disabled', 'gone']);
  assert.deepEqual(
    await db.query(
      `SELECT actor, partner_id, before, after FROM audit_entry WHERE subject_id = $1 AND action = 'webhook.disabled'`,
      [webhook.id],
    ),
    [
      {
        ...{ actor: 'schedule', partnerId: partner.partnerId, before: { status: 'enabled' } },
        after: { status: 'disabled', reason: 'gone' },
      },
    ],
  );
  assert.equal(receiver.received.length, 3, 'the second is not tried');
  const deliveries = await log(webhook.id);
  assert.deepEqual(deliveries.map(({ status }) => status).sort(), ['failed', 'waiting']);

  assert.equal(await notifyOfDisablement(context), 1);
  assert.equal(await notifyOfDisablement(context), 0);
  const [email] = app.email.to('it@partner.example');
  assert.match(email?.text ?? '', /answered 410/);
  assert.match(email?.text ?? '', new RegExp(webhook.id));
  assert.ok(!email?.text.includes('hush') && !email?.html.includes('hush'));

  receiver.answersWith(200);
  await partner.call('PATCH', `/webhooks/${webhook.id}`, { status: 'enabled' });
  await app.drain();
  assert.equal(receiver.received.length, 4);
  await remove(webhook.id);
});

test('five days of only failures disable the endpoint, and the e-mail is retried until it is sent', async () => {
  const receiver = await startReceiver();
  receiver.answersWith(500);
  const { webhook } = await register(receiver.url, bookings);
  await queue(1);
  const age = (since: string, last: string) =>
    db.query(
      `UPDATE webhook_lane SET failing_since = clock_timestamp() - $2::interval, failed_at = clock_timestamp() - $3::interval WHERE webhook_id = $1`,
      [webhook.id, since, last],
    );
  const fail = async () => {
    await makeDue();
    await deliverDue(context);
    return (await endpoint(webhook.id)).disabledReason;
  };
  await age('4 days 23 hours', '1 hour');
  assert.equal(await fail(), null);
  await age('20 days', '10 days');
  assert.equal(await fail(), null, 'nothing was tried in between');
  await age('6 days', '1 hour');
  receiver.answersWith(204);
  assert.equal(await fail(), null);
  const [lane] = await db.query(
    'SELECT failures, failing_since AS since FROM webhook_lane WHERE webhook_id = $1',
    [webhook.id],
  );
  assert.deepEqual(lane, { failures: 0, since: null });
  receiver.answersWith(500);
  await queue(1);
  await age('5 days', '1 hour');
  assert.equal(await fail(), 'failing');

  app.email.clear();
  app.email.next({ state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: '4xx' });
  await notifyOfDisablement(context);
  await db.query('UPDATE webhook SET notice_due_at = clock_timestamp() WHERE notice_due_at IS NOT NULL');
  await notifyOfDisablement(context);
  const emails = app.email.to('it@partner.example');
  assert.equal(emails.length, 2);
  assert.equal(new Set(emails.map(({ reference }) => reference)).size, 1, 'the same Message-ID');
  assert.match(emails[1]?.text ?? '', /failed for five days/);
  assert.equal(await notifyOfDisablement(context), 0);
  await remove(webhook.id);
});

test('an e-mail with a permanent refusal is given up, and logged', async () => {
  expectErrors(/given up/);
  const receiver = await startReceiver();
  receiver.answersWith(410);
  const { webhook } = await register(receiver.url, bookings);
  await queue(1);
  app.email.next({ state: 'refused', permanent: true, reason: 'refused', detail: '5xx' });
  await notifyOfDisablement(context);
  const due = await db.query('SELECT FROM webhook WHERE notice_due_at IS NOT NULL');
  assert.deepEqual(due, []);
  await remove(webhook.id);
});
