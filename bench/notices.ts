/** How long a booking's SMS takes from its commit to the gateway, with API and worker in one process, at a fixed rate of bookings. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { say } from './beside.ts';
import { createRequests } from './bookings.ts';
import { analyse } from './fill.ts';
import { httpLoad, signIn } from './http.ts';
import type { Rate } from './limit.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { untilSent } from './until-sent.ts';
import { makeWorkshop } from './world.ts';

const bookingsPerSecond = 300;
const aimMs = 100;
/** Messages that still wait then are measured as they are. */
const settleAtMostMs = 20_000;

/**
 * From the id of the event to the id of the sandbox's entry: both begin with the machine's time in milliseconds, the first a
 * moment before the commit.
 */
async function latencies(db: Database, since: Date): Promise<Rate> {
  const [found] = await db.query<Rate>(
    `WITH sent AS (
       SELECT extract(epoch FROM made_at(s.id) - made_at(m.cause_id)) * 1000 AS ms, made_at(s.id) AS at
         FROM message m JOIN sandbox_message s ON s.message_id = m.id
        WHERE m.kind = 'bookingNotice' AND m.channel = 'sms' AND m.audience = 'customer' AND made_at(m.cause_id) >= $1)
     SELECT (count(*) / extract(epoch FROM max(at) - min(at)))::float8 AS per_second, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95, percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99
       FROM sent`,
    [since],
  );
  if (found === undefined) throw new Error('no notice was sent');
  return found;
}

export async function noticeLatencyRow({ seconds }: { seconds: number }): Promise<Row> {
  const name = `From a booking's commit to its SMS at the gateway (${bookingsPerSecond} bookings a second)`;
  say(`${name} …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-notices-'));
  try {
    const server = await startServer({ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn' });
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const { credentials, workshopId } = await makeWorkshop(db, systemClock());
    const caller = await signIn(server.port, credentials);
    const requests = createRequests(caller, workshopId);
    const load = { connections: 32, requests, port: server.port, expectedStatus: 201 };
    await httpLoad({ ...load, seconds: 2, perSecond: bookingsPerSecond });
    await untilSent(db, settleAtMostMs);
    await analyse(db);
    const since = new Date();
    await httpLoad({ ...load, seconds, perSecond: bookingsPerSecond });
    await untilSent(db, settleAtMostMs);
    const api = await latencies(db, since);
    await db.close();
    await server.stop();
    const limit = { perSecond: bookingsPerSecond, p50: aimMs, p95: aimMs, p99: aimMs };
    return { name, limitName: `aim: p99 of ${aimMs} ms`, api, limit };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
