/** Secrets: a rotation, after which both secrets sign for a day, and a new key of the installation (specification: Webhooks 3). */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { createSealing, type Sealing } from '#base/sealing.ts';
import { assertSigned, startReceiver, webhookWorld } from '../../../test/fixtures/webhooks.ts';
import { drain } from '../../../test/harness/drain.ts';
import { resealSecrets } from './reseal.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const world = await webhookWorld({ gateways: () => ({ sealing: createSealing([oldKey]) }) });
const { app, partner, book, register } = world;
const { context } = app;

test('rotation: both secrets sign, also after a second rotation, and the old ones expire after 24 hours (specification: Clocks 2)', async () => {
  const receiver = await startReceiver();
  const { webhook, secret } = await register(receiver.url, { actions: ['bookingCreate'] });
  const secrets = [secret];
  for (let times = 0; times < 2; times++) {
    const { status, body } = await partner.call('POST', `/webhooks/${webhook.id}/rotate-secret`);
    assert.equal(status, 200);
    secrets.push(body.secret);
  }
  assert.equal(new Set(secrets).size, 3);
  await book();
  await app.drain();
  const [got] = receiver.received;
  assert.ok(got);
  for (const each of secrets) assertSigned(got, each);
  assert.equal(got.headers['webhook-signature']?.split(' ').length, 3);

  const ends = await context.db.query<{ hours: number }>(
    `SELECT round(extract(epoch FROM expires_at - clock_timestamp()) / 3600)::int AS hours FROM webhook_secret
      WHERE webhook_id = $1 AND expires_at IS NOT NULL`,
    [webhook.id],
  );
  assert.deepEqual(ends, [{ hours: 24 }, { hours: 24 }]);
  await context.db.query(
    `UPDATE webhook_secret SET expires_at = clock_timestamp() WHERE webhook_id = $1 AND expires_at IS NOT NULL`,
    [webhook.id],
  );
  app.advance(86_400);
  await book();
  await app.drain();
  const [, after] = receiver.received;
  assert.ok(after);
  assertSigned(after, secrets[2] ?? '');
  assert.throws(() => new Verifier(secret).verify(after.text, after.headers));
  const key = Buffer.from((secrets[2] ?? '').slice('whsec_'.length), 'base64');
  const { 'webhook-id': id, 'webhook-timestamp': at } = after.headers;
  // The machine's time, although the business clock was moved by a day.
  assert.ok(Math.abs(Number(at) - Date.now() / 1_000) < 600, String(at));
  assert.equal(
    after.headers['webhook-signature'],
    `v1,${createHmac('sha256', key).update(`${id}.${at}.${after.text}`).digest('base64')}`,
  );
});

test('a new key of the installation: secrets are read with the former key, and sealed again with the new one', async () => {
  const receiver = await startReceiver();
  const { webhook, secret } = await register(receiver.url, { actions: ['bookingCreate'] });
  const deliverWith = async (sealing: Sealing) => {
    receiver.received.length = 0;
    await book();
    await drain({ ...context, sealing });
    return receiver.received[0];
  };
  const both = createSealing([newKey, oldKey]);
  const before = await deliverWith(both);
  assert.ok(before);
  assertSigned(before, secret);
  assert.equal(
    await deliverWith(createSealing([newKey])),
    undefined,
    'without the former one it is not readable',
  );
  assert.ok((await resealSecrets({ ...context, sealing: both })) >= 1);
  assert.equal(await resealSecrets({ ...context, sealing: both }), 0);
  const after = await deliverWith(createSealing([newKey]));
  assert.ok(after);
  assertSigned(after, secret);
  await partner.call('DELETE', `/webhooks/${webhook.id}`);
});
