/** Long because one database serves all its cases. Segments that gateways report on: which attempt each belongs to, and when it is deleted. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import type { DeliveryReport } from '#platform/gateways/sms/callbacks.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { claimAttempt, startAttempt } from '#product/messaging/attempts/store.ts';
import { workContext } from '../../../../../test/fixtures/booking-events.ts';
import { at, atClock, handedOverIn } from '../../../../../test/fixtures/reported.ts';
import { watched } from '../../../../../test/fixtures/watched-database.ts';
import { createTestDatabase } from '../../../../../test/harness/database.ts';
import { finishOf, recordOf } from '../../finish/outcome.ts';
import { recordFinish } from '../../finish/store.ts';
import { purgeSegments } from './purge.ts';
import { segmentDeletions } from './store.ts';

const { db } = await createTestDatabase();
const context = workContext(db);
const handOver = await handedOverIn(db);

type State = DeliveryReport['state'];
const report = (id: string, state: State = 'delivered', gateway = 'g') =>
  recordReport({ db, clock: atClock }, gateway, {
    reference: null,
    segment: { id, of: null },
    state,
    detail: null,
  });
const accepted = (segmentIds: readonly string[]) =>
  ({ state: 'accepted', gatewayId: 'g', segmentIds }) as const;
const rows = async () =>
  (await db.query<{ id: string }>('SELECT segment_id AS id FROM sms_segment ORDER BY segment_id')).map(
    ({ id }) => id,
  );
const age = (interval: string) =>
  db.query('UPDATE sms_segment SET created_at = created_at - $1::interval', [interval]);

test('a report on an earlier attempt changes only that attempt, in any order', async () => {
  const states = fc.array(fc.constantFrom<State>('delivered', 'undelivered', 'expired'), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ first: states, second: states, bySegment: fc.boolean(), together: fc.boolean() }),
      async ({ first, second, bySegment, together }) => {
        const made = await handOver('message', 1);
        await made.record(db, { state: 'unknown', detail: 'No answer.' });
        assert.equal(await claimAttempt(db, made.id, made.reference), true);
        const latest = newId();
        const next = {
          messageId: made.id,
          latest: made.reference,
          attemptId: latest,
          gateway: 'g',
          repeatsUnknown: true,
          content: null,
          actor: actors.schedule,
        };
        assert.equal(await startAttempt(db, { ...next, now: at }), 'started');
        const finish = { messageId: made.id, attemptId: latest, now: at, ...recordOf(accepted([])) };
        await recordFinish(db, finishOf({ ...finish, actor: actors.schedule }));

        const bring = (reference: string) => (state: State) => () =>
          recordReport({ db, clock: atClock }, 'g', {
            reference,
            state,
            detail: null,
            ...(bySegment ? { segment: { id: '1', of: 1 } } : {}),
          });
        const brought = [...first.map(bring(made.reference)), ...second.map(bring(latest))];
        if (together) await Promise.all(brought.map((one) => one()));
        else for (const one of brought) await one();

        const attempts = await db.query<{ state: string }>(
          'SELECT state FROM message_attempt WHERE message_id = $1 ORDER BY number',
          [made.id],
        );
        const said = [first, second].map(([state], index) => state ?? (index === 0 ? 'unknown' : 'accepted'));
        if (together) {
          for (const [index, all] of [first, second].entries()) {
            const state = attempts[index]?.state ?? '';
            assert.ok(all.length === 0 ? state === said[index] : all.some((one) => one === state), state);
          }
        } else {
          assert.deepEqual(
            attempts.map(({ state }) => state),
            said,
          );
        }
        assert.equal(await made.state(), attempts[1]?.state);
        const told = (await made.events()).map(({ state }) => state);
        assert.deepEqual(told, ['unknown', 'accepted', ...(second.length > 0 ? [attempts[1]?.state] : [])]);
      },
    ),
    { numRuns: 60 },
  );
});

test('the same id from another gateway is another segment', async () => {
  const made = await handOver('message', 1);
  await made.record(db, accepted(['7']));
  await report('7', 'undelivered', 'another');
  assert.equal(await made.state(), 'accepted');
  await report('7', 'delivered');
  assert.equal(await made.state(), 'delivered');
});

test('an id that a gateway reuses belongs to the latest attempt with it', async () => {
  const [older, newer] = [await handOver('message', 1), await handOver('notification', 1)];
  await older.record(db, accepted(['again']));
  await report('again', 'undelivered');
  await newer.record(db, accepted(['again']));
  assert.deepEqual([await older.state(), await newer.state()], ['undelivered', 'accepted']);
  await report('again', 'delivered');
  assert.deepEqual([await older.state(), await newer.state()], ['undelivered', 'delivered']);
});

test('an id that is reused days later belongs to the new attempt, also when the report comes before the acceptance', async () => {
  for (const first of ['delivered', null] as const) {
    const id = newId();
    const [older, newer] = [await handOver('message', 1), await handOver('notification', 1)];
    await older.record(db, accepted([id]));
    if (first !== null) await report(id, first);
    await age('3 days');
    await report(id, 'undelivered');
    await newer.record(db, accepted([id]));
    assert.equal(await newer.state(), 'undelivered');
    // Before the acceptance the report could not be matched to an attempt.
    assert.equal(await older.state(), first ?? 'undelivered');
  }
});

test('a late or repeated report changes no other attempt', async () => {
  const made = await handOver('message', 2);
  const ids = [newId(), newId()] as const;
  await made.record(db, accepted(ids));
  await report(ids[0]);
  await age('47 hours');
  await report(ids[0], 'undelivered');
  await age('5 days');
  await report(ids[1]);
  assert.equal(await made.state(), 'delivered');
  await report(ids[0], 'undelivered');
  assert.equal(await made.state(), 'delivered');
});

test('one id for all segments is one report on all of them', async () => {
  const made = await handOver('message', 3);
  await made.record(db, accepted(['one', 'one', 'one']));
  await report('one');
  assert.equal(await made.state(), 'delivered');
});

test('ids that are too long for an index, and invalid numbers, do no harm', async () => {
  const long = `\0${'é'.repeat(100_000)}`;
  const made = await handOver('message', 1);
  await made.record(db, accepted([long]));
  for (const count of [0, -1, 1.5, 1e12, Number.NaN, 256]) {
    const segment = { id: '', of: count };
    await recordReport({ db, clock: atClock }, 'g', {
      reference: null,
      segment,
      state: 'delivered',
      detail: null,
    });
  }
  await report(long);
  assert.equal(await made.state(), 'delivered');
});

test('reports without an acceptance are deleted after an hour, our segments after two weeks', async () => {
  await db.query('DELETE FROM sms_segment');
  const made = await handOver('message', 1);
  await made.record(db, accepted(['ours']));
  await report("nobody's");
  await age('59 minutes');
  await purgeSegments(context);
  assert.deepEqual(await rows(), ["nobody's", 'ours']);
  await age('1 minute');
  await purgeSegments(context);
  assert.deepEqual(await rows(), ['ours']);
  await report('ours');
  await age('13 days 22 hours');
  await purgeSegments(context);
  assert.deepEqual(await rows(), ['ours']);
  await age('1 hour');
  await purgeSegments(context);
  assert.deepEqual([await rows(), await made.state()], [[], 'delivered']);
});

test('old segments are deleted in steps of a thousand, also by two processes at once', async () => {
  await db.query(
    `INSERT INTO sms_segment (gateway, segment_id, reference, created_at)
     SELECT 'g', n::text, CASE WHEN n % 2 = 0 THEN gen_random_uuid() END, clock_timestamp() - interval '15 days'
       FROM generate_series(1, 4500) AS n`,
  );
  await report('new');
  const [first] = await Promise.all([
    segmentDeletions[1]?.(db, 1_000),
    purgeSegments(context),
    purgeSegments(context),
  ]);
  assert.ok((first ?? Number.NaN) <= 1_000);
  assert.deepEqual(await rows(), ['new']);
});

test('reports on segments that come at the same time share their round trips', async () => {
  const { watching, sizes } = watched(db);
  const ids = Array.from({ length: 20 }, (_, n) => `together-${n}`);
  await Promise.all(
    ids.map((id) =>
      recordReport({ db: watching, clock: atClock }, 'g', {
        reference: null,
        segment: { id, of: null },
        state: 'delivered',
        detail: null,
      }),
    ),
  );
  assert.ok(sizes().length <= 4 && sizes().reduce((sum, size) => sum + size, 0) === 20, String(sizes()));
  assert.deepEqual(
    (await rows()).filter((id) => id.startsWith('together')),
    ids.toSorted(),
  );
});
