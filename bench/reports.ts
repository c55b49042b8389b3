/** The partner report over a year of a large partner, on a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { periodsBetween, spanOf } from '#product/reports/periods.ts';
import { readCounts } from '#product/reports/store.ts';
import { beside, say } from './beside.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import { driverLoop } from './limit.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { fillYear } from './year.ts';

const timezone = 'Australia/Melbourne';
const [from, to] = ['2029-01-01', '2029-12-31'];

interface ReportBench {
  readonly bookings: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** One connection, so that the latency is the server's own. */
export async function reportRows({ bookings, rounds, seconds }: ReportBench): Promise<Row[]> {
  const million = bookings.toLocaleString('en');
  say(`Filling a year with ${million} bookings …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-reports-'));
  try {
    const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
    const server = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const { credentials } = await fillYear(db, systemClock(), { bookings, messages: bookings / 5 });
    const { partnerId } = credentials;
    const caller = await signIn(server.port, credentials);
    const rows: Row[] = [];
    const year = [spanOf(from, to, timezone)];
    for (const [groupBy, by, spans] of [
      ['day', 'period', periodsBetween(from, to, timezone, 'day')],
      ['workshop', 'workshop', year],
    ] as const) {
      const path = `/reports/partner?from=${from}&to=${to}&timezone=${timezone}&groupBy=${groupBy}`;
      const requests = [rawRequest(caller, 'GET', path)];
      rows.push(
        ...(await beside(
          rounds,
          `Report of a year by ${groupBy}, ${million} bookings (1 connection)`,
          () => httpLoad({ connections: 1, seconds, port: server.port, requests, expectedStatus: 200 }),
          [
            {
              name: 'driver loop, the same statement',
              run: () =>
                driverLoop((tx) => readCounts(tx, by, { partnerId, workshopId: null, spans }), db, {
                  ...{ concurrency: 1, seconds },
                }),
            },
          ],
        )),
      );
    }
    await db.close();
    await server.stop();
    return rows;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
