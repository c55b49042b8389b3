/** A change: one commit with what must happen once, made again after passing refusals, and heard of by relay and sender. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import type { Queryable } from '../db/database.ts';
import { Again } from './again.ts';
import { change, changeAtOnce } from './change.ts';

const { db } = await createTestDatabase();
await db.query('CREATE SCHEMA apart');
await db.query('CREATE TABLE apart.kept (text text, CONSTRAINT booking_code UNIQUE (text))');
const heard: string[] = [];
const context = {
  ...{ db, clock: systemClock() },
  nudgeRelay: () => void heard.push('relay'),
  nudgeSender: () => void heard.push('sender'),
};
const keep = (tx: Queryable, text: string) => tx.query('INSERT INTO apart.kept VALUES ($1)', [text]);
const record = (tx: Queryable) => tx.query('INSERT INTO event SELECT * FROM event WHERE false');
const kept = async () =>
  (await db.query<{ text: string }>('SELECT text FROM apart.kept ORDER BY text')).map(({ text }) => text);

beforeEach(async () => {
  heard.length = 0;
  await db.query('DELETE FROM apart.kept');
});

class Refused extends Again {
  giveUp(): Error {
    return new Error('given up');
  }
}

test('always: what must happen once is of the commit, and has the result of the outermost change', async () => {
  const results: unknown[] = [];
  const onlyOnce = {
    begin: async (tx: Queryable) => void (await keep(tx, 'begun')),
    end: async (_: Queryable, result: unknown) => void results.push(result),
  };
  const made = await change({ ...context, onlyOnce }, async ({ within }) => {
    const inner = await change(within, async ({ tx }) => {
      await keep(tx, 'inner');
      return 'inner';
    });
    return `outer of ${inner}`;
  });
  assert.deepEqual([made, results, await kept()], ['outer of inner', ['outer of inner'], ['begun', 'inner']]);
  const failing = change({ ...context, onlyOnce }, async () => {
    throw new Error('too late');
  });
  await assert.rejects(failing, (error) => violatedConstraint(error) === 'booking_code');
  await db.query('DELETE FROM apart.kept');
  await assert.rejects(
    change({ ...context, onlyOnce }, async ({ within }) => {
      await change(within, ({ tx }) => keep(tx, 'inner'));
      throw new Error('too late');
    }),
    /too late/,
  );
  assert.deepEqual(await kept(), []);
});

test('a passing refusal begins it again, whole; the sixth is given up, and another error at once', async () => {
  const attempts: number[] = [];
  const make = (until: number) =>
    change(context, async ({ tx, within, attempt }) => {
      attempts.push(attempt);
      await keep(tx, `n${attempt}`);
      await change(within, async () => {
        if (attempt < until) throw new Refused('not yet');
      });
    });
  await make(3);
  assert.deepEqual([attempts, await kept()], [[1, 2, 3], ['n3']]);
  await assert.rejects(make(9), /given up/);
  assert.deepEqual(attempts.slice(3), [1, 2, 3, 4, 5, 6]);
  let drawn = 0;
  await change(context, ({ tx }) => keep(tx, ++drawn === 1 ? 'n3' : 'free'));
  assert.deepEqual([drawn, await kept()], [2, ['free', 'n3']]);
});

test('relay and sender are woken after the commit, and by what was written alone', async () => {
  await change(context, ({ tx }) => keep(tx, 'silent'));
  assert.deepEqual(heard, []);
  await change(context, async ({ within }) => {
    await change(within, ({ tx }) => record(tx));
    assert.deepEqual(heard, [], 'it is not committed yet');
  });
  assert.deepEqual(heard, ['relay']);
  await assert.rejects(
    change(context, async ({ tx }) => {
      await record(tx);
      throw new Error('rolled back');
    }),
  );
  assert.deepEqual(heard, ['relay']);
  await change(context, ({ tx }) => tx.query('UPDATE webhook_lane SET version = version WHERE false'));
  assert.deepEqual(heard, ['relay', 'sender']);
});

test('a single statement is a change without a transaction, and a part of the change of a caller', async () => {
  assert.equal(await changeAtOnce(context, async () => null), null);
  assert.deepEqual(heard, []);
  assert.equal(await changeAtOnce(context, async (attempt) => attempt), 1);
  assert.deepEqual(heard, ['relay']);
  const onlyOnce = { begin: async () => undefined, end: async () => undefined };
  await assert.rejects(
    changeAtOnce({ ...context, onlyOnce }, () => assert.fail('it must not run')),
    /call it in a change/,
  );
  let runs = 0;
  await change(context, async ({ within, attempt }) => {
    await changeAtOnce(within, async () => {
      runs++;
      await keep(within.db, 'part');
      if (attempt === 1) throw new Refused('not yet');
    });
  });
  assert.deepEqual([runs, await kept()], [2, ['part']]);
});
