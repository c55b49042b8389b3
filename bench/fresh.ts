/** Creates on a database that has just been made and never analysed, beside the same one analysed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#clock.ts';
import { openDatabase } from '#db/database.ts';
import { borrowEmbedded } from '#db/embedded/embedded.ts';
import { say } from './beside.ts';
import { createRequests } from './bookings.ts';
import { analyse } from './fill.ts';
import { httpLoad, signIn } from './http.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

export async function freshRow({
  connections,
  seconds,
}: {
  connections: number;
  seconds: number;
}): Promise<Row> {
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
    // The plans of all connections are made here, while there is next to nothing.
    await httpLoad({ ...load, requests, seconds: 1 });
    const api = await httpLoad({ ...load, requests });
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
