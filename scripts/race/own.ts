/** Two server processes on a database of its own, with a workshop to race for. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { startServer } from '../../bench/system.ts';
import { makeWorkshop } from '../../bench/world.ts';
import { ownSetUp } from './workshop.ts';

export async function separateInstallation() {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-race-'));
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
  const first = await startServer(env);
  const embedded = await borrowEmbedded({ dataDir });
  const second = await startServer({ ...env, DATABASE_URL: embedded.url });
  const db = openDatabase({ url: embedded.url, poolSize: 2, applicationName: 'race' });
  const clock = systemClock();
  const { credentials, workshopId } = await makeWorkshop(db, clock);
  await importWorkshop({ db, clock }, JSON.stringify({ workshopId, ...ownSetUp }), actors.operator);
  return {
    urls: [first, second].map(({ port }) => `http://127.0.0.1:${port}`),
    ...credentials,
    setUp: { workshopId, ...ownSetUp },
    /** What the doctor finds, each in a line. */
    async doctor(): Promise<string[]> {
      const { findings } = await examine({ db, clock }, { repair: false });
      return findings.map(
        ({ kind, at, code, message }) =>
          `doctor: ${kind} ${code ?? ''} ${at?.toISOString() ?? ''} ${message}`,
      );
    },
    async stop(): Promise<void> {
      await db.close();
      await second.stop();
      await first.stop();
    },
  };
}
