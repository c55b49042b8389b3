/** `pitlane webhook`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { db, env, partnerId } = await commandWorld();
const at = new Date('2030-01-15T00:00:00Z');

async function register(url: string): Promise<string> {
  const id = newId();
  await db.query(
    `WITH made AS (
       INSERT INTO webhook (id, partner_id, url, method, actions, created_at, updated_at) VALUES ($1, $2, $3, 'POST', '{bookingCreate}', $4, $4) RETURNING id)
     INSERT INTO webhook_lane (webhook_id, failures) SELECT id, 3 FROM made`,
    [id, partnerId, url, at],
  );
  return id;
}
const [first, second] = [await register('https://one.example/'), await register('https://two.example/')];
const attempts = [
  { at: at.toISOString(), responseStatus: 500, durationMs: 3, error: 'the receiver answered 500' },
];
const ids: string[] = [];
for (const [status, due] of [
  ['waiting', at],
  ['failed', null],
  ['delivered', null],
] as const) {
  ids.push(newId());
  await db.query(
    `INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, attempts, due_at, created_at) VALUES ($1, $2, $1, 'bookingCreate', $3, $4, $5, $6)`,
    [ids.at(-1), first, status, JSON.stringify(attempts), due, at],
  );
}

test('list: newest first, by pages, of one partner', async () => {
  const { stdout } = await succeed(['webhook', 'list'], env);
  assert.match(
    stdout,
    new RegExp(`${second} .*\\n${first} +Example Fleet +https://one\\.example/ +enabled +1 +3`),
  );
  const page = await json(['webhook', 'list', '--limit', '1', '--partner', partnerId], env);
  assert.deepEqual(
    page.map((row: { webhookId: string }) => row.webhookId),
    [second],
  );
  const next = await json(['webhook', 'list', '--limit', '1', '--before', second], env);
  assert.deepEqual(
    next.map((row: { webhookId: string }) => row.webhookId),
    [first],
  );
  await fail(['webhook', 'list', '--partner', newId()], env, 1, /there is no partner/);
});

test('deliveries: newest first, by pages, with what came back last', async () => {
  const { stdout } = await succeed(['webhook', 'deliveries', first], env);
  assert.equal(stdout.match(/the receiver answered 500/g)?.length, 3);
  const shown = await json(['webhook', 'deliveries', first, '--limit', '2'], env);
  assert.deepEqual(
    shown.map((row: { deliveryId: string }) => row.deliveryId),
    ids.slice(1).toReversed(),
  );
  const rest = await json(['webhook', 'deliveries', first, '--before', ids[1] ?? ''], env);
  assert.deepEqual(
    rest.map((row: { status: string }) => row.status),
    ['waiting'],
  );
});

test('disable, show, enable', async () => {
  const off = await json(['webhook', 'disable', first], env);
  assert.deepEqual([off.status, off.disabledReason], ['disabled', 'operator']);
  assert.match((await succeed(['webhook', 'show', first], env)).stdout, /disabledReason +operator/);
  assert.match((await succeed(['status'], env)).stdout, /webhooks waiting +0, 1 endpoints disabled/);
  const on = await json(['webhook', 'enable', first], env);
  assert.deepEqual([on.status, on.disabledReason, on.failures, on.waiting], ['enabled', null, 0, 1]);
  const { work } = await json(['status'], env);
  assert.deepEqual([work.webhooks.count, work.webhooks.disabledEndpoints], [1, 0]);
});

test('an unknown id is named', async () => {
  for (const verb of ['show', 'deliveries', 'enable', 'disable'])
    for (const id of [newId(), 'nothing'])
      await fail(['webhook', verb, id], env, 1, /there is no webhook endpoint/);
});
