import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { relayBatch } from '#events/batch.ts';
import { reactions } from '#reactions.ts';
import { newId } from '#values/id.ts';
import { happen, insertWorld, type World, workContext } from '../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { claimNotification, recordAttempt, recordDeliveryReport } from './store.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
let world: World;
let id: string;

beforeEach(async () => {
  world = await insertWorld(db);
  const eventId = await happen(db, world, 'booking.confirmed');
  await relayBatch(ctx, reactions);
  const [sms] = await db.query<{ id: string }>(
    "SELECT id FROM notification WHERE event_id = $1 AND channel = 'sms'",
    [eventId],
  );
  id = sms?.id ?? '';
});

async function state(): Promise<string | undefined> {
  const [row] = await db.query<{ state: string }>('SELECT state FROM notification WHERE id = $1', [id]);
  return row?.state;
}

function claim() {
  return { id, attemptId: newId(), smsGateway: 'a', emailGateway: 'b', at: ctx.clock.now() };
}

const accepted = { state: 'accepted', reason: null, detail: null, gatewayId: 'g' } as const;

describe('the record of a notice', () => {
  it('is written by the newest attempt only, and once', async () => {
    const [older, newer] = [claim(), claim()];
    const at = ctx.clock.now();
    assert.equal((await claimNotification(db, older))?.doubtfulAttemptId, null);
    assert.equal((await claimNotification(db, newer))?.doubtfulAttemptId, older.attemptId);
    assert.equal(await recordAttempt(db, older, { ...accepted, attemptId: older.attemptId }, at), false);
    assert.equal(await recordAttempt(db, newer, { ...accepted, attemptId: newer.attemptId }, at), true);
    const failed = { ...accepted, state: 'failed', attemptId: newer.attemptId } as const;
    assert.equal(await recordAttempt(db, newer, failed, at), false);
    assert.equal(await state(), 'accepted');
  });

  it('is closed to further attempts once the notice was accepted', async () => {
    const mine = claim();
    await claimNotification(db, mine);
    await recordAttempt(db, mine, { ...accepted, attemptId: mine.attemptId }, ctx.clock.now());
    assert.equal(await claimNotification(db, claim()), null);
    assert.equal(await claimNotification(db, { ...claim(), id: newId() }), null);
  });

  it('takes delivery reports by reference; the first is final, so that a good segment covers up no failed one', async () => {
    const mine = claim();
    await claimNotification(db, mine);
    await recordAttempt(db, mine, { ...accepted, attemptId: mine.attemptId }, ctx.clock.now());
    const report = (what: 'delivered' | 'undelivered', reference = mine.attemptId) =>
      recordDeliveryReport(db, { reference, state: what, detail: 'Away' }, ctx.clock.now());
    assert.deepEqual(
      [await report('undelivered'), await report('undelivered'), await report('delivered')],
      [true, false, false],
    );
    assert.equal(await state(), 'undelivered');
    assert.equal(await report('delivered', newId()), false);
  });
});
