/** The delivery log: pages and filters, test calls, replays, retention (specification: Webhooks 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { assertProblem } from '../../../../../test/fixtures/booking-api.ts';
import { assertSigned, startReceiver, webhookWorld } from '../../../../../test/fixtures/webhooks.ts';
import { signedInPartner } from '../../../../../test/harness/world.ts';
import { purgeWebhooks } from '../../purge.ts';
import type { WebhookDelivery } from './schema.ts';

const world = await webhookWorld();
const { app, partner, book, register, log, makeDue } = world;
const { context } = app;
const { db } = context;
const bookings = { actions: ['bookingCreate', 'bookingCancelled'] };
const idsOf = (deliveries: readonly WebhookDelivery[]) => deliveries.map(({ id }) => id);

test('pages, newest first; filters by status, action and time; a cursor is bound to its filters', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  const path = `/webhooks/${webhook.id}/deliveries`;
  for (const status of [200, 500, 200]) {
    receiver.answersWith(status);
    await book();
    await app.drain();
    app.advance(60);
  }
  const { id } = await book();
  await app.drain();
  await partner.call('POST', `/bookings/${id}/cancelled`);
  await app.drain();
  const all = await log(webhook.id);
  assert.equal(all.length, 5);
  const made = all.map(({ createdAt }) => createdAt);
  assert.deepEqual(made, made.toSorted().toReversed());
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await partner.call('GET', `${path}?limit=2${cursor}`);
    seen.push(...idsOf(body.deliveries));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  assert.deepEqual(seen, idsOf(all));

  const waiting = all.filter(({ status }) => status === 'waiting');
  assert.equal(waiting.length, 1);
  assert.deepEqual(await log(webhook.id, '&status=waiting'), waiting);
  assert.deepEqual(idsOf(await log(webhook.id, '&action=bookingCancelled')), idsOf(all).slice(0, 1));
  const [, , third, fourth] = all;
  const range = `&from=${fourth?.createdAt}&to=${third?.createdAt}`;
  assert.deepEqual(idsOf(await log(webhook.id, range)), [fourth?.id], 'from is included, to is not');

  const { body: first } = await partner.call('GET', `${path}?limit=1`);
  for (const query of [`status=delivered&cursor=${first.nextCursor}`, 'cursor=abc'])
    assertProblem(await partner.call('GET', `${path}?${query}`), 400, '000001', ['cursor']);
  for (const [query, field] of [
    ...[
      ['status=done', 'status'],
      ['action=x', 'action'],
      ['from=yesterday', 'from'],
      ['limit=201', 'limit'],
    ],
    ['from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z', 'to'],
  ] as const) {
    assertProblem(await partner.call('GET', `${path}?${query}`), 400, '000001', [field]);
  }
  await partner.call('DELETE', `/webhooks/${webhook.id}`);
});

test('a test call: signed, with the response, also of a disabled endpoint; the log contains it', async () => {
  const receiver = await startReceiver();
  const { webhook, secret } = await register(receiver.url, { ...bookings, method: 'PUT' });
  await partner.call('PATCH', `/webhooks/${webhook.id}`, { status: 'disabled' });
  const call = async (sent?: unknown) => {
    const { status, body } = await partner.call('POST', `/webhooks/${webhook.id}/test`, sent);
    assert.deepEqual([status, body.success], [200, true]);
    return body.delivery as WebhookDelivery;
  };
  const good = await call();
  const [got] = receiver.received;
  assert.ok(got);
  assertSigned(got, secret);
  assert.equal(got.method, 'PUT');
  assert.deepEqual(got.body, { id: good.id, action: 'test', timestamp: got.body.timestamp, version: 3 });
  assert.deepEqual([good.status, good.action, good.eventId], ['delivered', 'test', good.id]);
  receiver.answersWith(418);
  const bad = await call({});
  assert.deepEqual([bad.status, bad.nextAttemptAt, bad.attempts[0]?.responseStatus], ['failed', null, 418]);
  assert.deepEqual(await log(webhook.id), [bad, good]);
  await app.drain();
  assert.equal(receiver.received.length, 2, 'it is not repeated');
  const replay = await partner.call('POST', `/webhooks/${webhook.id}/deliveries/${bad.id}/replay`);
  assertProblem(replay, 404, '110001');
  await partner.call('DELETE', `/webhooks/${webhook.id}`);
});

test('twenty test calls a minute for one partner: then 429 without a call; new endpoints do not raise the limit', async () => {
  const receiver = await startReceiver();
  const eager = await signedInPartner(app, 'Eager');
  const make = async () => {
    const { body } = await eager.call('POST', '/webhooks', { url: receiver.url, actions: ['bookingCreate'] });
    return body.webhook.id as string;
  };
  const call = (id: string) => eager.call('POST', `/webhooks/${id}/test`);
  // Calls refused for another reason do not count.
  assertProblem(await call(newId()), 404, '110001');
  const [one, two] = [await make(), await make()];
  const answers = await Promise.all(Array.from({ length: 23 }, (_, n) => call(n % 2 ? one : two)));
  const refused = answers.filter(({ status }) => status === 429);
  assert.deepEqual([answers.filter(({ status }) => status === 200).length, refused.length], [20, 3]);
  for (const { headers, body } of refused) {
    const wait = Number(headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60, `Retry-After: ${wait}`);
    assert.equal(headers.get('ratelimit'), `"webhook-tests";r=0;t=${wait}`);
    assert.deepEqual([body.success, body.errorCode], [false, undefined]);
    assert.equal(body.message, 'Endpoints can be tested twenty times a minute');
  }
  const left = answers.map(({ headers }) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]));
  assert.deepEqual(
    left.toSorted((a, b) => a - b),
    [0, 0, 0, ...Array(20).keys()],
  );
  assert.equal((await eager.call('DELETE', `/webhooks/${one}`)).status, 204);
  assert.equal((await call(await make())).status, 429);
  assert.equal(receiver.received.length, 20);
  const own = await register(receiver.url, bookings);
  assert.equal((await partner.call('POST', `/webhooks/${own.webhook.id}/test`)).status, 200);
  await partner.call('DELETE', `/webhooks/${own.webhook.id}`);
});

test('the replay of one delivery: 202 in any state, under the same webhook-id, with its earlier attempts', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  const other = await register(receiver.url, { actions: ['messageFailed'] });
  await book();
  await app.drain();
  const [delivery] = await log(webhook.id);
  const replay = (id = delivery?.id, of = webhook.id) =>
    partner.call('POST', `/webhooks/${of}/deliveries/${id}/replay`);
  const { status, body } = await replay();
  assert.deepEqual([status, body], [202, { success: true, deliveries: 1 }]);
  await app.drain();
  const [again] = await log(webhook.id);
  assert.deepEqual([again?.id, again?.status, again?.attempts.length], [delivery?.id, 'delivered', 2]);
  const [one, two] = receiver.received;
  assert.equal(one?.headers['webhook-id'], two?.headers['webhook-id']);
  assert.notEqual(one?.headers['x-webhook-id'], two?.headers['x-webhook-id']);
  for (const id of [newId(), 'x']) assertProblem(await replay(id), 404, '110001');
  assertProblem(await replay(delivery?.id, other.webhook.id), 404, '110001');
  for (const each of [webhook, other.webhook]) await partner.call('DELETE', `/webhooks/${each.id}`);
});

test('the replay of all since a time: of one status, or all; deliveries that are due or in flight, and test calls, are left out', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  const make = async (count: number) => {
    for (let made = 0; made < count; made++) await book();
    await app.drain();
  };
  await make(2);
  app.advance(60);
  const since = app.clock.now().toISOString();
  await make(3);
  receiver.answersWith(500);
  await make(2);
  await partner.call('POST', `/webhooks/${webhook.id}/test`);
  await db.query(
    `UPDATE webhook_delivery SET status = 'failed', due_at = NULL WHERE id = (SELECT id FROM webhook_delivery WHERE status = 'waiting' AND webhook_id = $1 ORDER BY id LIMIT 1)`,
    [webhook.id],
  );
  const replay = async (sent: object) => {
    const { status, body } = await partner.call('POST', `/webhooks/${webhook.id}/replay`, sent);
    assert.equal(status, 202, JSON.stringify(body));
    return body.deliveries;
  };
  receiver.answersWith(200);
  receiver.received.length = 0;
  assert.equal(await replay({ since, status: 'failed' }), 1);
  assert.equal(await replay({ since, status: 'failed' }), 0, 'it is due already');
  await app.drain();
  assert.equal(receiver.received.length, 1);
  assert.equal(await replay({ since, status: null }), 4, 'three delivered before, one that waits');
  await app.drain();
  assert.equal(receiver.received.length, 5);
  assert.equal(await replay({ since: '2020-01-01T00:00:00Z' }), 2, 'the others were within the minute');
  await app.drain();
  assert.equal(new Set(receiver.received.map(({ body }) => body.id)).size, 7);
  for (const [sent, field] of [
    ...[[{}, 'since'] as const, [{ since: 'x' }, 'since'] as const],
    ...[[{ since, status: 'done' }, 'status'] as const],
  ]) {
    const answer = await partner.call('POST', `/webhooks/${webhook.id}/replay`, sent);
    assertProblem(answer, 400, '000001', [field]);
  }
  await partner.call('DELETE', `/webhooks/${webhook.id}`);
});

test('deliveries and published events are deleted after 30 days (specification: Erasure and retention 4)', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, bookings);
  await book();
  await app.drain();
  await purgeWebhooks(context);
  assert.equal((await log(webhook.id)).length, 1);
  const counts = async () => {
    const [row] = await db.query(
      'SELECT (SELECT count(*)::int FROM webhook_delivery) AS deliveries, (SELECT count(*)::int FROM partner_event) AS events',
    );
    return row;
  };
  const aged = (id: string) =>
    `overlay(${id}::text PLACING left(first_id(made_at(${id}) - interval '30 days 1 hour')::text, 13) FROM 1 FOR 13)::uuid`;
  await db.query(`UPDATE webhook_delivery SET id = ${aged('id')}`);
  await db.query(`UPDATE partner_event SET id = ${aged('id')}`);
  await purgeWebhooks(context);
  assert.deepEqual(await counts(), { deliveries: 0, events: 0 });
  await makeDue();
});
