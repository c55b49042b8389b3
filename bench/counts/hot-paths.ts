/**
 * Counts the hot paths of this build on the embedded PostgreSQL: one caller, one request at a time, relay and lanes run by hand, so
 * that each run finds the same numbers. `bench/budget.md` holds them.
 */
import type { AddressInfo } from 'node:net';
import { buildApp } from '#app.ts';
import { systemClock } from '#base/clock.ts';
import { createLog } from '#base/log.ts';
import { actors } from '#base/values/actor.ts';
import { openDatabase } from '#platform/db/database.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { createClone, startTestCluster } from '../../test/harness/cluster.ts';
import { recordedContext } from '../../test/harness/context.ts';
import { drain } from '../../test/harness/drain.ts';
import { signIn } from '../http.ts';
import { makeWorkshop } from '../world.ts';
import { least, type Measured, type PathName, pathNames } from './counts.ts';
import { type Meter, meteredSettings, openMeter } from './meter.ts';
import { ask, type PathWorld, pathRequest } from './paths.ts';
import { countingProxy } from './round-trips.ts';
import { setupOf } from './setup.ts';

export type PathCosts = Readonly<Record<PathName, Measured>>;

/** How often each is done before it is counted: statements are prepared, and what is kept in memory is there. */
const warmTimes = 6;
/** How often each is counted. */
const countedTimes = 8;
/** More than a page of the list. */
const bookings = 60;

export interface HotPaths {
  readonly meter: Meter;
  /** Counts these paths, or all. */
  count<Name extends PathName = PathName>(names?: readonly Name[]): Promise<Readonly<Record<Name, Measured>>>;
  close(): Promise<void>;
}

/** A PostgreSQL of its own with an API over it, in this process. */
export async function startHotPaths(): Promise<HotPaths> {
  const cluster = await startTestCluster(undefined, meteredSettings);
  const closers = [() => cluster.stop()];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const databaseUrl = await createClone(cluster.adminUrl);
    const proxy = await countingProxy(databaseUrl);
    closers.push(() => proxy.close());
    const superuserUrl = new URL(cluster.adminUrl);
    superuserUrl.pathname = new URL(databaseUrl).pathname;
    const meter = await openMeter({
      superuserUrl: superuserUrl.href,
      role: new URL(databaseUrl).username,
      proxy,
    });
    closers.push(() => meter.close());
    const db = openDatabase({ url: proxy.url, poolSize: 4, applicationName: 'bench' });
    closers.push(() => db.close());
    const clock = systemClock();
    const context = recordedContext({ db, clock, log: createLog('error', process.stderr) });
    closers.push(() => context.outbound.close());
    const app = await buildApp(context);
    closers.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}`;

    const { credentials, workshopId } = await makeWorkshop(db, clock);
    const { services } = await importWorkshop(
      { db, clock },
      JSON.stringify(setupOf(workshopId)),
      actors.operator,
    );
    const world: PathWorld = {
      caller: await signIn(port, credentials),
      workshopId,
      catalogId: services[1]?._id ?? '',
      bookingId: '',
    };
    let n = 0;
    const request = (name: Exclude<PathName, 'drain'>, of = world) =>
      ask(base, of.caller, pathRequest(name, of, n++));
    const settled = () => drain(context);
    const made = (await request('create')) as { booking: { id: string } };
    const asked = { ...world, bookingId: made.booking.id };
    for (let count = 1; count < bookings; count++) await request('create');

    const drainOne = async () => {
      await request('create');
      return meter.measure(settled);
    };
    const countOf = async (name: PathName) => {
      await settled();
      const found: Measured[] = [];
      for (let time = -warmTimes; time < countedTimes; time++) {
        const measured =
          name === 'drain' ? await drainOne() : await meter.measure(() => request(name, asked));
        if (time >= 0) found.push(measured);
      }
      return least(found);
    };
    return {
      meter,
      async count(names) {
        const costs: [string, Measured][] = [];
        for (const name of names ?? pathNames) costs.push([name, await countOf(name)]);
        return Object.fromEntries(costs) as PathCosts;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
