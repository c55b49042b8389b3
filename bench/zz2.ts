import { mkdtempSync } from 'node:fs';
import { systemClock } from '#clock.ts';
import { openDatabase } from '#db/database.ts';
import { borrowEmbedded } from '#db/embedded/embedded.ts';
import { fillBusyWeek } from './busy-week.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

const dataDir = mkdtempSync('/tmp/zz-');
const server = await startServer({
  PITLANE_DATA_DIR: dataDir,
  PITLANE_DEMO: 'off',
  LOG_LEVEL: 'warn',
  PITLANE_ROLE: 'api',
  ...(process.argv[2] ? { NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof --cpu-prof-interval 250' } : {}),
});
const embedded = await borrowEmbedded({ dataDir });
const db = openDatabase({ url: embedded.url, poolSize: 4, applicationName: 'bench' });
const clock = systemClock();
const { credentials, partnerId, workshopId } = await makeWorkshop(db, clock);
const { from, unlimited } = await fillBusyWeek(db, clock, { partnerId, workshopId });
const caller = await signIn(server.port, credentials);
const requests = [
  rawRequest(caller, 'GET', `/workshops/${workshopId}/availabilities?from=${from}&catalogId=${unlimited}`),
];
for (let i = 0; i < 3; i += 1) {
  const r = await httpLoad({ connections: 1, seconds: 5, port: server.port, requests, expectedStatus: 200 });
  console.log(JSON.stringify(r).slice(0, 200));
}
console.log(await db.query('select application_name, count(*)::int c from pg_stat_activity group by 1'));
await db.close();
await server.stop();
process.exit(0);
