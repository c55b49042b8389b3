import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { elapsedMs } from '#base/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { until, WaitEnded } from '../../../test/harness/wait.ts';
import { openPool, takeConnection } from './pool.ts';

const { url } = await createTestDatabase();
const restAfterMs = 300;

interface Quiet {
  readonly pool: pg.Pool;
  take(): Promise<pg.PoolClient>;
  /** A call that is soon done. */
  call(): Promise<void>;
  /** A call that keeps its connection for 50 ms. */
  longer(): Promise<void>;
}

/** A pool of three connections, which are open and given back. */
async function quietPool(
  t: { after(work: () => Promise<void>): void },
  onConnect = async (): Promise<void> => undefined,
): Promise<Quiet> {
  const pool = openPool({
    ...{ url, size: 6, usual: 3, restAfterMs, applicationName: 'pool test' },
    onConnect,
  });
  const taken = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => taken.add(client));
  pool.on('release', (_error, client) => taken.delete(client));
  t.after(async () => {
    // What a test that failed has kept, and what those get that still wait.
    const giveBack = (client: pg.PoolClient) => setImmediate(() => taken.has(client) && client.release());
    pool.on('acquire', giveBack);
    for (const client of taken) giveBack(client);
    if (!pool.ending) await pool.end();
  });
  const take = () => takeConnection(pool);
  const all = await Promise.all([take(), take(), take()]);
  for (const client of all) client.release();
  assert.equal(pool.totalCount, 3);
  const longer = async () => {
    const client = await take();
    await client.query('SELECT pg_sleep(0.05)').finally(() => client.release());
  };
  return { pool, take, call: async () => (await take()).release(), longer };
}

/** Calls now and then until the pool has one connection left. Returns a time before which it did not rest. */
async function untilRest({ pool, call }: Quiet, withinMs = 20_000): Promise<number> {
  let beforeMs = elapsedMs();
  for (const deadline = AbortSignal.timeout(withinMs); pool.totalCount > 1; await pause(10)) {
    if (deadline.aborted) throw new WaitEnded(`the pool still has ${pool.totalCount} connections`);
    beforeMs = elapsedMs();
    await call();
  }
  return beforeMs;
}

test('a pool with little to do keeps the connection that it uses; calls that coincide take turns at it', async (t) => {
  const quiet = await quietPool(t);
  const used = await quiet.take();
  used.release();
  await untilRest(quiet);
  const first = await quiet.take();
  assert.equal(first, used);
  const second = quiet.take();
  first.release();
  assert.equal(await second, used);
  used.release();
  assert.equal(quiet.pool.totalCount, 1);
});

test('each call that waits in a resting pool gets a connection, up to the usual ones; one that then waits ends the rest', async (t) => {
  const quiet = await quietPool(t);
  const { pool, take } = quiet;
  await untilRest(quiet);
  const held = await Promise.all([take(), take(), take()]);
  assert.equal(pool.totalCount, 3);
  assert.equal(pool.options.max, 1);
  const fourth = quiet.call();
  await until('the rest ends', () => pool.options.max !== 1);
  for (const client of held) client.release();
  await fourth;
  await untilRest(quiet);
  const kept = await pool.connect();
  await pool.query('SELECT 1');
  await assert.rejects(pool.query('SELECT 1/0'), /division by zero/);
  kept.release();
});

test('whoever waits for a call that takes long gets a connection beside it, for which the rest does not end', async (t) => {
  const quiet = await quietPool(t);
  const { pool, take } = quiet;
  await untilRest(quiet);
  const long = await take();
  const client = await take();
  assert.equal(pool.totalCount, 2);
  assert.equal(pool.options.max, 1);
  client.release();
  long.release();
  // The pool closes by itself what is idle for ten seconds.
  await untilRest(quiet, 8_000);
});

for (const [callers, open] of [
  [6, 3],
  [2, 2],
] as const) {
  test(`where a rest soon has ${open} connections opened again, the next one closes later`, async (t) => {
    const quiet = await quietPool(t);
    const { pool, call, longer } = quiet;
    let openedMs = 0;
    for (let short = 0; short < 2; ) {
      const beforeMs = await untilRest(quiet);
      openedMs = elapsedMs();
      await Promise.all(Array.from({ length: callers }, longer));
      short = elapsedMs() - beforeMs < restAfterMs ? short + 1 : 0;
    }
    for (;;) {
      await call();
      await pause(10);
      const { totalCount } = pool;
      if (elapsedMs() - openedMs >= 4 * restAfterMs) break;
      assert.equal(totalCount, open);
    }
  });
}

test('calls that follow each other closely end the rest, though none waits long, also after rests that were short', async (t) => {
  const quiet = await quietPool(t);
  const { pool, take, longer } = quiet;
  for (let short = 0; short < 3; ) {
    const beforeMs = await untilRest(quiet);
    await Promise.all([longer(), longer()]);
    short = elapsedMs() - beforeMs < restAfterMs ? short + 1 : 0;
  }
  await untilRest(quiet);
  const deadline = AbortSignal.timeout(6 * restAfterMs);
  const caller = async () => {
    for (; pool.options.max === 1; assert.ok(!deadline.aborted, 'the rest does not end')) {
      const client = await take();
      await client.query('SELECT pg_sleep(0.008)').finally(() => client.release());
    }
  };
  await Promise.all([caller(), caller()]);
});

test('a pool does not rest while a connection is being opened: the others are needed', async (t) => {
  const hang = Promise.withResolvers<void>();
  t.after(async () => hang.resolve());
  let opened = 0;
  const quiet = await quietPool(t, () => (++opened > 3 ? hang.promise : Promise.resolve()));
  const { pool, take, call } = quiet;
  await untilRest(quiet);
  const held = await take();
  const waiting = call();
  await until('a connection is opened', () => opened !== 3);
  held.release();
  await waiting;
  for (const untilMs = elapsedMs() + 3 * restAfterMs; elapsedMs() < untilMs; await pause(10)) await call();
  assert.equal(pool.totalCount, 2);
});

test('a pool does not rest while a connection is kept, or its connections are in use for much of the time', async (t) => {
  const { pool, take, call } = await quietPool(t);
  const held = await take();
  for (let n = 0; n < 6; n++) {
    await pause(restAfterMs / 3);
    await call();
  }
  held.release();
  const busy = await Promise.all([take(), take(), take()]);
  await pause(restAfterMs);
  for (const client of busy) client.release();
  await call();
  await pause(10);
  assert.equal(pool.totalCount, 3);
});

test('a silence is not a rest: the call that ends it may be the first of many', async (t) => {
  const { pool, call } = await quietPool(t);
  await pause(2 * restAfterMs + 10);
  await call();
  await pause(10);
  assert.equal(pool.totalCount, 3);
});

test("connections that can't be opened leave a resting pool with its one, and those that wait take turns at it", async (t) => {
  let opened = 0;
  const quiet = await quietPool(t, async () => {
    if (++opened > 3) throw new Error('there are too many');
  });
  await untilRest(quiet);
  const held = await quiet.take();
  const waiting = Array.from({ length: 4 }, quiet.call);
  await until('all have tried', () => opened >= 6);
  held.release();
  await Promise.all(waiting);
  // An attempt may still be under way.
  await until('one connection is left', () => quiet.pool.totalCount <= 1);
});

test('calls are served while a pool goes to rest and is woken by turns', async (t) => {
  let opened = 0;
  const quiet = await quietPool(t, async () => void opened++);
  for (let n = 1; n <= 3; n++) {
    await untilRest(quiet);
    const before = opened;
    await Promise.all(Array.from({ length: 6 }, quiet.longer));
    assert.ok(opened > before, `woken ${n} times`);
    assert.ok(quiet.pool.totalCount <= 3);
  }
});

test('whoever waits when a resting pool is closed is served first', async (t) => {
  const quiet = await quietPool(t);
  await untilRest(quiet);
  const held = await quiet.take();
  const waiting = [quiet.call(), quiet.call()];
  const ended = quiet.pool.end();
  await Promise.all(waiting);
  held.release();
  await ended;
  await assert.rejects(quiet.take());
});
