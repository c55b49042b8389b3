/** A delivery report counts only from the gateway that took the SMS, or may have taken it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atClock, type HandedOver, handedOverIn, subjects } from '../../../test/fixtures/reported.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { recordReport } from './record-report.ts';

const { db } = await createTestDatabase();
const handOver = await handedOverIn(db);
const accepted = { state: 'accepted', gatewayId: 'G-1' } as const;
const unknown = { state: 'unknown', detail: 'No answer.' } as const;

const rowsOf = ({ id }: HandedOver) =>
  db.query(
    `SELECT to_jsonb(m) AS row FROM message m WHERE id = $1 UNION ALL SELECT to_jsonb(a) FROM message_attempt a WHERE message_id = $1
     UNION ALL SELECT to_jsonb(e) FROM event e WHERE subject_id = $1`,
    [id],
  );

for (const what of subjects) {
  for (const outcome of [null, accepted, unknown]) {
    const moment = outcome === null ? 'before its outcome was recorded' : `when it is ${outcome.state}`;

    test(`of the whole ${what} ${moment}`, async () => {
      const sms = await handOver(what, 1);
      if (outcome !== null) await sms.record(db, outcome);
      const { reference } = sms;
      const before = await rowsOf(sms);
      for (const state of ['delivered', 'undelivered', 'expired'] as const)
        await recordReport({ db, clock: atClock }, 'other', { reference, state, detail: 'Away' });
      assert.deepEqual(await rowsOf(sms), before);
      await recordReport({ db, clock: atClock }, 'g', { reference, state: 'expired', detail: null });
      assert.equal(await sms.state(), 'expired');
    });

    test(`of segments of the ${what} ${moment}`, async () => {
      const sms = await handOver(what, 2);
      if (outcome !== null) await sms.record(db, outcome);
      const { reference } = sms;
      const told = (gateway: string, id: string, state: 'delivered' | 'undelivered') =>
        recordReport({ db, clock: atClock }, gateway, {
          reference,
          segment: { id, of: 2 },
          state,
          detail: null,
        });
      const before = await rowsOf(sms);
      await told('other', 'first', 'undelivered');
      await told('other', 'second', 'delivered');
      assert.deepEqual(await rowsOf(sms), before);
      // The other gateway's reports are not added to those of the right one either.
      await told('g', 'first', 'delivered');
      assert.equal(await sms.state(), 'accepted');
      await told('g', 'second', 'delivered');
      assert.equal(await sms.state(), 'delivered');
    });
  }

  test(`of the ${what}, by one of the gateways that may have it`, async () => {
    const sms = await handOver(what, 1, 'f,g');
    const { reference } = sms;
    await recordReport({ db, clock: atClock }, 'other', { reference, state: 'delivered', detail: null });
    await recordReport({ db, clock: atClock }, 'f,g', { reference, state: 'delivered', detail: null });
    assert.equal(await sms.state(), 'sending');
    await recordReport({ db, clock: atClock }, 'f', { reference, state: 'delivered', detail: null });
    assert.equal(await sms.state(), 'delivered');
  });
}
