import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { mayGrow } from './elastic.ts';
import { openPool, takeConnection, usualConnections } from './pool.ts';

const { url } = await createTestDatabase();
const size = usualConnections + 2;

/** A pool of which all connections that it opens by itself are in use. */
async function usedUp(
  t: { after(work: () => Promise<void>): void },
  { usual = usualConnections, onConnect = async (): Promise<void> => undefined } = {},
) {
  const begunMs = performance.now();
  const pool = openPool({ url, size, usual, applicationName: 'pool test', onConnect });
  const held: pg.PoolClient[] = [];
  t.after(async () => {
    for (const client of held) client.release();
    await pool.end();
  });
  const take = () => takeConnection(pool).then((client) => void held.push(client));
  await Promise.all(Array.from({ length: usual }, take));
  return { pool, held, take, begunMs };
}

test('a pool grows for connections that are kept for long, and not while all are soon given back', () => {
  const use = { usual: 3, size: 5, open: 3, waitedMs: 100 };
  assert.equal(mayGrow({ ...use, keptMs: [10, 249, 0] }), false);
  assert.equal(mayGrow({ ...use, keptMs: [10, 250, 0] }), true);
  assert.equal(
    mayGrow({ ...use, open: 4, keptMs: [10, 900, 0, 40] }),
    false,
    'three are left for quick calls',
  );
  assert.equal(mayGrow({ ...use, open: 4, keptMs: [300, 900, 0, 40] }), true);
  assert.equal(mayGrow({ ...use, open: 5, keptMs: [900, 900, 900, 900, 900] }), false, 'it has its size');
  assert.equal(
    mayGrow({ ...use, keptMs: [300, 300, 300], waitedMs: 99 }),
    false,
    'nobody has waited for long',
  );
});

test('who has waited for a second gets another one, however soon the others are given back', () => {
  const use = { usual: 3, size: 5, open: 3, keptMs: [200, 100, 0] };
  assert.equal(mayGrow({ ...use, waitedMs: 999 }), false);
  assert.equal(mayGrow({ ...use, waitedMs: 1_000 }), true);
  assert.equal(mayGrow({ ...use, keptMs: [], waitedMs: 1_000 }), true, 'also while none could be opened');
  assert.equal(mayGrow({ ...use, open: 5, waitedMs: 5_000 }), false, 'it has its size');
});

test('a pool grows for calls that come faster than its usual connections serve them', async (t) => {
  const pool = openPool({ url, size, applicationName: 'pool test', onConnect: async () => undefined });
  t.after(() => pool.end());
  const busy = async () => {
    const client = await takeConnection(pool);
    await client.query('SELECT pg_sleep(0.1)').finally(() => client.release());
  };
  await Promise.all(Array.from({ length: usualConnections * 20 }, busy));
  assert.equal(pool.totalCount, size);
});

test('a pool opens as many as its owner says before it grows', async (t) => {
  const { pool, take, begunMs } = await usedUp(t, { usual: 2 });
  assert.equal(pool.totalCount, 2);
  await take();
  assert.ok(performance.now() - begunMs > 240);
  assert.equal(pool.totalCount, 3);
});

test('who waits while all connections are kept gets another one, up to the size of the pool', async (t) => {
  const { pool, held, take, begunMs } = await usedUp(t);
  await Promise.all([take(), take()]);
  assert.ok(performance.now() - begunMs > 240);
  assert.equal(pool.totalCount, size);
  const last = take();
  await pause(300);
  assert.deepEqual([held.length, pool.totalCount], [size, size]);
  held.shift()?.release();
  await last;
  assert.equal(pool.totalCount, size);
});

test('a pool that has grown opens few again once those are closed', async (t) => {
  const { pool, held, take } = await usedUp(t);
  await Promise.all([take(), take()]);
  for (const client of held.splice(0)) client.release(true);
  const begunMs = performance.now();
  await Promise.all(Array.from({ length: usualConnections }, take));
  await take();
  assert.ok(performance.now() - begunMs > 240);
  assert.equal(pool.totalCount, usualConnections + 1);
});

test("a connection that can't be opened is nobody's error while others are in use", async (t) => {
  let opened = 0;
  const { held, take } = await usedUp(t, {
    onConnect: async () => {
      if (++opened > usualConnections) throw new Error('there are too many');
    },
  });
  const waiting = take();
  while (opened <= usualConnections) await pause(10);
  held.shift()?.release();
  await waiting;
});
