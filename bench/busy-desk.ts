/** Measures a page of a busy workshop's console beside the partner's list of bookings, on a database of its own. */
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

export interface BusyDesk {
  /** Bookings a month. */
  readonly bookings: number;
  /** How long the workshop has had that many; 30 unless given. */
  readonly daysBefore?: number;
  readonly rounds: number;
  readonly seconds: number;
}

interface Measured {
  /** Of the row, by how many bookings are today. */
  readonly name: (aDay: number) => string;
  /** Below `/console/w/{slug}/`. */
  readonly path: string;
  /** The list takes at least so much of what the page takes; absent: no aim. */
  readonly ratioAtLeast?: number;
}

/** One connection, so that the latency is the server's own. */
export async function busyDeskRows(
  { bookings, daysBefore, rounds, seconds }: BusyDesk,
  pages: readonly Measured[],
): Promise<Row[]> {
  say(`Filling ${bookings.toLocaleString('en')} bookings a month …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-desk-'));
  try {
    const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
    const server = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const made = await makeWorkshop(db, systemClock());
    const aDay = await fillMonth(db, systemClock(), made, bookings, daysBefore);
    const desk = await deskOf(db, made);
    await db.close();
    const caller = await signIn(server.port, made.credentials);
    const load = (request: string) => () =>
      httpLoad({ connections: 1, seconds, port: server.port, requests: [request], expectedStatus: 200 });
    const rows: Row[] = [];
    for (const { name, path, ratioAtLeast } of pages) {
      const aim = ratioAtLeast === undefined ? '' : ` (at least ${ratioAtLeast})`;
      const list = load(rawRequest(caller, 'GET', '/bookings?limit=50'));
      const peer = { name: `GET /bookings?limit=50${aim}`, run: list };
      rows.push(...(await beside(rounds, `${name(aDay)} (1 connection)`, load(desk(path)), [peer])));
    }
    await server.stop();
    return rows;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
