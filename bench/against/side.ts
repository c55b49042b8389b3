/** One of the two builds: its database, its world, its processes, and what its hot paths cost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { least, type Measured, type PathName } from '../counts/counts.ts';
import { type Meter, openMeter } from '../counts/meter.ts';
import { ask, type PathWorld, pathRequest } from '../counts/paths.ts';
import { type CountingProxy, countingProxy } from '../counts/round-trips.ts';
import { setupOf, workshopSettings } from '../counts/setup.ts';
import { signIn } from '../http.ts';
import { untilSent } from '../until-sent.ts';
import type { Build, Running } from './build.ts';
import type { BenchServer, Urls } from './server.ts';
import { type Span, type TableWal, walByTable, walEnd } from './wal.ts';

/** What a path costs, also by table. */
export interface SideCost extends Measured {
  readonly tables: ReadonlyMap<string, TableWal>;
}

export interface Side {
  readonly world: PathWorld;
  readonly urls: Urls;
  readonly build: Build;
  /** Of the API, for its statements; its `db` is the superuser's. */
  readonly meter: Meter;
  count(name: PathName): Promise<SideCost>;
  /** Stops the processes that are counted: what runs from now on reaches the database directly. */
  endCounting(): Promise<void>;
  /** Creates a booking through the API at this port. */
  book(port: number): Promise<unknown>;
  close(): Promise<void>;
}

const warmTimes = 6;
const countedTimes = 12;
/** More than a page of the list. */
const bookings = 60;
const sentWithinMs = 60_000;

/** Migrates the database, makes a partner and a workshop, and starts API and worker through counting proxies. */
export async function startSide(build: Build, urls: Urls, server: BenchServer): Promise<Side> {
  await build.command(['migrate']);
  const credentials = await build.command<{ partnerId: string; appKey: string; secret: string }>([
    ...['partner', 'create', '--name', 'Bench'],
  ]);
  const settings = Object.entries(workshopSettings).flatMap(([name, value]) => [`--${name}`, value]);
  const { workshopId } = await build.command<{ workshopId: string }>(['workshop', 'create', ...settings]);
  await build.command(['link', credentials.partnerId, workshopId]);
  const { services } = await build.command<{ services: { _id: string }[] }>(
    ['workshop', 'import', '-'],
    JSON.stringify(setupOf(workshopId)),
  );

  const proxies = { api: await countingProxy(urls.api), worker: await countingProxy(urls.worker) };
  const meterOf = (role: 'api' | 'worker') =>
    openMeter({
      superuserUrl: urls.superuser,
      role: new URL(urls[role]).username,
      proxy: proxies[role],
    });
  const meters = { api: await meterOf('api'), worker: await meterOf('worker') };
  const { db } = meters.api;
  let api: Running | undefined = await build.start('api', proxies.api.url);
  let worker: Running | undefined;
  const base = `http://127.0.0.1:${api.port}`;
  const caller = await signIn(api.port, credentials);
  let world: PathWorld = { caller, workshopId, catalogId: services[1]?._id ?? '', bookingId: '' };
  let n = 0;
  const request = (name: Exclude<PathName, 'drain'>, at = base) =>
    ask(at, caller, pathRequest(name, world, n++));
  const made = (await request('create')) as { booking: { id: string } };
  world = { ...world, bookingId: made.booking.id };
  for (let count = 1; count < bookings; count++) await request('create');

  const once = async (name: PathName): Promise<Measured & Span> => {
    const from = await walEnd(db);
    const measured = await (name === 'drain'
      ? meters.worker.measure(async () => {
          await request('create');
          await untilSent(db, sentWithinMs);
          await quiet(proxies.worker);
        })
      : meters.api.measure(async () => {
          await request(name);
          await quiet(proxies.api);
        }));
    return { ...measured, from, to: await walEnd(db) };
  };
  const endCounting = async () => {
    await worker?.stop();
    await api?.stop();
    [api, worker] = [undefined, undefined];
  };
  return {
    world,
    urls,
    build,
    meter: meters.api,
    async count(name) {
      if (name === 'drain') {
        worker ??= await build.start('worker', proxies.worker.url);
        await untilSent(db, sentWithinMs);
      }
      const found: (Measured & Span)[] = [];
      for (let time = -warmTimes; time < countedTimes; time++) {
        const measured = await once(name);
        if (time >= 0) found.push(measured);
      }
      const best = least(found);
      // Writes out what is in memory, for `pg_waldump` to read.
      await db.query('CHECKPOINT');
      return { ...best, tables: await walByTable(db, server, best) };
    },
    endCounting,
    book: (port) => request('create', `http://127.0.0.1:${port}`),
    async close() {
      await endCounting();
      for (const meter of Object.values(meters)) await meter.close();
      for (const proxy of Object.values(proxies)) await proxy.close();
    },
  };
}

/** Resolves when nothing was asked for a moment: what a process does after its answer is over. */
async function quiet(proxy: CountingProxy): Promise<void> {
  for (let before = -1; before !== proxy.roundTrips() || !proxy.isQuiet(); ) {
    before = proxy.roundTrips();
    await sleep(25);
  }
}
