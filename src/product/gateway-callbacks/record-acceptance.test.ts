/** A response of a gateway that comes after the hand-over's time-out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { workContext } from '../../../test/fixtures/booking-events.ts';
import { handedOverIn, type Subject, subjects } from '../../../test/fixtures/reported.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { smsListener } from './listener.ts';

const { db } = await createTestDatabase();
const listener = smsListener(workContext(db));
const handOver = await handedOverIn(db);
const unknown = { state: 'unknown', detail: 'No answer.' } as const;
const accepted = (...segmentIds: string[]) => ({ state: 'accepted', gatewayId: 'g-1', segmentIds }) as const;
const delivered = (id: string) =>
  listener.report('g', { reference: null, segment: { id, of: null }, state: 'delivered', detail: null });

/** A customer's notice has events only for failures, for the workshop's open pages. */
const toldOf: Readonly<Record<Subject, readonly string[]>> = {
  message: ['unknown', 'accepted', 'delivered'],
  notification: ['message.noticeFailed'],
  answer_notice: [],
};

for (const what of subjects) {
  test(`${what}: an unknown outcome becomes accepted, with the reports of its segments, whenever they come`, async () => {
    const made = await handOver(what, 2);
    const [one, two] = [newId(), newId()];
    await delivered(one);
    await made.record(db, unknown);
    assert.equal(await made.state(), 'unknown');
    await listener.accepted('g', made.reference, accepted(one, two));
    assert.equal(await made.state(), 'accepted');
    await delivered(two);
    assert.equal(await made.state(), 'delivered');
    const told = (await made.events()).map(({ kind, state }) => state ?? kind);
    assert.deepEqual(told, toldOf[what]);
  });

  test(`${what}: the acceptance counts even if the sender records the time-out after it`, async () => {
    const made = await handOver(what, 1);
    await listener.accepted('g', made.reference, accepted(newId()));
    await made.record(db, unknown);
    assert.equal(await made.state(), 'accepted');
  });

  test(`${what}: an outcome that a report has decided does not change`, async () => {
    const made = await handOver(what, 1);
    await made.record(db, unknown);
    await listener.report('g', { reference: made.reference, state: 'undelivered', detail: null });
    await listener.accepted('g', made.reference, accepted(newId()));
    assert.equal(await made.state(), 'undelivered');
  });
}

const onTheWay = (reference: string) => listener.report('g', { reference, state: 'accepted', detail: null });

for (const what of subjects) {
  test(`${what}: a report that is not final makes an unknown outcome accepted, once, and a final one follows`, async () => {
    const made = await handOver(what, 1);
    await made.record(db, unknown);
    for (let i = 0; i < 3; i++) await onTheWay(made.reference);
    assert.equal(await made.state(), 'accepted');
    const queued = await db.query('SELECT FROM queued_message WHERE message_id = $1', [made.id]);
    assert.equal(queued.length, 0, 'nothing is left to reconcile or to send');
    await listener.report('g', { reference: made.reference, state: 'delivered', detail: null });
    await onTheWay(made.reference);
    assert.equal(await made.state(), 'delivered');
    const told = (await made.events()).map(({ kind, state }) => state ?? kind);
    assert.deepEqual(told, toldOf[what]);
  });

  test(`${what}: a report before the gateway's response counts, also when the response is lost; the response adds the gateway's id`, async () => {
    for (const outcome of [unknown, accepted()]) {
      const made = await handOver(what, 1);
      await onTheWay(made.reference);
      await made.record(db, outcome);
      const [attempt] = await db.query('SELECT state, gateway_id AS id FROM message_attempt WHERE id = $1', [
        made.reference,
      ]);
      assert.deepEqual(attempt, { state: 'accepted', id: outcome === unknown ? null : 'g-1' });
      assert.equal(await made.state(), 'accepted');
    }
  });

  test(`${what}: a report of a gateway that did not get the message changes nothing`, async () => {
    const made = await handOver(what, 1);
    await made.record(db, unknown);
    await listener.report('other', { reference: made.reference, state: 'accepted', detail: null });
    assert.equal(await made.state(), 'unknown');
  });
}

test('an acceptance of a deleted attempt changes nothing', async () => {
  await listener.accepted('g', newId(), accepted(newId()));
});
