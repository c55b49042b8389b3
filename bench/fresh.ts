/**
 * Creates bookings in a new database, compared with the same database analysed as a whole. Young tables are analysed meanwhile as
 * a worker does it; the worker itself would send the bookings' notices on the same two cores.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { analyseYoungTables } from '#platform/db/young-tables.ts';
import { repeat } from '#platform/work/repeat.ts';
import { schedule } from '#work.ts';
import { say } from './beside.ts';
import { createRequests } from './bookings.ts';
import { analyse } from './fill.ts';
import { httpLoad, signIn } from './http.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

const connections = 16;

export async function freshRow({ seconds }: { seconds: number }): Promise<Row> {
  const name = `Create a booking, fresh database (${connections} connections)`;
  say(`${name} …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-fresh-'));
  try {
    const server = await startServer({
      ...{ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' },
    });
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const { credentials, workshopId } = await makeWorkshop(db, systemClock());
    const caller = await signIn(server.port, credentials);
    const load = { connections, seconds, port: server.port, expectedStatus: 201 };
    const requests = createRequests(caller, workshopId);
    const { everyMs = 0 } = schedule.find(({ name: work }) => work === 'analyseYoungTables') ?? {};
    const analysing = repeat(
      everyMs,
      () => analyseYoungTables(db),
      (error) => say(String(error)),
    );
    // All connections make their plans here, while the tables are nearly empty; then the worker's check runs.
    await httpLoad({ ...load, requests, seconds: 1 });
    await sleep(everyMs);
    const api = await httpLoad({ ...load, requests });
    await analysing.stop();
    await analyse(db);
    await httpLoad({ ...load, requests, seconds: 1 });
    const limit = await httpLoad({ ...load, requests });
    await db.close();
    await server.stop();
    return { name, limitName: 'the same database, analysed', api, limit };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
