/** Today of a workshop with 10,000 bookings a month, beside the partner's list of bookings, on a database of its own. */
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

/** The list takes so much of what Today may take. */
const ratioAtLeast = 0.25;

/** One connection, so that the latency is the server's own. */
export async function todayRow({ bookings, rounds, seconds }: TodayBench): Promise<Row> {
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
    const [row] = await beside(
      rounds,
      `Today of ${aDay} bookings, ${many} a month (1 connection)`,
      load(desk('today')),
      [
        {
          name: `GET /bookings?limit=50 (at least ${ratioAtLeast})`,
          run: load(rawRequest(caller, 'GET', '/bookings?limit=50')),
        },
      ],
    );
    await server.stop();
    if (row === undefined) throw new Error('nothing was measured');
    return row;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
