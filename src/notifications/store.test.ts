import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { recordReport } from '#carrier/record-report.ts';
import { relayBatch } from '#events/batch.ts';
import { reactions } from '#reactions.ts';
import { newId } from '#values/id.ts';
import { happen, insertWorld, type World, workContext } from '../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { type AttemptRecord, recordAttempt } from './attempts/store.ts';
import { claimNotification } from './store.ts';

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

function claim(asked?: string, repeatsUnknown = false) {
  return {
    id,
    attemptId: newId(),
    smsGateway: 'a',
    emailGateway: 'b',
    at: ctx.clock.now(),
    exemptCountries: [],
    ...(asked === undefined ? {} : { asked: { attemptId: asked, repeatsUnknown } }),
  };
}
type Made = ReturnType<typeof claim>;
const isClaimed = async (made: Made) => {
  const claimed = await claimNotification(db, made);
  return claimed !== null && 'claimed' in claimed;
};
const record = (made: Made, changes: Partial<AttemptRecord> = {}) =>
  recordAttempt(db, 'notification', made, { ...accepted, ...changes }, ctx.clock.now());

const accepted = { state: 'accepted', reason: null, detail: null, gatewayId: 'g', segments: 1 } as const;

describe('the record of a notice', () => {
  it('is written by the newest attempt only, and once', async () => {
    const older = claim();
    const newer = claim(older.attemptId);
    assert.equal(await isClaimed(older), true);
    assert.equal(await isClaimed(newer), true);
    assert.equal(await record(older), false);
    assert.equal(await record(newer), true);
    assert.equal(await record(newer, { state: 'failed' }), false);
    assert.equal(await state(), 'accepted');
  });

  it('is closed to further attempts once the notice was accepted', async () => {
    const mine = claim();
    await claimNotification(db, mine);
    await record(mine);
    assert.equal(await claimNotification(db, claim()), null);
    assert.equal(await claimNotification(db, claim(mine.attemptId)), null);
    assert.equal(await claimNotification(db, { ...claim(), id: newId() }), null);
  });

  it('stays with an attempt in doubt until somebody has asked about that very one', async () => {
    const mine = claim();
    await claimNotification(db, mine);
    await record(mine, { state: 'unknown', reason: 'unknownOutcome', gateway: 'first' });
    const [found] = [await claimNotification(db, claim())];
    assert.deepEqual(found, {
      doubt: {
        attemptId: mine.attemptId,
        gateway: 'first',
        state: 'unknown',
        since: ctx.clock.now(),
        repeatsUnknown: false,
      },
    });
    assert.equal(await isClaimed(claim(newId())), false);
    const [one, two] = [claim(mine.attemptId, true), claim(mine.attemptId, true)];
    assert.deepEqual((await Promise.all([isClaimed(one), isClaimed(two)])).sort(), [false, true]);
    const after = await claimNotification(db, claim());
    assert.ok(after !== null && 'doubt' in after);
    assert.equal(after.doubt.repeatsUnknown, true);
  });

  it('takes reports of an attempt in doubt, and none of an attempt that another has followed', async () => {
    const older = claim();
    await claimNotification(db, older);
    const newer = claim(older.attemptId);
    await claimNotification(db, newer);
    await record(newer);
    const report = (reference: string) =>
      recordReport(db, 'a', { reference, state: 'undelivered', detail: 'Away' }, ctx.clock.now());
    await report(older.attemptId);
    assert.equal(await state(), 'accepted');
    await report(newer.attemptId);
    assert.equal(await state(), 'undelivered');
  });
});
