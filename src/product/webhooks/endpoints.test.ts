/** POST, GET, PATCH and DELETE /webhooks (specification: Webhooks 1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { startReceiver, webhookWorld } from '../../../test/fixtures/webhooks.ts';
import { testOutbound } from '../../../test/harness/outbound.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { actionNames } from './actions.ts';

const world = await webhookWorld();
const { app, partner, workshopId, register, endpoint, book, log } = world;
const { db } = app.context;
const other = await signedInPartner(app, 'Another Partner');
const url = 'https://partner.example/hook';
const body = (changes: object = {}) => ({ url, actions: ['bookingCreate'], ...changes });
const removeAll = () => db.query('DELETE FROM webhook');

test('201 with every field and the secret, which no other response contains', async () => {
  const { status, body: made } = await partner.call(
    'POST',
    '/v1/webhooks',
    body({
      method: 'PUT',
      workshopId: workshopId.toUpperCase(),
      description: ' Production ',
      maxConcurrent: 9,
    }),
  );
  assert.equal(status, 201);
  const { webhook, secret } = made;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const { id, createdAt, updatedAt, ...rest } = webhook;
  assert.deepEqual(rest, {
    ...{ url, method: 'PUT', actions: ['bookingCreate'], workshopId, description: 'Production' },
    ...{ status: 'enabled', disabledReason: null, maxConcurrent: 5 },
  });
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(await endpoint(id), webhook);
  const { body: page } = await partner.call('GET', '/webhooks');
  assert.deepEqual(page, { success: true, webhooks: [webhook], nextCursor: null });
  const rows = await db.query(
    'SELECT w::text, s::text FROM webhook w JOIN webhook_secret s ON s.webhook_id = w.id',
  );
  assert.ok(!JSON.stringify(rows).includes(secret.slice(8)), 'the secret is sealed');
  await removeAll();
});

test('defaults: POST, all workshops', async () => {
  const { webhook } = await register(url, { method: null, workshopId: '', description: null });
  assert.deepEqual([webhook.method, webhook.workshopId, webhook.description], ['POST', null, null]);
  await removeAll();
});

test('400 names every failing field', async () => {
  const faults: readonly (readonly [object, string[]])[] = [
    [{}, ['actions', 'url']],
    [{ url: 'partner.example', actions: [] }, ['actions', 'url']],
    [body({ actions: ['bookingCreated'] }), ['actions[0]']],
    [body({ actions: ['test'] }), ['actions[0]']],
    [body({ actions: ['bookingCreate', 'bookingCreate'] }), ['actions']],
    [body({ method: 'GET', description: 'x'.repeat(256) }), ['description', 'method']],
    [body({ url: `https://partner.example/${'x'.repeat(2_048)}` }), ['url']],
  ];
  for (const [sent, fields] of faults)
    assertProblem(await partner.call('POST', '/webhooks', sent), 400, '000001', fields);
  assert.deepEqual(await db.query('SELECT FROM webhook'), []);
});

test('without the development switch: 400 for http, credentials and addresses that are not public (specification: Webhooks 9)', async () => {
  const guarded = await secondApp(app, { context: { outbound: testOutbound() } });
  for (const bad of [
    ...['http://partner.example/', 'https://a:b@partner.example/', 'https://127.0.0.1/', 'https://0x7f.1/'],
    ...[
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest',
      'ftp://partner.example',
    ],
  ]) {
    const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
    const answer = await guarded.request('POST', '/webhooks', { headers, body: body({ url: bad }) });
    assertProblem(answer, 400, '000001', ['url']);
  }
});

test('404 030001 for a workshop that is not linked; 401 without a token', async () => {
  const foreign = await linkedWorkshop(app, [other]);
  for (const id of [foreign, newId(), 'x'])
    assertProblem(await partner.call('POST', '/webhooks', body({ workshopId: id })), 404, '030001');
  const { webhook } = await register(url);
  assertProblem(
    await partner.call('PATCH', `/webhooks/${webhook.id}`, { workshopId: foreign }),
    404,
    '030001',
  );
  for (const [method, path] of [
    ...[['POST', '/webhooks'] as const, ['GET', '/webhooks'] as const, ['GET', '/events'] as const],
    ...[['PATCH', `/webhooks/${webhook.id}`] as const, ['DELETE', `/webhooks/${webhook.id}`] as const],
    ...[['POST', `/webhooks/${webhook.id}/test`] as const],
  ]) {
    assertProblem(await app.request(method, path), 401, '010000');
  }
  await removeAll();
});

test('404 110001 for another partner, an unknown id, and an invalid id', async () => {
  const { webhook } = await register(url);
  const paths = (id: string) =>
    [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, {}],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/rotate-secret`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/deliveries/${newId()}/replay`],
      ['POST', `/webhooks/${id}/replay`, { since: '2030-01-01T00:00:00Z' }],
    ] as const;
  for (const [method, path, sent] of paths(webhook.id))
    assertProblem(await other.call(method, path, sent), 404, '110001');
  for (const id of [newId(), 'x'])
    for (const [method, path, sent] of paths(id))
      assertProblem(await partner.call(method, path, sent), 404, '110001');
  assert.deepEqual(await endpoint(webhook.id), webhook);
  assert.deepEqual((await other.call('GET', '/webhooks')).body.webhooks, []);
  await removeAll();
});

test('409 110002 for a partner’s 21st endpoint, also when many are created concurrently; other partners are not affected', async () => {
  const answers = await Promise.all(
    Array.from({ length: 26 }, () => partner.call('POST', '/webhooks', body())),
  );
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 20);
  for (const answer of answers.filter(({ status }) => status !== 201)) assertProblem(answer, 409, '110002');
  assert.equal((await other.call('POST', '/webhooks', body())).status, 201);
  assert.equal((await partner.call('DELETE', `/webhooks/${made[0]?.body.webhook.id}`)).status, 204);
  assert.equal((await partner.call('POST', '/webhooks', body())).status, 201);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body: page } = await partner.call('GET', `/webhooks?limit=7${cursor}`);
    seen.push(...page.webhooks.map(({ id }: { id: string }) => id));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  assert.equal(new Set(seen).size, 20);
  assert.deepEqual(seen, seen.toSorted().toReversed(), 'newest first');
  await removeAll();
});

test('Idempotency-Key: a repeat creates one endpoint, and its response has no secret', async () => {
  const headers = { 'idempotency-key': 'one' };
  const post = (sent: object) => partner.call('POST', '/webhooks', sent, { headers });
  const [first, again] = [await post(body()), await post(body())];
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  const { secret, ...rest } = first.body;
  assert.ok(secret);
  assert.deepEqual(again.body, rest);
  const kept = await db.query<{ body: unknown }>('SELECT body FROM idempotency');
  assert.doesNotMatch(JSON.stringify(kept), /whsec_/);
  assertProblem(await post(body({ description: 'x' })), 422, '000008');
  const twice = await Promise.all(
    Array.from({ length: 4 }, () =>
      partner.call('POST', '/webhooks', body(), { headers: { 'idempotency-key': 'two' } }),
    ),
  );
  assert.equal(new Set(twice.map(({ body: each }) => each.webhook.id)).size, 1);
  assert.equal((await db.query('SELECT FROM webhook')).length, 2);
  await removeAll();
});

test('PATCH changes the sent fields, clears null ones, and names unknown fields', async () => {
  const { webhook } = await register(url, { workshopId, description: 'Old', method: 'PUT' });
  const patch = (sent: object) => partner.call('PATCH', `/webhooks/${webhook.id}`, sent);
  const unchanged = await patch({});
  assert.deepEqual({ ...unchanged.body.webhook, updatedAt: webhook.updatedAt }, webhook);
  const { body: answer, headers } = await patch({ maxConcurrent: 50, actions: ['messageFailed'], id: 'x' });
  assert.equal(headers.get('pitlane-ignored-fields'), 'id');
  assert.deepEqual([answer.webhook.maxConcurrent, answer.webhook.actions], [50, ['messageFailed']]);
  assert.deepEqual([answer.webhook.workshopId, answer.webhook.description], [workshopId, 'Old']);
  const { body: cleared } = await patch({ workshopId: null, description: null, method: null });
  const { webhook: now } = cleared;
  assert.deepEqual([now.workshopId, now.description, now.method], [null, null, 'POST']);
  assert.ok(now.updatedAt > answer.webhook.updatedAt);
  for (const [sent, field] of [
    ...[[{ maxConcurrent: 51 }, 'maxConcurrent'] as const, [{ maxConcurrent: 0 }, 'maxConcurrent'] as const],
    ...[
      [{ status: 'off' }, 'status'] as const,
      [{ url: null }, 'url'] as const,
      [{ actions: null }, 'actions'] as const,
    ],
    ...[[{ url: 'x' }, 'url'] as const, [{ maxConcurrent: '5' }, 'maxConcurrent'] as const],
  ]) {
    assertProblem(await patch(sent), 400, '000001', [field]);
  }
  assert.deepEqual(await endpoint(webhook.id), now);
  await removeAll();
});

test('disabled by the partner and enabled again: waiting deliveries are sent, and none were added in between', async () => {
  const receiver = await startReceiver();
  receiver.answersWith(500);
  const { webhook } = await register(receiver.url, { actions: ['bookingCreate'] });
  await book();
  await app.drain();
  const patch = (sent: object) => partner.call('PATCH', `/webhooks/${webhook.id}`, sent);
  const { body: off } = await patch({ status: 'disabled' });
  assert.deepEqual([off.webhook.status, off.webhook.disabledReason], ['disabled', 'partner']);
  await book();
  await world.makeDue();
  await app.drain();
  assert.equal(receiver.received.length, 1);
  receiver.answersWith(200);
  const { body: on } = await patch({ status: 'enabled' });
  assert.deepEqual([on.webhook.status, on.webhook.disabledReason], ['enabled', null]);
  await app.drain();
  assert.equal(receiver.received.length, 2);
  assert.deepEqual(
    (await log(webhook.id)).map(({ status, attempts }) => [status, attempts.length]),
    [['delivered', 2]],
  );
  await removeAll();
});

test('a partner can’t enable an endpoint that the operator disabled: 403 000003', async () => {
  const { webhook } = await register(url);
  await db.query(`UPDATE webhook SET status = 'disabled', disabled_reason = 'operator' WHERE id = $1`, [
    webhook.id,
  ]);
  assertProblem(await partner.call('PATCH', `/webhooks/${webhook.id}`, { status: 'enabled' }), 403, '000003');
  assert.equal((await partner.call('PATCH', `/webhooks/${webhook.id}`, { description: 'x' })).status, 200);
  await removeAll();
});

test('204: a deleted endpoint gets nothing more, and is not found', async () => {
  const receiver = await startReceiver();
  const { webhook } = await register(receiver.url, { actions: actionNames });
  await book();
  const json = { headers: { 'content-type': 'application/json' } };
  const { status, body: none } = await partner.call('DELETE', `/webhooks/${webhook.id}`, undefined, json);
  assert.deepEqual([status, none], [204, null]);
  await app.drain();
  assert.deepEqual(receiver.received, []);
  assertProblem(await partner.call('GET', `/webhooks/${webhook.id}`), 404, '110001');
  assertProblem(await partner.call('DELETE', `/webhooks/${webhook.id}`), 404, '110001');
  assert.deepEqual(await db.query('SELECT FROM webhook_secret NATURAL FULL JOIN webhook_lane'), []);
});
