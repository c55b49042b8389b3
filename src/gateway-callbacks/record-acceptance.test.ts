/** An answer of the gateway that came after the time of its hand-over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#values/id.ts';
import { workContext } from '../../test/fixtures/booking-events.ts';
import { handedOverIn, subjects } from '../../test/fixtures/reported.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { smsListener } from './listener.ts';

const { db } = await createTestDatabase();
const listener = smsListener(workContext(db));
const handOver = await handedOverIn(db);
const unknown = { state: 'unknown', detail: 'No answer.' } as const;
const accepted = (...segmentIds: string[]) => ({ state: 'accepted', gatewayId: 'g-1', segmentIds }) as const;
const delivered = (id: string) =>
  listener.report('g', { reference: null, segment: { id, of: null }, state: 'delivered', detail: null });

for (const what of subjects) {
  test(`${what}: what was unknown is accepted, and takes the reports of its segments, whenever they come`, async () => {
    const made = await handOver(what, 2);
    const [one, two] = [newId(), newId()];
    await delivered(one);
    await made.record(db, unknown);
    assert.equal(await made.state(), 'unknown');
    await listener.accepted('g', made.reference, accepted(one, two));
    assert.equal(await made.state(), 'accepted');
    await delivered(two);
    assert.equal(await made.state(), 'delivered');
    const told = (await made.events()).map(({ state }) => state);
    assert.deepEqual(told, what === 'message' ? ['unknown', 'accepted', 'delivered'] : []);
  });

  test(`${what}: the answer counts although the sender records only then that there was none`, async () => {
    const made = await handOver(what, 1);
    await listener.accepted('g', made.reference, accepted(newId()));
    await made.record(db, unknown);
    assert.equal(await made.state(), 'accepted');
  });

  test(`${what}: what a report has settled stays as it is`, async () => {
    const made = await handOver(what, 1);
    await made.record(db, unknown);
    await listener.report('g', { reference: made.reference, state: 'undelivered', detail: null });
    await listener.accepted('g', made.reference, accepted(newId()));
    assert.equal(await made.state(), 'undelivered');
  });
}

test('of what is not here any more nothing is recorded', async () => {
  await listener.accepted('g', newId(), accepted(newId()));
});
