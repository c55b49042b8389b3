/** How fast both builds are, by turns: each path as many a second as go, and a worker that sends a backlog of notices. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';
import { say } from '../beside.ts';
import { type PathName, pathNames } from '../counts/counts.ts';
import { pathRequest } from '../counts/paths.ts';
import { httpLoad, rawRequest } from '../http.ts';
import { percentiles } from '../percentiles.ts';
import type { Running } from './build.ts';
import type { Pair, SideName } from './pair.ts';
import { sideNames } from './pair.ts';
import type { Side } from './side.ts';

/** A second, and milliseconds. */
export interface Speed {
  readonly perSecond: number;
  readonly p99: number;
}

export type Speeds = Readonly<Record<PathName, Pair<Speed>>>;

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

const connections = 16;
const requestsOfPath = 20_000;
const bookingsToDrain = 150;
const drainWithinMs = 180_000;

/** Both sides have ended counting. */
export async function measureSpeeds(sides: Pair<Side>, rounds: Rounds): Promise<Speeds> {
  const apis = {
    before: await sides.before.build.start('api', sides.before.urls.api),
    now: await sides.now.build.start('api', sides.now.urls.api),
  };
  try {
    const speeds: [PathName, Pair<Speed>][] = [];
    for (const name of pathNames) {
      say(`${name} …`);
      speeds.push([name, await byTurns(name, sides, apis, rounds)]);
    }
    return Object.fromEntries(speeds) as Speeds;
  } finally {
    for (const api of Object.values(apis)) await api.stop();
  }
}

async function byTurns(
  name: PathName,
  sides: Pair<Side>,
  apis: Pair<Running>,
  { rounds, seconds }: Rounds,
): Promise<Pair<Speed>> {
  const found: Record<SideName, Speed[]> = { before: [], now: [] };
  const once = (which: SideName, forSeconds: number) =>
    name === 'drain'
      ? drained(sides[which], apis[which])
      : loaded(name, sides[which], apis[which], forSeconds);
  // Connections, plans and compiled code, and then statistics of what is there by now.
  for (const which of sideNames) {
    if (name !== 'drain') await once(which, Math.min(2, seconds));
    await sides[which].meter.db.query('VACUUM ANALYZE');
  }
  for (let round = 0; round < rounds; round++) {
    // Who goes first has the warmer caches, or the colder ones.
    for (const which of round % 2 === 0 ? sideNames : sideNames.toReversed()) {
      await sides[which].meter.db.query('CHECKPOINT');
      found[which].push(await once(which, seconds));
    }
  }
  return { before: median(found.before), now: median(found.now) };
}

/** Rate and p99 each by themselves. */
function median(speeds: readonly Speed[]): Speed {
  const at = (of: keyof Speed) =>
    speeds.map((speed) => speed[of]).toSorted((a, b) => a - b)[Math.floor(speeds.length / 2)] ?? 0;
  return { perSecond: at('perSecond'), p99: at('p99') };
}

let from = 0;

function loaded(name: Exclude<PathName, 'drain'>, { world }: Side, { port }: Running, seconds: number) {
  // Each round goes on with other customers than the one before.
  from += 7_001;
  const of = (n: number) => pathRequest(name, world, from + n);
  const requests = Array.from(
    { length: name === 'create' || name === 'message' ? requestsOfPath : 1 },
    (_, n) => {
      const { method, path, body } = of(n);
      return rawRequest(world.caller, method, path, body);
    },
  );
  return httpLoad({ port, connections, seconds, requests, expectedStatus: of(0).expectedStatus });
}

/** From the moment at which the first notice is queued; p99 is of the time from queued to accepted. */
async function drained(side: Side, api: Running): Promise<Speed> {
  const { db } = side.meter;
  // What loads have left is not part of it.
  await db.query('UPDATE event SET relayed_at = clock_timestamp() WHERE relayed_at IS NULL');
  for (let count = 0; count < bookingsToDrain; count++) await side.book(api.port);
  const since = new Date();
  const worker = await side.build.start('worker', side.urls.worker);
  try {
    return await sentNotices(db, since, bookingsToDrain * 4);
  } finally {
    await worker.stop();
  }
}

async function sentNotices(db: Database, since: Date, notices: number): Promise<Speed> {
  const deadline = performance.now() + drainWithinMs;
  while (performance.now() < deadline) {
    const sent = await db.query<{ queuedAt: number; sentAt: number }>(
      `SELECT extract(epoch FROM created_at)::float8 * 1000 AS queued_at, extract(epoch FROM updated_at)::float8 * 1000 AS sent_at
         FROM message WHERE kind = 'bookingNotice' AND created_at >= $1 AND state = 'accepted'`,
      [since],
    );
    if (sent.length >= notices) {
      const seconds =
        (Math.max(...sent.map(({ sentAt }) => sentAt)) - Math.min(...sent.map(({ queuedAt }) => queuedAt))) /
        1_000;
      const { p99 } = percentiles(sent.map(({ sentAt, queuedAt }) => sentAt - queuedAt));
      return { perSecond: notices / seconds, p99 };
    }
    await sleep(250);
  }
  throw new Error(`${notices} notices were not sent in ${drainWithinMs / 1_000} s`);
}
