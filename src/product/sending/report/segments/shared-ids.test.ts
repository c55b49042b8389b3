/** Ids that a carrier gives to several messages: reports by them count for none (specification: Messages 15). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { workContext } from '../../../../../test/fixtures/booking-events.ts';
import { atClock, handedOverIn } from '../../../../../test/fixtures/reported.ts';
import { createTestDatabase } from '../../../../../test/harness/database.ts';
import { purgeSegments } from './purge.ts';
import { sharedIds } from './store.ts';

const { db } = await createTestDatabase();
const context = workContext(db);
const handOver = await handedOverIn(db);

const report = (id: string, state: DeliveryReport['state']) =>
  recordReport({ db, clock: atClock }, 'g', {
    ...{ reference: null, segment: { id, of: null }, state, detail: null },
  });
const accepted = (segmentIds: readonly string[]) =>
  ({ state: 'accepted', gatewayId: 'g', segmentIds }) as const;
const isKept = async (id: string) =>
  (await db.query('SELECT FROM sms_segment WHERE segment_id = $1', [id])).length === 1;
const age = (interval: string) =>
  db.query('UPDATE sms_segment SET created_at = created_at - $1::interval', [interval]);

test('always: an id that two messages have at a time counts for none, from then on (specification: Messages 15)', async () => {
  const id = 'msg_id_not_implemented';
  const [first, second, third, other] = [
    await handOver('message', 1),
    await handOver('notification', 1),
    await handOver('message', 2),
    await handOver('message', 1),
  ];
  await first.record(db, accepted([id]));
  await second.record(db, accepted([id]));
  for (const state of ['undelivered', 'delivered'] as const) await report(id, state);
  await third.record(db, accepted([id, id]));
  await report(id, 'undelivered');
  await other.record(db, accepted([newId()]));
  for (const one of [first, second, third, other]) assert.equal(await one.state(), 'accepted');
  assert.deepEqual(
    (await sharedIds(db)).map(({ gateway, id }) => [gateway, id]),
    [['g', id]],
  );
  // What the carrier gives back of the hand-over still tells.
  const handedOver = { userReference: Number.parseInt(third.reference.slice(-4), 16), to: '+61491570006' };
  const segment = { id, of: null };
  await recordReport({ db, clock: atClock }, 'g', {
    reference: null,
    segment,
    state: 'undelivered',
    detail: null,
    handedOver,
  });
  assert.deepEqual([await first.state(), await third.state()], ['accepted', 'undelivered']);
  await age('13 days 23 hours');
  await purgeSegments(context);
  assert.equal(await isKept(id), true);
  await age('2 hours');
  await purgeSegments(context);
  assert.equal(await isKept(id), false);
});

test('always: outcomes that are recorded at a time share an id too', async () => {
  const made = await Promise.all([1, 2, 3].map(() => handOver('message', 1)));
  await Promise.all(made.map((one) => one.record(db, accepted(['the same']))));
  await report('the same', 'undelivered');
  for (const one of made) assert.equal(await one.state(), 'accepted');
});

test('always: an id that was shared names the message that gets it days later', async () => {
  const [first, second, later] = [
    await handOver('message', 1),
    await handOver('message', 1),
    await handOver('message', 1),
  ];
  await first.record(db, accepted(['17']));
  await second.record(db, accepted(['17']));
  await age('3 days');
  await later.record(db, accepted(['17']));
  await report('17', 'delivered');
  assert.deepEqual(
    [await first.state(), await second.state(), await later.state()],
    ['accepted', 'accepted', 'delivered'],
  );
});
