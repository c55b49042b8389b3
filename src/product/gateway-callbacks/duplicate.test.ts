/**
 * A second hand-over that the gateway withholds as a duplicate (MessageMedia's 305): it has the first one, whose reports decide
 * from then on.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { atClock, handedOverIn, type Subject, subjects } from '../../../test/fixtures/reported.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { recordReport } from './record-report.ts';

const { db } = await createTestDatabase();
const handOver = await handedOverIn(db);
const unknown = { state: 'unknown', detail: 'No answer.' } as const;
const withheld = {
  state: 'undelivered',
  detail: 'rejected: taken for a duplicate (305)',
  duplicate: true,
} as const;

/** The first hand-over got no response; the second is accepted, unless its outcome is still open. */
async function resent(what: Subject, { isOpen = false, gateway = 'g' } = {}) {
  const first = await handOver(what, 1, gateway);
  await first.record(db, unknown);
  const reference = newId();
  await db.query(
    `INSERT INTO message_attempt (id, message_id, number, gateway, state, started_at) VALUES ($1, $2, 2, 'g', $3, clock_timestamp())`,
    [reference, first.id, isOpen ? 'sending' : 'accepted'],
  );
  await db.query(
    'UPDATE message SET attempt_id = $2, attempts = 2, state = $3, reason = NULL WHERE id = $1',
    [first.id, reference, isOpen ? 'sending' : 'accepted'],
  );
  await db.query('UPDATE queued_message SET attempt_id = $2 WHERE message_id = $1', [first.id, reference]);
  const report = (of: string, said: Omit<DeliveryReport, 'reference'>) =>
    recordReport({ db, clock: atClock }, 'g', { reference: of, ...said });
  return {
    ...first,
    duplicate: () => report(reference, withheld),
    ofFirst: (state: DeliveryReport['state']) => report(first.reference, { state, detail: null }),
    ofSecond: (state: DeliveryReport['state']) => report(reference, { state, detail: null }),
    attempts: async () =>
      (
        await db.query<{ state: string }>(
          'SELECT state FROM message_attempt WHERE message_id = $1 ORDER BY number',
          [first.id],
        )
      ).map(({ state }) => state),
  };
}

for (const what of subjects) {
  for (const isOpen of [false, true]) {
    const name = `${what}, resent${isOpen ? ' and without an outcome yet' : ''}`;

    test(`${name}: the duplicate proves the first hand-over; reports on the first decide, once and in any order`, async () => {
      for (const [report, state] of [
        ['delivered', 'delivered'],
        ['undelivered', 'undelivered'],
        ['expired', 'expired'],
      ] as const) {
        const { duplicate, ofFirst, ofSecond, attempts, state: its } = await resent(what, { isOpen });
        for (let i = 0; i < 2; i++) {
          await duplicate();
          assert.deepEqual([await its(), await attempts()], ['accepted', ['accepted', 'undelivered']]);
        }
        await ofSecond('accepted');
        await ofFirst(report);
        await duplicate();
        assert.deepEqual([await its(), await attempts()], [state, [state, 'undelivered']]);
      }
    });
  }

  test(`${what}: an earlier report on the first hand-over counts too`, async () => {
    const delivered = await resent(what);
    await delivered.ofFirst('delivered');
    assert.equal(await delivered.state(), 'accepted', 'the second may still fail');
    for (let i = 0; i < 2; i++) await delivered.duplicate();
    assert.equal(await delivered.state(), 'delivered');
    const told = (await delivered.events()).map(({ state }) => state);
    assert.deepEqual(told.slice(1), what === 'message' ? ['delivered'] : []);
    // The first did not arrive, and the second is withheld because of it.
    const lost = await resent(what);
    await lost.ofFirst('undelivered');
    assert.equal(await lost.state(), 'accepted');
    await lost.duplicate();
    assert.equal(await lost.state(), 'undelivered');
  });
}

test('a duplicate of another message, or of one that another gateway may have, is undelivered', async () => {
  const alone = await handOver('message', 1);
  await recordReport({ db, clock: atClock }, 'g', { reference: alone.reference, ...withheld });
  assert.equal(await alone.state(), 'undelivered');
  const elsewhere = await resent('message', { gateway: 'other' });
  await elsewhere.duplicate();
  assert.deepEqual(
    [await elsewhere.state(), await elsewhere.attempts()],
    ['undelivered', ['unknown', 'undelivered']],
  );
  const onRoute = await resent('message', { gateway: 'other,g' });
  await onRoute.duplicate();
  assert.equal(await onRoute.state(), 'accepted');
});
