/** Work of which one piece throws: its outcome and that of the others. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { workContext } from '../../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { failedWork } from '../../../../test/harness/failed-work.ts';
import { listDeadLetters } from '../dead-letters/store.ts';
import { type Again, type Pieces, pausesMs, retryFailed, triesAtMost, workOff } from './alone.ts';
import { notFailed } from './store.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
await db.query('CREATE TABLE piece (id uuid PRIMARY KEY, done integer NOT NULL DEFAULT 0)');
let thrown = new Map<string, Error>();

const pieces: Pieces = {
  job: 'doPiece',
  subject: 'pieceId',
  atOnce: 3,
  async find(queryable, _, atMost) {
    const rows = await queryable.query<{ id: string }>(
      `SELECT id FROM piece WHERE done = 0 AND ${notFailed('doPiece', 'piece.id')} ORDER BY id LIMIT $1`,
      [atMost],
    );
    return rows.map(({ id }) => id);
  },
  run: ({ db: own }, ids) =>
    own.transaction(async (tx) => {
      const taken = await tx.query<{ id: string }>(
        `UPDATE piece SET done = done + 1 FROM (
           SELECT id FROM piece WHERE id = ANY ($1::uuid[]) AND done = 0 ORDER BY id FOR UPDATE SKIP LOCKED) AS free
          WHERE piece.id = free.id RETURNING piece.id`,
        [ids],
      );
      for (const { id } of taken) {
        const error = thrown.get(id);
        if (error !== undefined) throw error;
      }
      return taken.length;
    }),
};
const again: Again = new Map([[pieces.job, { ...pieces, again: (own, id) => pieces.run(own, [id]) }]]);

async function make(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await db.query('INSERT INTO piece (id) SELECT unnest($1::uuid[])', [ids]);
  return ids;
}
const undone = async () =>
  (await db.query<{ id: string }>('SELECT id FROM piece WHERE done <> 1 ORDER BY id')).map(({ id }) => id);
const makeDue = () => db.query(`UPDATE failed_work SET due_at = clock_timestamp() WHERE due_at < 'infinity'`);

beforeEach(async () => {
  await db.query('DELETE FROM piece');
  await db.query('DELETE FROM failed_work');
  await db.query('DELETE FROM dead_letter');
  thrown = new Map();
});

test('all are done once, in steps, also by two processes at once', async () => {
  await make(20);
  await Promise.all([workOff(ctx, pieces), workOff(ctx, pieces)]);
  await workOff(ctx, pieces);
  assert.deepEqual(await undone(), []);
});

test('whichever throw, more than a step holds too: all others are done, and none is tried twice in a pass', async () => {
  const ids = await make(12);
  const poisoned = ids.filter((_, n) => n % 3 === 0 || n < 4);
  thrown = new Map(poisoned.map((id) => [id, new Error(`not ${id}`)]));
  await workOff(ctx, pieces);
  assert.deepEqual(await undone(), poisoned.toSorted());
  assert.deepEqual(
    (await failedWork(db)).map(({ subjectId, tries }) => [subjectId, tries]),
    poisoned.toSorted().map((id) => [id, 1]),
  );
  assert.equal(await retryFailed(ctx, again), 0, 'none is due yet');
});

test('one is tried again after pauses, and then a dead letter whose text names nobody', async () => {
  const [id = ''] = await make(1);
  thrown.set(id, new Error('no way to reach +61491570006 or sam@customer.example'));
  await workOff(ctx, pieces);
  for (const pauseMs of pausesMs) {
    const [row] = await db.query<{ waits: number }>(
      `SELECT extract(epoch FROM due_at - clock_timestamp())::float8 * 1000 AS waits FROM failed_work`,
    );
    assert.ok(row && row.waits > pauseMs * 0.9 && row.waits < pauseMs * 1.3, `${row?.waits} for ${pauseMs}`);
    await makeDue();
    assert.equal(await retryFailed(ctx, again), 1);
  }
  const [letter, ...more] = await listDeadLetters(db);
  assert.deepEqual([letter?.job, letter?.payload, more.length], ['doPiece', { pieceId: id }, 0]);
  assert.equal(letter?.attempts, triesAtMost);
  assert.doesNotMatch(letter?.detail ?? '', /4915|sam@/);
  await makeDue();
  assert.equal(await retryFailed(ctx, again), 0);
});

test('one that succeeds at last is forgotten', async () => {
  const [id = ''] = await make(1);
  thrown.set(id, new Error('not yet'));
  await workOff(ctx, pieces);
  thrown.clear();
  await makeDue();
  await Promise.all([retryFailed(ctx, again), retryFailed(ctx, again)]);
  assert.deepEqual([await undone(), await failedWork(db)], [[], []]);
});

test('what the database is in the way of costs no try: a lock that others hold, a time-out', async () => {
  const [locked = '', late = '', ...others] = await make(4);
  thrown.set(locked, Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }));
  thrown.set(late, new DatabaseUnavailable('PostgreSQL answered 57014'));
  await workOff(ctx, pieces);
  assert.deepEqual(await undone(), [locked, late].toSorted());
  assert.equal(others.length, 2);
  for (let n = 0; n < 2 * triesAtMost; n++) {
    // A session that was given up holds its row until PostgreSQL notices, and what is held is passed over.
    await db.query('SELECT FROM piece FOR UPDATE');
    await makeDue();
    await retryFailed(ctx, again);
  }
  assert.deepEqual(
    (await failedWork(db)).map(({ tries, deferrals, isGivenUp }) => [tries, deferrals, isGivenUp]),
    [
      [0, 2 * triesAtMost + 1, false],
      [0, 2 * triesAtMost + 1, false],
    ],
  );
  assert.deepEqual(await listDeadLetters(db), []);
});

test('while the database is away nothing is noted, and the pass ends', async () => {
  await make(3);
  let calls = 0;
  const away = () => {
    calls++;
    return Promise.reject(new DatabaseUnavailable('no connection to PostgreSQL'));
  };
  // It goes away after the pieces were found.
  const leaving = {
    ...db,
    transaction: away,
    query: (text: string, values?: readonly unknown[]) =>
      text.startsWith('SELECT id FROM piece') ? db.query(text, values) : away(),
  };
  await assert.rejects(workOff({ ...ctx, db: leaving as typeof db }, pieces), DatabaseUnavailable);
  assert.ok(calls <= 3, 'not each piece in turn');
  assert.deepEqual(await failedWork(db), []);
});

test('what a newer release has failed at is left to it', async () => {
  await db.query(
    `INSERT INTO failed_work VALUES ('ofTomorrow', gen_random_uuid(), 1, 0, clock_timestamp() - interval '1 minute')`,
  );
  assert.equal(await retryFailed(ctx, again), 0);
  assert.equal((await failedWork(db)).length, 1);
});
