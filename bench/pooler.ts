/** What a pooler costs: the same requests to two servers over one database, one of them through a PgBouncer that lends sessions by the transaction. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { type Cluster, startCluster } from '#platform/db/embedded/cluster.ts';
import { type PgBouncer, runPgBouncer } from '../test/harness/pgbouncer-process.ts';
import { findPgBouncer } from '../test/harness/pgbouncer-program.ts';
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
  const program = findPgBouncer();
  if (program === null) return 'there is no PgBouncer: apt-get install pgbouncer';
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-pooler-'));
  const env = {
    PITLANE_DATA_DIR: join(dataDir, 'data'),
    PITLANE_DEMO: 'off',
    LOG_LEVEL: 'warn',
    PITLANE_ROLE: 'api',
  };
  let cluster: Cluster | undefined;
  let bouncer: PgBouncer | undefined;
  try {
    // Neither PostgreSQL nor PgBouncer runs as root: whom they run as may enter.
    chmodSync(dataDir, 0o755);
    cluster = await startCluster({ dir: join(dataDir, 'postgres'), settings: {} });
    const url = cluster.superuserUrl;
    const direct = await startServer({ ...env, DATABASE_URL: url });
    bouncer = await runPgBouncer(program, url, sessions);
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
    await db.close();
    await direct.stop();
    return rows;
  } finally {
    await bouncer?.stop();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
