/**
 * Bookings at many times of many days of a workshop that enforces its slots, beside the same bookings of one that enforces nothing, by one
 * process and by two.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { setLink } from '#product/workshops/link.ts';
import { beside } from './beside.ts';
import { createBody, customers } from './create-sql.ts';
import { analyse, fillBookings } from './fill.ts';
import { type Caller, httpLoad, rawRequest, signIn } from './http.ts';
import type { Rate } from './limit.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { everyDay, makeWorkshop } from './world.ts';

/** At each process. */
const connections = 16;
const days = 730;
const slotMs = 30 * 60_000;
const slotsOfDay = 20;
const bays = 12;
/** Requests that are prepared for a second of a run: more than are sent. */
const perSecondAtMost = 4_000;
const zone = 'Australia/Melbourne';

interface EnforcedBench {
  readonly rounds: number;
  readonly seconds: number;
  /** Bookings of each workshop before the measurement. */
  readonly bookings: number;
}

/** From 08:00 to 18:00 on each day, from that many days after today. */
function slotsFrom(firstDay: number): number[] {
  const today = Temporal.Now.plainDateISO(zone);
  return Array.from({ length: days }, (_, n) => today.add({ days: firstDay + n })).flatMap((date) => {
    const { epochMilliseconds } = date.toZonedDateTime({ timeZone: zone, plainTime: '08:00' });
    return Array.from({ length: slotsOfDay }, (_, slot) => epochMilliseconds + slot * slotMs);
  });
}

/** Gives the bookings their times: a half of them in the past. */
async function spread(db: Database, workshopId: string): Promise<void> {
  const times = [...slotsFrom(-days - 1), ...slotsFrom(1)].map((time) => new Date(time));
  // A fifth at a time: no statement may take longer than 15 seconds.
  for (let part = 0; part < 5; part++) {
    await db.query(
      `UPDATE booking SET date = at, occupied_from = at, occupied_until = at + interval '30 minutes', counted_services = '{}',
              counted_categories = '{}', created_at = at - interval '1 year', updated_at = at - interval '1 year'
         FROM (SELECT id, number, ($2::timestamptz[])[1 + number * 7919 % cardinality($2::timestamptz[])] AS at
                 FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM booking WHERE workshop_id = $1) AS numbered) AS timed
        WHERE timed.id = booking.id AND number % 5 = $3::int`,
      [workshopId, times, part],
    );
  }
}

/** The bookings of one side, each once: the next times and customers at each call. */
function bookingsOf(caller: Caller, workshopId: string): (count: number) => string[] {
  const times = slotsFrom(1);
  let made = 0;
  const request = () => {
    const n = made++;
    const bookingTime = new Date(times[(n * 7_919) % times.length] ?? 0).toISOString();
    const body = createBody(workshopId, ((n * 6_133) % customers) + 1);
    return rawRequest(caller, 'POST', '/bookings', { ...body, bookingTime });
  };
  return (count) => Array.from({ length: count }, request);
}

export async function enforcedRows({ rounds, seconds, bookings }: EnforcedBench): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-enforced-'));
  try {
    const env = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn', PITLANE_ROLE: 'api' };
    const first = await startServer(env);
    const { url } = await borrowEmbedded({ dataDir });
    const second = await startServer({ ...env, DATABASE_URL: url });
    const db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const clock = systemClock();
    const plain = await makeWorkshop(db, clock);
    const { workshopId: enforcedId } = await makeWorkshop(db, clock);
    const { credentials, partnerId } = plain;
    await setLink({ db, clock }, { partnerId, workshopId: enforcedId, active: true }, actors.operator);
    const caller = await signIn(first.port, credentials);
    const hours = everyDay({ from: '08:00', to: '18:00' });
    const side = async (workshopId: string, enforceAvailability: boolean) => {
      const settings = { slotMinutes: 30, bays, horizonDays: 3_650, enforceAvailability };
      await importWorkshop({ db, clock }, JSON.stringify({ workshopId, settings, hours }), actors.operator);
      await fillBookings(db, { partnerId, workshopId, bookings });
      await spread(db, workshopId);
      return bookingsOf(caller, workshopId);
    };
    const sides = { plain: await side(plain.workshopId, false), enforced: await side(enforcedId, true) };
    await analyse(db);
    const book = async (next: (count: number) => string[], ports: readonly number[], forSeconds: number) => {
      const loads = ports.map((port) =>
        httpLoad({
          ...{ connections, port, seconds: forSeconds, expectedStatus: 201 },
          requests: next(forSeconds * perSecondAtMost),
        }),
      );
      return together(await Promise.all(loads));
    };
    const rows: Row[] = [];
    for (const ports of [[first.port], [first.port, second.port]]) {
      // Connections, plans and compiled code, at both processes.
      for (const next of [sides.plain, sides.enforced]) await book(next, ports, 2);
      rows.push(
        ...(await beside(
          rounds,
          `Create a booking where availability is enforced, at many times of ${days} days (${ports.length === 1 ? 'one process' : 'two processes'}, ${connections} connections each)`,
          () => book(sides.enforced, ports, seconds),
          [{ name: 'the same where nothing is enforced', run: () => book(sides.plain, ports, seconds) }],
        )),
      );
    }
    await db.close();
    await second.stop();
    await first.stop();
    return rows;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The rates of loads that ran side by side, as one; percentiles are those of the slower one. */
function together(rates: readonly Rate[]): Rate {
  const slowest = (of: (rate: Rate) => number) => Math.max(...rates.map(of));
  return {
    perSecond: rates.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50: slowest(({ p50 }) => p50),
    p95: slowest(({ p95 }) => p95),
    p99: slowest(({ p99 }) => p99),
  };
}
