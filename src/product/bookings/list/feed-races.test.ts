/**
 * GET /bookings?updatedSince (specification: Lists and feeds 3): a client that follows `nextCursor` misses no change, in any order of commits.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { rewriteOf } from '#platform/feed/epoch/store.ts';
import { keepFeed } from '#platform/feed/keep.ts';
import { bookingWorld } from '../../../../test/fixtures/booking-api.ts';
import { settledFeed } from '../../../../test/fixtures/settled-feed.ts';
import type { Booking } from '../schema.ts';

const { app, partner, book, change } = await bookingWorld();
const { db, clock } = app.context;
const since = new Date(clock.now().getTime() - 1_000).toISOString();

interface Page {
  readonly bookings: Booking[];
  readonly cursor: string;
}

async function poll(cursor?: string, query: Readonly<Record<string, string>> = {}): Promise<Page> {
  const search = new URLSearchParams({
    updatedSince: since,
    ...query,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const { status, body } = await partner.call('GET', `/bookings?${search}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(typeof body.nextCursor, 'string');
  return { bookings: body.bookings, cursor: body.nextCursor };
}

/** Reads pages until one is empty. */
async function follow(cursor?: string, query?: Readonly<Record<string, string>>): Promise<Page> {
  await settledFeed(db, 'booking');
  const bookings: Booking[] = [];
  for (let at = cursor; ; ) {
    const page = await poll(at, query);
    bookings.push(...page.bookings);
    at = page.cursor;
    if (page.bookings.length === 0) return { bookings, cursor: at };
  }
}

const idsOf = ({ bookings }: Page) => bookings.map(({ id }) => id);

test('always: changes are in the order in which they were made; an empty page has a cursor too', async () => {
  const [one, two] = [await book(), await book()];
  const first = await follow(undefined, { limit: '1' });
  assert.deepEqual(idsOf(first), [one.id, two.id]);
  await change(one.id, { notes: 'Later' });
  await partner.call('POST', `/bookings/${two.id}/confirmed`);
  await partner.call('POST', `/bookings/${two.id}/confirmed`);
  const second = await follow(first.cursor);
  assert.deepEqual(idsOf(second), [one.id, two.id]);
  assert.deepEqual([second.bookings[0]?.notes, second.bookings[1]?.status], ['Later', 'confirmed']);
  const third = await poll(second.cursor);
  assert.deepEqual(third.bookings, []);
  assert.deepEqual((await poll(third.cursor)).bookings, []);
  // Inclusive, to the millisecond.
  const at = second.bookings[0]?.updatedAt ?? '';
  const { body } = await partner.call('GET', `/bookings?updatedSince=${at}`);
  assert.ok(body.bookings.some(({ id }: Booking) => id === one.id));
});

test('always: filters apply; a page without a match still advances the cursor', async () => {
  const { cursor } = await follow(undefined, { status: 'cancelled' });
  const { id } = await book({ externalId: 'F' });
  assert.deepEqual(idsOf(await poll(cursor, { status: 'cancelled' })), []);
  await partner.call('POST', `/bookings/${id}/cancelled`);
  assert.deepEqual(idsOf(await follow(cursor, { status: 'cancelled' })), [id]);
  assert.deepEqual(idsOf(await follow(undefined, { externalId: 'F', status: 'cancelled' })), [id]);
});

test('always: a change whose commit is pending holds back later changes, and none is missed', async () => {
  const [slow, quick] = [await book(), await book()];
  const { cursor } = await follow();
  const during = await db.transaction(async (tx) => {
    await tx.query(`UPDATE booking SET notes = 'slow', updated_at = $2 WHERE id = $1`, [
      slow.id,
      clock.now(),
    ]);
    await change(quick.id, { notes: 'quick' });
    return poll(cursor);
  });
  assert.deepEqual(during.bookings, [], 'the quick one is not told before the slow one');
  assert.deepEqual(idsOf(await follow(during.cursor)), [slow.id, quick.id]);
});

test('always: writers with slow commits, and a client that polls: the client sees the last state of each booking', async () => {
  const bookings = await Promise.all(Array.from({ length: 12 }, () => book({ skipNotification: true })));
  let { cursor } = await follow();
  const seen = new Map<string, string | null>();
  let writing = true;
  const poller = (async () => {
    for (let last = false; ; last = !writing) {
      const page = await poll(cursor, {});
      for (const { id, notes } of page.bookings) seen.set(id, notes);
      cursor = page.cursor;
      if (last && page.bookings.length === 0) return;
    }
  })();
  const write = async (lane: number) => {
    for (let round = 0; round < 12; round++) {
      const mine = bookings.filter((_, index) => index % 4 === lane);
      await db.transaction(async (tx) => {
        for (const { id } of mine) {
          await tx.query(
            `UPDATE booking SET notes = $2, updated_at = updated_at + interval '1 millisecond' WHERE id = $1`,
            [id, `${lane} ${round}`],
          );
          // The transaction stays open while others begin and end.
          await tx.query(`SELECT pg_sleep($1)`, [((lane * 7 + round * 3) % 5) / 250]);
        }
      });
    }
  };
  await Promise.all([write(0), write(1), write(2), write(3)]);
  await settledFeed(db, 'booking');
  writing = false;
  await poller;
  for (const [index, { id }] of bookings.entries()) assert.equal(seen.get(id), `${index % 4} 11`);
});

test('always: a feed from an instant begins at the mark before it, and shows all changes since', async () => {
  await app.context.db.query(`DELETE FROM feed_mark`);
  const keep = keepFeed([rewriteOf('booking')]);
  const old = await book();
  await settledFeed(db, 'booking');
  await keep(app.context);
  app.pass(20 * 60);
  await keep(app.context);
  const recent = await book();
  await settledFeed(db, 'booking');
  const from = new Date(clock.now().getTime() - 10 * 60_000).toISOString();
  const { body } = await partner.call('GET', `/bookings?updatedSince=${from}`);
  assert.deepEqual(
    body.bookings.map(({ id }: Booking) => id),
    [recent.id],
  );
  const [floor] = await db.query<{ skips: boolean }>(
    `SELECT (SELECT changed_in FROM booking WHERE id = $1) < (SELECT min("before") FROM feed_mark WHERE at < $2) AS skips`,
    [old.id, new Date(Date.parse(from) - 5 * 60_000)],
  );
  assert.equal(floor?.skips, true, 'the old booking is not looked at');
});

test('always: after a restore into another server, rows get its transaction numbers, and earlier cursors start over', async () => {
  const all = await follow();
  const present = new Set(idsOf(await follow()));
  await db.query(`ALTER TABLE booking DISABLE TRIGGER booking_change`);
  await db.query(`UPDATE booking SET changed_in = '9000000000'::xid8`);
  await db.query(`ALTER TABLE booking ENABLE TRIGGER booking_change`);
  await db.query(`UPDATE feed_epoch SET system_identifier = 'another'`);
  await keepFeed([rewriteOf('booking')])(app.context);
  assert.deepEqual(new Set(idsOf(await follow(all.cursor))), present);
  const { cursor } = await follow();
  await keepFeed([rewriteOf('booking')])(app.context);
  assert.deepEqual((await poll(cursor)).bookings, [], 'the epoch is renewed once');
  // A cursor beyond this server's numbers still returns the rows.
  await db.query(`UPDATE feed_epoch SET timeline = timeline + 1`);
  await keepFeed([rewriteOf('booking')])(app.context);
  assert.deepEqual(new Set(idsOf(await follow(cursor))), present);
  const made = await book({ externalId: newId() });
  assert.deepEqual(idsOf(await follow((await follow(cursor)).cursor)), []);
  assert.ok(idsOf(await follow()).includes(made.id));
});
