/**
 * The database files are replaced by older ones: by a copy of the data folder, or a disk snapshot. Transaction numbers then go back
 * and are used again for other changes. No cursor skips any of them.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { type Cluster, startCluster } from '#platform/db/embedded/cluster.ts';
import { migrate } from '#platform/db/migrate.ts';
import { happen, insertWorld } from '../../../../test/fixtures/booking-events.ts';
import { makeFolder } from '../../../../test/fixtures/embedded.ts';
import { settledFeed } from '../../../../test/fixtures/settled-feed.ts';
import { testClock } from '../../../../test/harness/clock.ts';
import { testSealing } from '../../../../test/harness/sealing.ts';
import { listOwnEvents } from './list.ts';
import { publishEvents } from './store.ts';

const clock = testClock();
const sealing = testSealing();
type World = Awaited<ReturnType<typeof insertWorld>>;

test('a copy of the data folder is restored: cursors from before the copy continue, those from after it miss no change', async (t) => {
  const folder = makeFolder(t);
  const [dir, copy] = [join(folder, 'data'), join(folder, 'copy')];
  let running: { cluster: Cluster; db: Database } | undefined;
  const start = async () => {
    const cluster = await startCluster({ dir, settings: { fsync: 'off' } });
    const db = openDatabase({ url: cluster.superuserUrl, poolSize: 2, applicationName: 'test' });
    running = { cluster, db };
    return db;
  };
  const stop = async () => {
    const { cluster, db } = running ?? {};
    await db?.close();
    await cluster?.stop();
    running = undefined;
  };
  const take = () => execFileSync('cp', ['-a', dir, copy]);
  const putBack = () => {
    rmSync(dir, { recursive: true });
    execFileSync('mv', [copy, dir]);
  };
  t.after(() => stop());

  const publish = async (db: Database, world: World, count: number) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made++) {
      const id = newId();
      await happen(db, world, 'booking.created', { version: 1, id });
      await publishEvents(db, {
        eventIds: [id],
        action: 'bookingCreate',
        key: 'booking',
        now: clock.now(),
      });
      ids.push(id);
    }
    return ids;
  };
  const read = async (db: Database, { partnerId }: World, cursor?: string, limit = 50) => {
    await settledFeed(db, 'partner_event');
    const query = cursor === undefined ? { limit } : { limit, cursor };
    const page = await listOwnEvents({ db, clock, sealing }, partnerId, query);
    return { ids: page.events.map(({ id }) => id), cursor: page.nextCursor };
  };

  let db = await start();
  await migrate(db);
  const world = await insertWorld(db);
  const early = await publish(db, world, 4);
  const two = await read(db, world, undefined, 2);
  assert.deepEqual(two.ids, early.slice(0, 2));
  await stop();
  take();

  // The restore loses these changes, which readers have seen.
  db = await start();
  const lost = await publish(db, world, 6);
  const follower = await read(db, world, two.cursor);
  assert.deepEqual(follower.ids, [...early.slice(2), ...lost]);
  const newcomer = await read(db, world);
  assert.deepEqual(newcomer.ids, [...early, ...lost]);
  await stop();

  putBack();
  db = await start();
  const other = await publish(db, world, 3);
  assert.deepEqual(
    (await read(db, world, follower.cursor)).ids,
    [...early.slice(2), ...other],
    'from where it had come before the copy',
  );
  assert.deepEqual((await read(db, world, newcomer.cursor)).ids, [...early, ...other], 'from the beginning');
  const known = await read(db, world, two.cursor);
  assert.deepEqual(known.ids, [...early.slice(2), ...other], 'this one was given out before the copy');
  assert.deepEqual((await read(db, world, known.cursor)).ids, []);

  // Now a disk snapshot while the server runs: it contains the record of this start, but cursors issued after it are from a lost
  // future.
  await db.query('CHECKPOINT');
  process.kill(running?.cluster.pid ?? 0, 'SIGSTOP');
  take();
  process.kill(running?.cluster.pid ?? 0, 'SIGCONT');
  await publish(db, world, 20);
  const ahead = await read(db, world, known.cursor);
  assert.equal(ahead.ids.length, 20);
  await stop();
  putBack();
  db = await start();
  const last = await publish(db, world, 2);
  const again = await read(db, world, ahead.cursor);
  assert.deepEqual(again.ids.slice(-2), last);
});
