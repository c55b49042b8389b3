/**
 * What a process does that has just said that it is ready, on a database that has just been made: bookings at a fixed rate from the first
 * moment, with the worker beside the API, second by second; the same when it is warm; and when the load comes back after a time without calls.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { startSignIn } from '#product/partners/sessions/sign-in.ts';
import { say } from './beside.ts';
import { createRequests } from './bookings.ts';
import type { SecondOfLoad, SteadyLoad } from './steady-load.ts';
import { startServer } from './system.ts';
import { untilSent } from './until-sent.ts';
import { makeWorkshop } from './world.ts';

const perSecond = 300;
/** From the first moment. */
const freshSeconds = 5;
const warmSeconds = 5;
/** The pool of connections rests meanwhile. */
const quietSeconds = 20;
const againSeconds = 3;
const settleAtMostMs = 20_000;

interface Round {
  readonly readyMs: number;
  readonly fresh: readonly SecondOfLoad[];
  readonly warm: readonly SecondOfLoad[];
  /** After the quiet seconds. */
  readonly again: readonly SecondOfLoad[];
}

function steadyLoad(load: SteadyLoad): Promise<SecondOfLoad[]> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./steady-load.ts', import.meta.url));
    child.once('message', (seconds) => resolve(seconds as SecondOfLoad[]));
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load ended with ${code}`)));
    child.send(load);
  });
}

async function round(env: Readonly<Record<string, string>>): Promise<Round> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-first-'));
  try {
    const server = await startServer({
      ...{ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn' },
      ...env,
    });
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const clock = systemClock();
    const { credentials, partnerId, workshopId } = await makeWorkshop(db, clock);
    // Without the server, which has answered nothing yet.
    const pair = await startSignIn(db, clock, credentials);
    const requests = createRequests({ partnerId, token: pair?.token ?? '' }, workshopId);
    const load = { port: server.port, requests, perSecond, expectedStatus: 201 };
    const fresh = await steadyLoad({ ...load, seconds: freshSeconds });
    await untilSent(db, settleAtMostMs);
    // Other customers, as before.
    const later = requests.slice(freshSeconds * perSecond);
    await steadyLoad({ ...load, requests: later, seconds: 5 });
    await untilSent(db, settleAtMostMs);
    const warm = await steadyLoad({
      ...load,
      requests: later.slice(5 * perSecond),
      seconds: warmSeconds,
    });
    await untilSent(db, settleAtMostMs);
    await sleep(quietSeconds * 1_000);
    const again = await steadyLoad({
      ...load,
      requests: later.slice((5 + warmSeconds) * perSecond),
      seconds: againSeconds,
    });
    await untilSent(db, settleAtMostMs);
    await db.close();
    await server.stop();
    return { readyMs: server.readyMs, fresh, warm, again };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** A table of the first seconds, of a warm one and of the first after quiet ones: medians of the rounds, and all refusals. */
export async function firstSecond({ rounds }: { readonly rounds: number }): Promise<string> {
  const done: Round[] = [];
  for (let n = 1; n <= rounds; n++) {
    say(`${perSecond} bookings a second from the first moment, round ${n} of ${rounds} …`);
    done.push(await round({}));
  }
  const line = (name: string, seconds: readonly SecondOfLoad[]) => {
    const figures = (['p50', 'p99', 'most'] as const).map((what) =>
      median(seconds.map((second) => second[what])).toFixed(0),
    );
    const refused = seconds.reduce((sum, second) => sum + second.refused, 0);
    return `| ${name} | ${figures.join(' | ')} | ${refused} |`;
  };
  const bySecond = (which: 'fresh' | 'again', count: number, name: string) =>
    Array.from({ length: count }, (_, at) =>
      line(
        `${name} ${at + 1}`,
        done.flatMap((one) => one[which][at] ?? []),
      ),
    );
  const lines = [
    ...bySecond('fresh', freshSeconds, 'Second'),
    line(
      'Warm',
      done.flatMap(({ warm }) => warm),
    ),
    ...bySecond('again', againSeconds, `After ${quietSeconds} s without calls, second`),
  ];
  const readyMs = median(done.map((one) => one.readyMs));
  return `| ${perSecond} bookings a second | p50 ms | p99 ms | longest ms | refused |
|---|---|---|---|---|
${lines.join('\n')}

Ready on a new data folder after ${(readyMs / 1_000).toFixed(2)} s.
`;
}
