/** Long because the rows share one server and one database, in turn. */
/**
 * `npm run bench`: how near the API comes to what its database can do. Starts its own server and database in a temporary
 * folder, runs API and limit by turns, prints a table of ratios and writes `bench/results.md`.
 * `npm run bench -- --quick` takes a fifth of the time, for trying the benchmark itself; `-- --only kannel` runs the row with
 * Kannel alone, `-- --only bookings` those of bookings, `-- --only availability` those of free times and of the last place, `-- --only notices` the time from commit to SMS,
 * `-- --only find` Find among 200,000 customers, `-- --only today` Today and Week of a busy workshop, `-- --only workshop-report` its report, `-- --only inbox` the lists of 10,000 conversations, `-- --only inbox-live` texts on the open pages of an inbox, `-- --only blasts` a blast to 100,000, `-- --only webhooks` those of webhooks, `-- --only reports` the partner report over a million bookings, `-- --only pooler` requests through PgBouncer, `-- --only bloat` the dead rows
 * after 500,000 messages. None of them writes.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { sandboxOutbox } from '#operation/sandbox/store.ts';
import { openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { setLink } from '#product/workshops/link.ts';
import { availabilityRows } from './availability.ts';
import { beside as besideAll, say } from './beside.ts';
import { blastRow } from './blasts.ts';
import { bloatOf, bloatTable } from './bloat.ts';
import { bookingRows, customerOrder } from './bookings.ts';
import { createBody } from './create-sql.ts';
import { analyse } from './fill.ts';
import { findRow } from './find.ts';
import { deliverLimit, drainNotices, sendLimit } from './flows.ts';
import { freshRow } from './fresh.ts';
import { httpLoad, rawRequest, signIn } from './http.ts';
import { inboxRows } from './inbox.ts';
import { inboxLiveRow } from './inbox-live.ts';
import { startKannelSides } from './kannel.ts';
import { lastPlaceRows } from './last-place.ts';
import { hasPgbench, type Rate } from './limit.ts';
import { liveRow } from './live.ts';
import { noticeLatencyRow } from './notices.ts';
import { poolerRows } from './pooler.ts';
import { type Row, report, table } from './report.ts';
import { reportRows } from './reports.ts';
import { residentMiB, startServer } from './system.ts';
import { todayRows } from './today.ts';
import { webhookRows } from './webhooks.ts';
import { workshopReportRows } from './workshop-report.ts';
import { makeWorkshop } from './world.ts';

const quick = process.argv.includes('--quick');
const only = [
  'kannel',
  'bookings',
  'availability',
  'notices',
  'reports',
  'webhooks',
  'blasts',
  'bloat',
  'find',
  'today',
  'workshop-report',
  'inbox',
  'inbox-live',
  'live',
  'pooler',
].find((name) => process.argv.includes(name));
const rounds = quick ? 1 : 3;
const seconds = quick ? 3 : 6;
const concurrency = 16;
const manyConnections = 64;
const sendConcurrency = 50;
const yearOfBookings = quick ? 50_000 : 1_000_000;
const blast = quick ? { recipients: 10_000, seconds: 10 } : { recipients: 100_000, seconds: 45 };
const searched = { customers: quick ? 20_000 : 200_000, rounds, seconds };
const busyMonth = { bookings: 10_000, rounds, seconds };
const fullInbox = { conversations: 10_000, rounds, seconds };
const busyInbox = { conversations: 10_000, seconds: quick ? 10 : 25 };
const bloatMessages = quick ? 20_000 : 500_000;

const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const quiet = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };

async function beside(
  name: string,
  limitName: string,
  api: () => Promise<Rate>,
  run: () => Promise<Rate>,
): Promise<Row> {
  const [row] = await besideAll(rounds, name, api, [{ name: limitName, run }]);
  if (row === undefined) throw new Error('nothing was measured');
  return row;
}

async function main(): Promise<void> {
  if (only === 'notices') {
    process.stdout.write(table([await noticeLatencyRow({ seconds })], []));
    return;
  }
  if (only === 'reports') {
    process.stdout.write(table(await reportRows({ bookings: yearOfBookings, rounds, seconds }), []));
    return;
  }
  if (only === 'webhooks') {
    process.stdout.write(table(await webhookRows({ seconds }), []));
    return;
  }
  if (only === 'find') {
    const { row, notes } = await findRow(searched);
    process.stdout.write(table([row], notes));
    return;
  }
  if (only === 'today') {
    process.stdout.write(table(await todayRows(busyMonth), []));
    return;
  }
  if (only === 'workshop-report') {
    process.stdout.write(table(await workshopReportRows(busyMonth), []));
    return;
  }
  if (only === 'inbox') {
    const { rows, notes } = await inboxRows(fullInbox);
    process.stdout.write(table(rows, notes));
    return;
  }
  if (only === 'pooler') {
    const rows = await poolerRows({ rounds, seconds });
    process.stdout.write(typeof rows === 'string' ? `skipped: ${rows}\n` : table(rows, []));
    return;
  }
  if (only === 'live') {
    const { row, notes } = await liveRow({ rounds, seconds });
    process.stdout.write(table([row], notes));
    return;
  }
  if (only === 'inbox-live') {
    const { row, notes } = await inboxLiveRow(busyInbox);
    process.stdout.write(table([row], notes));
    return;
  }
  if (only === 'blasts') {
    const { row, notes } = await blastRow(blast);
    process.stdout.write(table([row], notes));
    return;
  }
  if ((only === undefined || only === 'bookings') && !hasPgbench())
    throw new Error('the benchmark needs pgbench: apt-get install postgresql-contrib');
  let server = await startServer(quiet);
  const embedded = await borrowEmbedded({ dataDir });
  let db = openDatabase({ url: embedded.url, poolSize: sendConcurrency + 10, applicationName: 'bench' });
  const clock = systemClock();
  const { credentials, partnerId, workshopId } = await makeWorkshop(db, clock);
  const caller = await signIn(server.port, credentials);
  const [version] = await db.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  const rows: Row[] = [];
  const notes: string[] = [];

  async function kannelRow(): Promise<void> {
    const sides = await startKannelSides({
      env: { ...quiet, DATABASE_URL: embedded.url },
      signIn: (port) => signIn(port, credentials),
      // Kannel works on the rest of a round for seconds after it.
      ...{ workshopId, connections: concurrency, seconds: Math.min(seconds, 4) },
    });
    if (typeof sides === 'string') {
      say(`Through Kannel: skipped, ${sides}`);
      notes.push(`Messages through Kannel were not measured: ${sides}.`);
      return;
    }
    const name = `Send a message through Kannel (${concurrency} connections)`;
    rows.push(await beside(name, "Kannel's own sendsms, driven directly", sides.api, sides.limit));
    await sides.stop();
  }

  if (only === 'bloat') {
    const loop = { db, outbox: sandboxOutbox(db, clock), clock };
    process.stdout.write(bloatTable(bloatMessages, await bloatOf(loop, bloatMessages)));
    await db.close();
    await server.stop();
    return;
  }
  if (only === 'kannel') {
    await kannelRow();
    await db.close();
    await server.stop();
    process.stdout.write(table(rows, notes));
    return;
  }

  if (only !== 'availability')
    rows.push(
      ...(await bookingRows({
        ...{ db, url: embedded.url, port: server.port, caller, workshopId },
        ...{
          bookings: quick ? 10_000 : 100_000,
          connections: [concurrency, manyConnections],
          rounds,
          seconds,
        },
      })),
    );
  const busy = await makeWorkshop(db, clock);
  const busyCaller = await signIn(server.port, busy.credentials);
  rows.push(
    ...(await availabilityRows({
      ...{ db, clock, port: server.port, caller: busyCaller, workshopId: busy.workshopId, rounds, seconds },
    })),
  );
  const sought = await makeWorkshop(db, clock);
  const held = {
    db,
    clock,
    port: server.port,
    plainWorkshopId: workshopId,
    workshopId: sought.workshopId,
    rounds,
  };
  await setLink(db, clock, { partnerId, workshopId: sought.workshopId, active: true }, actors.operator);
  rows.push(...(await lastPlaceRows({ ...held, caller })));
  if (only !== 'availability') rows.push(await freshRow({ connections: concurrency, seconds }));
  if (only === 'bookings' || only === 'availability') {
    await db.close();
    await server.stop();
    process.stdout.write(table(rows, notes));
    return;
  }

  const load = { connections: concurrency, seconds };
  const sends = customerOrder.map((n) =>
    rawRequest(caller, 'POST', `/workshops/${workshopId}/messages`, {
      phone: `+614${10_000_000 + n}`,
      channels: { sms: { message: 'Your car is ready to collect.' } },
    }),
  );
  const outbox = sandboxOutbox(db, clock);
  // Conversations and messages, so that all plans are made on tables with statistics.
  await httpLoad({ ...load, seconds: 1, port: server.port, requests: sends, expectedStatus: 200 });
  await analyse(db);
  rows.push(
    await beside(
      `Send a message, gateway 0 ms (${concurrency} connections)`,
      'driver loop, the same three statements',
      () => httpLoad({ ...load, port: server.port, requests: sends, expectedStatus: 200 }),
      () => sendLimit({ db, outbox, clock, partnerId, workshopId, concurrency, seconds }),
    ),
  );
  await kannelRow();
  await server.stop();
  await embedded.stop();

  server = await startServer({ ...quiet, SANDBOX_SMS_LATENCY_MS: '50' });
  const perSecond = sendConcurrency / 0.05;
  rows.push(
    await beside(
      `Send a message, gateway 50 ms (${sendConcurrency} connections)`,
      'concurrency ÷ latency',
      () =>
        httpLoad({
          connections: sendConcurrency,
          seconds,
          port: server.port,
          requests: sends,
          expectedStatus: 200,
        }),
      async () => ({ perSecond, p50: 50, p95: 50, p99: 50 }),
    ),
  );

  say('Draining notifications …');
  const again = await borrowEmbedded({ dataDir });
  await db.close();
  db = openDatabase({ url: again.url, poolSize: 20, applicationName: 'bench' });
  await db.query('UPDATE event SET relayed_at = $1 WHERE relayed_at IS NULL', [clock.now()]);
  const noticeBookings = quick ? 200 : 1_500;
  for (const n of customerOrder.slice(0, noticeBookings)) {
    const response = await fetch(`http://127.0.0.1:${server.port}/bookings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-partner-id': partnerId,
        authorization: `Bearer ${caller.token}`,
      },
      body: JSON.stringify(createBody(workshopId, n)),
    });
    if (response.status !== 201) throw new Error(`a booking gave ${response.status}`);
  }
  await server.stop();
  server = await startServer({ ...quiet, PITLANE_ROLE: 'worker' });
  const drainDb = await borrowEmbedded({ dataDir });
  await db.close();
  db = openDatabase({ url: drainDb.url, poolSize: 20, applicationName: 'bench' });
  const drained = await drainNotices(db, noticeBookings * 4);
  // Without the worker, which would deliver some of them.
  await db.close();
  await server.stop();
  server = await startServer(quiet);
  const quietDb = await borrowEmbedded({ dataDir });
  db = openDatabase({ url: quietDb.url, poolSize: 20, applicationName: 'bench' });
  const statements = { db, outbox: sandboxOutbox(db, clock), clock };
  const limit = await deliverLimit({ ...statements, notices: noticeBookings * 4 });
  rows.push({
    name: `Drain ${noticeBookings * 4} notices`,
    limitName: 'driver loop, the same statements of a delivery',
    api: drained,
    limit,
  });
  const bloat = bloatTable(bloatMessages, await bloatOf(statements, bloatMessages));
  await db.close();
  await server.stop();
  rows.push(await noticeLatencyRow({ seconds }));
  rows.push(...(await reportRows({ bookings: yearOfBookings, rounds, seconds })));
  rows.push(...(await webhookRows({ seconds })));
  const found = await findRow(searched);
  rows.push(found.row);
  notes.push(...found.notes);
  rows.push(...(await todayRows(busyMonth)));
  rows.push(...(await workshopReportRows(busyMonth)));
  const inbox = await inboxRows(fullInbox);
  rows.push(...inbox.rows);
  notes.push(...inbox.notes);
  const live = await liveRow({ rounds, seconds });
  rows.push(live.row);
  notes.push(...live.notes);
  const pooler = await poolerRows({ rounds, seconds });
  if (typeof pooler === 'string') notes.push(`Requests through a pooler were not measured: ${pooler}.`);
  else rows.push(...pooler);
  const inboxLive = await inboxLiveRow(busyInbox);
  rows.push(inboxLive.row);
  notes.push(...inboxLive.notes);
  const blasts = await blastRow(blast);
  rows.push(blasts.row);
  notes.push(...blasts.notes);

  say('Idle memory and start …');
  server = await startServer({ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn' });
  const { readyMs, pid } = server;
  await sleep(quick ? 500 : 5_000);
  const memory = residentMiB(pid);
  await server.stop();

  const text = report({
    rows,
    notes,
    bloat,
    readyMs,
    memory,
    postgres: version?.version ?? '',
    cpus: cpus(),
  });
  process.stdout.write(text);
  if (!quick) writeFileSync(new URL('./results.md', import.meta.url), text);
}

await main();
