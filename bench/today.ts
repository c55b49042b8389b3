/** Today and Week of a workshop with 10,000 bookings a month, beside the partner's list of bookings, on a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { beside, say } from './beside.ts';
import { deskOf } from './desk.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import { fillMonth } from './month.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

interface TodayBench {
  /** Bookings a month. */
  readonly bookings: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** The list takes so much of what the page may take. */
const ratios = { today: 0.25, week: 0.125 } as const;

/** One connection, so that the latency is the server's own. */
export async function todayRows({ bookings, rounds, seconds }: TodayBench): Promise<readonly Row[]> {
  const many = bookings.toLocaleString('en');
  say(`Filling ${many} bookings a month …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-today-'));
  try {
    const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
    const server = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const made = await makeWorkshop(db, systemClock());
    const aDay = await fillMonth(db, systemClock(), made, bookings);
    const desk = await deskOf(db, made);
    await db.close();
    const caller = await signIn(server.port, made.credentials);
    const load = (request: string) => () =>
      httpLoad({ connections: 1, seconds, port: server.port, requests: [request], expectedStatus: 200 });
    const row = (place: keyof typeof ratios, of: string) =>
      beside(rounds, `${of}, ${many} a month (1 connection)`, load(desk(place)), [
        {
          name: `GET /bookings?limit=50 (at least ${ratios[place]})`,
          run: load(rawRequest(caller, 'GET', '/bookings?limit=50')),
        },
      ]);
    const rows = [
      ...(await row('today', `Today of ${aDay} bookings`)),
      ...(await row('week', `Week of ${7 * aDay} bookings`)),
    ];
    await server.stop();
    return rows;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
