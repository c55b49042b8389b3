/** The claim is fair between endpoints, and the rows that it reads depend on its room, not on the backlog. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createPartner } from '#product/partners/create.ts';
import { readsOf } from '../../../../../test/fixtures/backlog.ts';
import { testClock } from '../../../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../../../test/harness/database.ts';
import { cheapHash } from '../../../../../test/harness/world.ts';
import { claimNotices } from '../../disablement/store.ts';
import { listStatement } from '../log/store.ts';
import { claimDeliveries, claimStatement } from './store.ts';

const { db } = await createTestDatabase();
const clock = testClock();
const newPartner = async () =>
  (await createPartner({ db, clock }, 'P', actors.operator, cheapHash)).partnerId;
const partnerId = await newPartner();
const nothing: ReadonlyMap<string, number> = new Map();
const claim = (room: number, running = nothing) => ({ room, running, now: clock.now() });

/** Endpoints with `each` deliveries, all due. */
async function endpoints(
  count: number,
  {
    waiting,
    concurrent = 5,
    failures = 0,
    of = partnerId,
  }: { waiting: number; concurrent?: number; failures?: number; of?: string },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await db.query(
    `WITH made AS (
       INSERT INTO webhook (id, partner_id, url, method, actions, max_concurrent, created_at, updated_at)
       SELECT id, $2, 'https://partner.example/', 'POST', '{bookingCreate}', $3, clock_timestamp(), clock_timestamp() FROM unnest($1::uuid[]) AS id RETURNING id),
     keyed AS (INSERT INTO webhook_secret (webhook_id, id, sealed) SELECT id, id, 'x' FROM made),
     lanes AS (INSERT INTO webhook_lane (webhook_id, failures) SELECT id, $4 FROM made),
     woken AS (INSERT INTO webhook_wake SELECT id FROM made)
     INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, due_at, created_at)
     SELECT gen_random_uuid(), made.id, gen_random_uuid(), 'bookingCreate', 'waiting', clock_timestamp(), clock_timestamp()
       FROM made CROSS JOIN generate_series(1, $5::int)`,
    [ids, of, concurrent, failures, waiting],
  );
  return ids;
}
const by = (deliveries: readonly { webhookId: string }[]) =>
  [...Map.groupBy(deliveries, ({ webhookId }) => webhookId).values()].map(({ length }) => length);

test('100,000 deliveries wait for one endpoint and a few for 49 others: all others are claimed at once, with few reads', async () => {
  const [dead = ''] = await endpoints(1, { waiting: 100_000, failures: 10 });
  const live: string[] = [];
  for (let partners = 0; partners < 49; partners++)
    live.push(...(await endpoints(1, { waiting: 20, of: await newPartner() })));
  await db.query('ANALYZE');
  const { deliveries, moreDue } = await claimDeliveries(db, claim(250));
  const shares = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
  assert.equal(shares.get(dead)?.length, 1, 'one probe');
  assert.deepEqual(new Set(live.map((id) => shares.get(id)?.length)), new Set([5]));
  assert.equal(moreDue, false, 'each has as many in flight as it may');
  assert.deepEqual((await claimDeliveries(db, claim(250))).deliveries, []);
  await db.query('UPDATE webhook_lane SET next_at = clock_timestamp()');
  const reads = await readsOf(db, claimStatement(claim(100)));
  assert.ok((reads.rows.get('webhook_delivery') ?? 0) < 1_000, JSON.stringify([...reads.rows]));
  const full = new Map([[partnerId, 50]]);
  const without = await readsOf(db, claimStatement(claim(1, full)));
  assert.ok((without.rows.get('webhook') ?? 0) < 100, JSON.stringify([...without.rows]));
  const page = { webhookId: dead, filters: {}, after: null, limit: 50, aheadSeconds: 0 };
  const listed = await readsOf(db, listStatement(page));
  assert.ok((listed.rows.get('webhook_delivery') ?? 0) <= 200, JSON.stringify([...listed.rows]));
  await db.query('DELETE FROM webhook');
  await db.query('TRUNCATE webhook_delivery');
});

test('a delivery whose counter of tries is at its maximum stops no other claim', async () => {
  const [odd = ''] = await endpoints(1, { waiting: 1 });
  await db.query('UPDATE webhook_delivery SET tries = 32767 WHERE webhook_id = $1', [odd]);
  const [usual = ''] = await endpoints(1, { waiting: 1 });
  const { deliveries } = await claimDeliveries(db, claim(250));
  assert.deepEqual(new Set(deliveries.map(({ webhookId }) => webhookId)), new Set([odd, usual]));
  await db.query(
    `UPDATE webhook SET notice_id = id, notice_due_at = clock_timestamp(), notice_tries = CASE WHEN id = $1 THEN 32767 ELSE 0 END
      WHERE id IN ($1, $2)`,
    [odd, usual],
  );
  const notices = await claimNotices(db, { job: 'notifyOfDisablement', limit: 10 }, 60);
  assert.equal(notices.length, 2);
  await db.query('UPDATE webhook SET notice_due_at = NULL');
});

test('with less room than lanes, the room is shared; the rest is claimed next', async () => {
  for (let partners = 0; partners < 6; partners++) await endpoints(1, { waiting: 4, of: await newPartner() });
  const sizes: number[][] = [];
  for (let more = true; more; ) {
    const { deliveries, moreDue } = await claimDeliveries(db, claim(8));
    sizes.push(by(deliveries));
    assert.ok(deliveries.length <= 8);
    more = moreDue;
  }
  assert.deepEqual(sizes[0]?.length, 6, 'each of the six lanes has its turn first');
  assert.equal(
    sizes.flat().reduce((sum, size) => sum + size, 0),
    24,
  );
  await db.query('DELETE FROM webhook');
});

test('concurrent claims never exceed a limit, and take each delivery once', async () => {
  const [one = ''] = await endpoints(1, { waiting: 40, concurrent: 7 });
  const others = await endpoints(5, { waiting: 3 });
  const taken: { readonly webhookId: string; readonly id: string }[] = [];
  const claiming = async () => {
    for (let times = 0; times < 12; times++) taken.push(...(await claimDeliveries(db, claim(4))).deliveries);
  };
  await Promise.all([claiming(), claiming(), claiming(), claiming()]);
  assert.equal(new Set(taken.map(({ id }) => id)).size, taken.length);
  assert.equal(taken.filter(({ webhookId }) => webhookId === one).length, 7);
  for (const id of others) assert.equal(taken.filter(({ webhookId }) => webhookId === id).length, 3);
});

test('a partner has at most 50 places in a process, over all its endpoints; the rest is left to other processes', async () => {
  await db.query('DELETE FROM webhook');
  await db.query('TRUNCATE webhook_delivery');
  const [slow, quick] = [await newPartner(), await newPartner()];
  await endpoints(20, { waiting: 30, concurrent: 30, of: slow });
  await endpoints(1, { waiting: 12, of: quick });
  const running = new Map<string, number>();
  const taken: Awaited<ReturnType<typeof claimDeliveries>>['deliveries'] = [];
  const claimAll = async () => {
    for (let more = true; more; ) {
      const { deliveries, moreDue } = await claimDeliveries(db, claim(250 - taken.length, running));
      taken.push(...deliveries);
      for (const each of deliveries) running.set(each.partnerId, (running.get(each.partnerId) ?? 0) + 1);
      more = moreDue;
    }
  };
  await claimAll();
  assert.deepEqual(
    [running.get(slow), running.get(quick)],
    [50, 5],
    'and it ends: what waits for places is not due',
  );
  const others = await claimDeliveries(db, claim(250));
  assert.deepEqual(new Set(others.deliveries.map((each) => each.partnerId)), new Set([slow]));
  assert.equal(others.deliveries.length, 50, 'another process has places of its own');
});

test('many partners with slow receivers leave places for a partner that comes later', async () => {
  await db.query('DELETE FROM webhook');
  await db.query('TRUNCATE webhook_delivery');
  for (let partners = 0; partners < 8; partners++)
    await endpoints(5, { waiting: 30, concurrent: 30, of: await newPartner() });
  const running = new Map<string, number>();
  const taken: unknown[] = [];
  const claimAll = async () => {
    for (let more = true; more; ) {
      const { deliveries, moreDue } = await claimDeliveries(db, claim(250 - taken.length, running));
      taken.push(...deliveries);
      for (const each of deliveries) running.set(each.partnerId, (running.get(each.partnerId) ?? 0) + 1);
      more = moreDue;
    }
  };
  await claimAll();
  const free = 250 - taken.length;
  for (const [, count] of running) assert.ok(count >= 20 && free >= 5, `${count} of each, ${free} free`);
  await endpoints(1, { waiting: 12, of: partnerId });
  await claimAll();
  assert.equal(running.get(partnerId), 5, 'as many at once as its endpoint may');
});
