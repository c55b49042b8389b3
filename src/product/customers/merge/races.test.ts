/** Races with a merge of two customers: nothing is lost, and every opt-out applies to both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import type { Queryable } from '#platform/db/database.ts';
import { readStaffCustomer } from '#product/messaging/staff/customer.ts';
import { type Known, mergeWorld } from '../../../../test/fixtures/merged.ts';
import { lockCustomers } from '../merged/store.ts';
import { setOptedOut } from '../opt-out.ts';
import { requireCustomer } from '../store.ts';
import { writeMerge } from './store.ts';

const { app, partner, workshopId, customer, merge, optedOut, answer, known } = await mergeWorld();
const { context } = app;
const { db, clock } = context;
const actor = actors.operator;

/**
 * Runs `meanwhile` while a merge has written both rows without committing, until it waits for a lock or ends; then the merge
 * commits.
 */
async function duringMerge(
  [one, other]: readonly [Known, Known],
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const [keptId = '', goneId = ''] = [one.customerId, other.customerId].sort();
  let isDone = false;
  let done: Promise<unknown> | undefined;
  await db.transaction(async (tx: Queryable) => {
    await lockCustomers(tx, [keptId, goneId]);
    await writeMerge(tx, { workshopId, keptId, goneId, now: clock.now() });
    done = meanwhile().finally(() => {
      isDone = true;
    });
    const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while (!isDone && (await db.query(sql)).length === 0) await setImmediate();
  });
  await done;
}

test('always: a STOP, or an opt-out by staff, that waits for a merge applies to both (specification: Merging customers 3)', async () => {
  for (const stop of [
    ({ phone }: Known) => answer(phone, 'STOP'),
    ({ customerId }: Known) => setOptedOut({ db, clock }, customerId, true, actor),
    // The opt-out as a previous release writes it.
    ({ customerId }: Known) =>
      db.query('UPDATE customer SET opted_out_at = now() WHERE id = $1', [customerId]),
  ]) {
    for (const which of [0, 1] as const) {
      const both = [await customer(), await customer()] as const;
      await duringMerge(both, () => stop(both[which]));
      assert.deepEqual(await optedOut(both[0].customerId, both[1].customerId), [true, true]);
    }
  }
});

test('always: a booking for either number that is made during a merge keeps its customer id (specification: Merging customers 2)', async () => {
  const both = [await customer(), await customer()] as const;
  for (const { phone, customerId } of both) assert.equal((await known(phone)).customerId, customerId);
  let booked: { customerId: string } | undefined;
  await duringMerge(both, async () => {
    booked = await known(both[1].phone);
  });
  assert.equal(booked?.customerId, both[1].customerId);
  const { bookings } = await readStaffCustomer(db, { workshopId, customerId: both[0].customerId });
  assert.equal(bookings.length, 5);
});

test('always: concurrent STOPs from both numbers, many times: both are opted out each time, without a deadlock', async () => {
  const both = [await customer(), await customer()] as const;
  await merge(both[0].customerId, both[1].customerId);
  const deadlocks = async () =>
    (
      await db.query<{ n: number }>(
        'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
      )
    )[0]?.n;
  const before = await deadlocks();
  for (let round = 0; round < 8; round++) {
    await Promise.all(
      [...both, ...both].map(({ phone }) => answer(phone, round % 2 === 0 ? 'STOP' : 'START')),
    );
    const is = round % 2 === 0;
    assert.deepEqual(await optedOut(both[0].customerId, both[1].customerId), [is, is]);
  }
  assert.equal(await deadlocks(), before);
});

test('always: crossing merges, bookings for all numbers and a concurrent erasure: one of the merges wins, and nobody is half merged', async () => {
  for (let round = 0; round < 4; round++) {
    const three = [await customer(), await customer(), await customer()];
    const [a, b, c] = three.map(({ customerId }) => customerId) as [string, string, string];
    const results = await Promise.allSettled([
      ...[merge(a, b), merge(b, c), merge(c, a), merge(b, a)],
      ...three.map(({ phone }) => known(phone)),
    ]);
    const merges = results.slice(0, 4).filter(({ status }) => status === 'fulfilled').length;
    assert.ok(merges >= 1 && merges <= 2, `${merges} merges`);
    const bad = await db.query(
      `SELECT one.id FROM customer one JOIN customer kept ON kept.id = one.merged_into
        WHERE kept.merged_into IS NOT NULL OR kept.workshop_id <> one.workshop_id OR kept.id > one.id`,
    );
    assert.deepEqual(bad, [], 'one step leads to the one that is kept');

    const [erased, merged] = await Promise.allSettled([
      eraseCustomer({ db, clock }, b, actor),
      customer().then(({ customerId }) => merge(a, customerId)),
    ]);
    assert.equal(erased.status, 'fulfilled');
    // In any order, all rows of an erased customer are erased.
    const half = await db.query(
      `SELECT one.id FROM customer one JOIN customer kept ON kept.id = one.merged_into
        WHERE (one.erased_at IS NULL) <> (kept.erased_at IS NULL)`,
    );
    assert.deepEqual(half, [], merged.status);
  }
});

test('always: any sequence of merges, opt-outs and bookings: each id still works, opt-outs apply to all rows, bookings add up (specification: Merging customers 1 and 3)', async () => {
  const index = fc.nat(4);
  const step = fc.oneof(
    fc.record({ do: fc.constant('merge' as const), one: index, other: index }),
    fc.record({ do: fc.constantFrom('stop' as const, 'start' as const), one: index }),
    fc.record({ do: fc.constant('book' as const), one: index }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 9 }), async (steps) => {
      const all = await Promise.all(Array.from({ length: 5 }, () => customer()));
      all.sort((one, other) => (one.customerId < other.customerId ? -1 : 1));
      // The model: the group of each row, by its lowest number; opted-out groups; numbers of bookings.
      const group = all.map((_, n) => n);
      const out = all.map(() => false);
      const bookings = all.map(() => 1);
      for (const it of steps) {
        const at = all[it.one] ?? assert.fail();
        if (it.do === 'merge') {
          const other = all[it.other] ?? assert.fail();
          const mayMerge = it.one !== it.other && group[it.one] === it.one && group[it.other] === it.other;
          const done = merge(at.customerId, other.customerId);
          if (!mayMerge) {
            await assert.rejects(done);
            continue;
          }
          await done;
          const [low, high] = [Math.min(it.one, it.other), Math.max(it.one, it.other)];
          const isOut = (out[low] ?? false) || (out[high] ?? false);
          group.forEach((of, n) => {
            if (of === high) group[n] = low;
          });
          group.forEach((of, n) => {
            if (of === low) out[n] = isOut;
          });
        } else if (it.do === 'book') {
          const { customerId } = await known(at.phone);
          assert.equal(customerId, at.customerId);
          bookings[it.one] = (bookings[it.one] ?? 0) + 1;
        } else {
          await answer(at.phone, it.do);
          group.forEach((of, n) => {
            if (of === group[it.one]) out[n] = it.do === 'stop';
          });
        }
      }
      assert.deepEqual(await optedOut(...all.map(({ customerId }) => customerId)), out);
      for (const [n, { customerId, bookingId }] of all.entries()) {
        const { mergedInto } = await requireCustomer(db, customerId);
        assert.equal(mergedInto, group[n] === n ? null : all[group[n] ?? -1]?.customerId);
        const shown = await readStaffCustomer(db, { workshopId, customerId });
        const expected = bookings.filter((_, other) => group[other] === group[n]);
        assert.equal(
          shown.bookings.length,
          expected.reduce((sum, count) => sum + count, 0),
        );
        const { body } = await partner.call('GET', `/bookings/${bookingId}`);
        assert.equal(body.booking.customerId, customerId);
      }
    }),
    { numRuns: 12 },
  );
});
