/** Receipts whose id is in one of two notations, or unknown: the number of the hand-over identifies the attempt. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { atClock, handedOverIn } from '../../../test/fixtures/reported.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { recordReport } from './record-report.ts';

const { db } = await createTestDatabase();
const handOver = await handedOverIn(db);
const phone = '+61491570006';
await db.query('UPDATE customer SET phone = $1', [phone]);
/** Makes ids unique to each test. */
let run = 0;
beforeEach(() => {
  run++;
});

const report = (segment: DeliveryReport['segment'], change: Partial<DeliveryReport> = {}, gateway = 'g') =>
  recordReport({ db, clock: atClock }, gateway, {
    reference: null,
    ...(segment && { segment }),
    state: 'delivered',
    detail: null,
    ...change,
  });
const userReferenceOf = (reference: string) => Number.parseInt(reference.slice(-4), 16);
const by = (reference: string, to = phone) => ({
  handedOver: { userReference: userReferenceOf(reference), to },
});
const accepted = (...segmentIds: string[]) => ({ state: 'accepted', gatewayId: 'g', segmentIds }) as const;
const lost = { state: 'unknown', detail: 'No answer.' } as const;
const either = () => ({ id: `ab${run}`, otherId: `171${run}`, of: null });

for (const form of ['id', 'otherId'] as const) {
  test(`an id in either notation, before and after the acceptance: it is the ${form}`, async () => {
    const early = await handOver('message', 1);
    await report(either());
    await early.record(db, accepted(either()[form]));
    assert.equal(await early.state(), 'delivered');
    run++;
    const late = await handOver('message', 1);
    await late.record(db, accepted(either()[form]));
    await report(either());
    assert.equal(await late.state(), 'delivered');
  });
}

test('when both notations are known ids, the number of the hand-over decides; without it the notation in the settings', async () => {
  const [first, second] = [await handOver('message', 1), await handOver('message', 1)];
  await first.record(db, accepted(either().id));
  await second.record(db, accepted(either().otherId));
  await report(either(), by(second.reference));
  assert.deepEqual([await first.state(), await second.state()], ['accepted', 'delivered']);
  await report(either());
  assert.equal(await first.state(), 'delivered');
});

test('a lost response: receipts with the number of the hand-over settle the outcome, segment by segment', async () => {
  for (const what of ['message', 'notification'] as const) {
    const made = await handOver(what, 2);
    await made.record(db, lost);
    assert.equal(await made.state(), 'unknown');
    const ids = [newId(), newId()].map((id) => ({ id, of: null }));
    await report(ids[0], by(made.reference));
    await report(ids[0], by(made.reference));
    assert.equal(await made.state(), 'accepted');
    // The response comes late, and the carrier repeats its receipts.
    await made.record(db, accepted(...ids.map(({ id }) => id)));
    await report(ids[0], by(made.reference));
    assert.equal(await made.state(), 'accepted');
    await report(ids[1], by(made.reference));
    assert.equal(await made.state(), 'delivered');
  }
  const made = await handOver('message', 1);
  await made.record(db, lost);
  await report(either(), { ...by(made.reference), state: 'undelivered' });
  assert.equal(await made.state(), 'undelivered');
});

test('the number of another phone, gateway or time, and one that two attempts share, prove nothing', async () => {
  const made = await handOver('message', 1);
  await made.record(db, lost);
  const other = { userReference: userReferenceOf(made.reference) ^ 1, to: phone };
  await report({ id: newId(), of: null }, { handedOver: other });
  await report({ id: newId(), of: null }, by(made.reference, '+61491570007'));
  await report({ id: newId(), of: null }, by(made.reference), 'another');
  const setStart = (ago: string) =>
    db.query('UPDATE message_attempt SET started_at = clock_timestamp() - $2::interval WHERE id = $1', [
      ...[made.reference, ago],
    ]);
  await setStart('4 days');
  await report({ id: newId(), of: null }, by(made.reference));
  await setStart('0 days');
  const twin = await handOver('message', 1);
  const same = twin.reference.slice(0, -4) + made.reference.slice(-4);
  await db.query('UPDATE message_attempt SET id = $2 WHERE id = $1', [twin.reference, same]);
  await report({ id: newId(), of: null }, by(made.reference));
  assert.equal(await made.state(), 'unknown');
});

test("a known id takes precedence over a number of the carrier's own", async () => {
  const [made, other] = [await handOver('message', 1), await handOver('message', 1)];
  await made.record(db, accepted(either().id));
  await report({ id: either().id, of: null }, by(other.reference));
  assert.deepEqual([await made.state(), await other.state()], ['delivered', 'sending']);
});
