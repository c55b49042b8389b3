import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { isId, timeOfId } from '#base/values/id.ts';
import { discardDeadLetter, retryDeadLetter } from '#dead-letters.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { happen, insertWorld } from '../../../test/fixtures/booking-events.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { addDeadLetter, listDeadLetters, showDeadLetter, takeDeadLetter } from './dead-letters/store.ts';
import { beat, forgetDeadWorkers, forgetWorker, workBacklog } from './store.ts';

const { db } = await createTestDatabase();
const at = new Date('2030-01-15T00:00:00.000Z');

beforeEach(async () => {
  await db.query('TRUNCATE dead_letter, worker, event');
});

describe('the backlog', () => {
  it('counts waiting work', async () => {
    assert.deepEqual(await workBacklog(db), { eventsWaiting: 0, oldestEventSeconds: 0, deadLetters: 0 });
    const world = await insertWorld(db);
    const minuteAgo = `${(Date.now() - 60_000)
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
    await happen(db, world, 'booking.created', { id: minuteAgo });
    await happen(db, world);
    await addDeadLetter(db, { job: 'a', payload: {}, reason: 'error', detail: null, attempts: 1, at });
    const { oldestEventSeconds, ...counts } = await workBacklog(db);
    assert.deepEqual(counts, { eventsWaiting: 2, deadLetters: 1 });
    assert.ok(oldestEventSeconds > 59 && oldestEventSeconds < 90, `${oldestEventSeconds}`);
  });
});

describe('workers', () => {
  const known = async () => (await db.query<{ id: string }>('SELECT id FROM worker')).map(({ id }) => id);

  it('that beat are alive; a silent one is deleted, until it beats again', async () => {
    await beat(db, 'w');
    assert.deepEqual(await forgetDeadWorkers(db, 30_000), []);
    await db.query("UPDATE worker SET seen_at = clock_timestamp() - interval '31 seconds'");
    assert.deepEqual(await forgetDeadWorkers(db, 30_000), ['w']);
    assert.deepEqual(await known(), []);
    await beat(db, 'w');
    assert.deepEqual(await known(), ['w']);
  });

  it('that stop leave nothing behind', async () => {
    await beat(db, 'w');
    await forgetWorker(db, 'w');
    assert.deepEqual(await known(), []);
  });
});

describe('dead letters', () => {
  const failure = { job: 'a', payload: { id: '1' }, reason: 'refused', detail: 'No.', attempts: 8, at };

  it('are listed newest first, by pages, and shown', async () => {
    for (const id of ['1', '2', '3']) {
      await addDeadLetter(db, { ...failure, payload: { id } });
      // Ids of the same millisecond have no order.
      await db.query('SELECT pg_sleep(0.002)');
    }
    const all = await listDeadLetters(db);
    assert.deepEqual(
      all.map((letter) => letter.payload['id']),
      ['3', '2', '1'],
    );
    const page = await listDeadLetters(db, { limit: 1, before: all[0]?.id ?? null });
    assert.deepEqual(page, [all[1]]);
    assert.deepEqual(await showDeadLetter(db, all[2]?.id ?? ''), all[2]);
    assert.equal(all[0]?.createdAt.toISOString(), at.toISOString());
  });

  it('exist once for the same work, with its newest failure', async () => {
    await addDeadLetter(db, failure);
    await addDeadLetter(db, { ...failure, reason: 'invalidNumber', attempts: 9 });
    const [letter, ...more] = await listDeadLetters(db);
    assert.equal(more.length, 0);
    assert.deepEqual([letter?.reason, letter?.attempts], ['invalidNumber', 9]);
  });

  it('go when their work is retried, and come back as new ones when it fails', async () => {
    await addDeadLetter(db, failure);
    const [letter] = await listDeadLetters(db);
    const id = letter?.id ?? '';
    assert.deepEqual([await takeDeadLetter(db, id), await takeDeadLetter(db, id)], [letter, null]);
    assert.equal(await showDeadLetter(db, id), null);
    await addDeadLetter(db, failure);
    assert.notEqual((await listDeadLetters(db))[0]?.id, id);
  });

  it('of an event make it wait again; one of unknown work stays, and says so', async () => {
    const eventId = await happen(db, await insertWorld(db));
    await db.query('UPDATE event SET relayed_at = clock_timestamp()');
    await addDeadLetter(db, { ...failure, job: 'relay', payload: { eventId } });
    const id = (await listDeadLetters(db))[0]?.id ?? '';
    const retry = () => retryDeadLetter({ db, clock: testClock() }, actors.operator, id);
    assert.deepEqual([await retry(), await retry()], [true, false]);
    assert.deepEqual(await listDeadLetters(db), []);
    assert.equal((await workBacklog(db)).eventsWaiting, 1);
    await addDeadLetter(db, failure);
    const strange = (await listDeadLetters(db))[0]?.id ?? '';
    await assert.rejects(
      retryDeadLetter({ db, clock: testClock() }, actors.operator, strange),
      /nobody knows how work of the kind a/,
    );
    assert.equal((await listDeadLetters(db))[0]?.id, strange);
  });

  it('are discarded for good', async () => {
    await addDeadLetter(db, failure);
    const [letter] = await listDeadLetters(db);
    const id = letter?.id ?? '';
    assert.deepEqual(
      [
        await discardDeadLetter({ db, clock: testClock() }, actors.operator, id),
        await discardDeadLetter({ db, clock: testClock() }, actors.operator, id),
      ],
      [true, false],
    );
    assert.deepEqual(await listDeadLetters(db), []);
  });
});

it('ids made in SQL are UUIDv7 of this instant', async () => {
  const [first] = await db.query<{ ms: number }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
  const rows = await db.query<{ id: string }>(`SELECT ${newIdSql} AS id FROM generate_series(1, 200)`);
  const [last] = await db.query<{ ms: number }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms');
  assert.equal(new Set(rows.map((row) => row.id)).size, 200);
  for (const { id } of rows) {
    assert.ok(isId(id));
    assert.match(id, /^.{14}7.{4}[89ab]/);
    const ms = timeOfId(id)?.getTime() ?? 0;
    assert.ok(ms >= Math.floor(Number(first?.ms)) && ms <= Number(last?.ms), id);
  }
});

it('ids of one transaction sort in the order of its statements', async () => {
  const ids = await db.transaction(async (tx) => {
    const made: string[] = [];
    while (made.length < 200)
      made.push((await tx.query<{ id: string }>(`SELECT ${newIdSql} AS id`))[0]?.id ?? '');
    return made;
  });
  assert.deepEqual(ids, ids.toSorted());
});
