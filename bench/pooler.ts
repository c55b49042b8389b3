/** What a pooler costs: the same requests to two servers over one database, one of them through a PgBouncer that lends sessions by the transaction. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { noPgBouncer, startPgBouncer } from '../test/harness/pgbouncer.ts';
import { beside } from './beside.ts';
import { createRequests } from './bookings.ts';
import { analyse } from './fill.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

const connections = 16;
/** Sessions of PostgreSQL that the pooler lends; the server without one has as many. */
const sessions = 20;

/** Rows, or why there are none. */
export async function poolerRows({
  rounds,
  seconds,
}: {
  rounds: number;
  seconds: number;
}): Promise<Row[] | string> {
  if (noPgBouncer !== false) return noPgBouncer;
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-pooler-'));
  const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
  try {
    const direct = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const bouncer = await startPgBouncer(url, sessions);
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const { credentials, workshopId } = await makeWorkshop(db, systemClock());
    const pooled = await startServer({
      ...env,
      ...{ DATABASE_URL: bouncer.through(url), DATABASE_DIRECT_URL: url },
    });
    const caller = await signIn(direct.port, credentials);
    const creates = createRequests(caller, workshopId);
    await httpLoad({ connections, seconds: 2, port: direct.port, requests: creates, expectedStatus: 201 });
    await analyse(db);
    const found = await db.query<{ id: string }>('SELECT id FROM booking ORDER BY id LIMIT 1000');
    const reads = found.map(({ id }) => rawRequest(caller, 'GET', `/bookings/${id}`));
    const rows: Row[] = [];
    for (const [name, requests, expectedStatus] of [
      ['Create a booking', creates, 201],
      ['Read a booking', reads, 200],
    ] as const) {
      const run = (port: number) => () => httpLoad({ connections, seconds, port, requests, expectedStatus });
      for (const { port } of [direct, pooled])
        await httpLoad({ connections, seconds: 1, port, requests, expectedStatus });
      rows.push(
        ...(await beside(rounds, `${name} through PgBouncer (${connections} connections)`, run(pooled.port), [
          { name: 'the same without it', run: run(direct.port) },
        ])),
      );
    }
    await pooled.stop();
    await bouncer.stop();
    await db.close();
    await direct.stop();
    return rows;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
