/** Creates and reads bookings: compared with pgbench running the same SQL one by one, and with bare Fastify with `pg`. */

import type { Database } from '#platform/db/database.ts';
import { findBookingText } from '#product/bookings/store.ts';
import type { Found, Size } from './bench.ts';
import { beside } from './beside.ts';
import { createBody, createScript, customers, pgbenchText } from './create-sql.ts';
import { fillBookings } from './fill.ts';
import { type Caller, httpLoad, rawRequest } from './http.ts';
import { hasPgbench, pgbench } from './limit.ts';
import type { Row } from './report.ts';
import type { SharedInstallation } from './shared.ts';
import { startFloor } from './system.ts';

interface BookingBench {
  readonly db: Database;
  readonly url: string;
  readonly port: number;
  readonly caller: Caller;
  readonly workshopId: string;
  /** The number of bookings before the measurement. */
  readonly bookings: number;
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

/** The customers of the bodies, in an order that spreads them. */
export const customerOrder = Array.from({ length: customers }, (_, n) => ((n * 7919) % customers) + 1);

export function createRequests(caller: Caller, workshopId: string): string[] {
  return customerOrder.map((n) => rawRequest(caller, 'POST', '/bookings', createBody(workshopId, n)));
}

export async function bookingRows(size: Size, shared: SharedInstallation): Promise<Found> {
  if (!hasPgbench()) throw new Error('the benchmark needs pgbench: apt-get install postgresql-contrib');
  const { db, url, server, made } = await shared.running();
  const sides = { db, url, port: server.port, caller: await shared.caller(), workshopId: made.workshopId };
  const bookings = size.quick ? 10_000 : 100_000;
  return { rows: await bothRows({ ...size, ...sides, bookings, connections: [16, 64] }) };
}

async function bothRows(bench: BookingBench): Promise<Row[]> {
  const { db, url, port, caller, workshopId, rounds, seconds } = bench;
  const { partnerId } = caller;
  await fillBookings(db, { partnerId, workshopId, bookings: bench.bookings });
  const floor = await startFloor({ url, select: findBookingText('$1', '$2'), partnerId, workshopId });
  const creates = createRequests(caller, workshopId);
  const script = createScript(partnerId, workshopId, 'uuidv7()');
  const rows: Row[] = [];
  try {
    for (const connections of bench.connections) {
      const load = { connections, seconds, requests: creates, expectedStatus: 201 };
      // Warms up connections, prepared statements and compiled code.
      for (const warm of [port, floor.port]) await httpLoad({ ...load, seconds: 1, port: warm });
      const peers = [
        {
          name: 'pgbench, the same SQL one by one',
          run: () => pgbench(script, { url, concurrency: connections, seconds }),
        },
        {
          name: 'bare Fastify and pg: customer, booking and four rows to send',
          run: () => httpLoad({ ...load, port: floor.port }),
        },
      ];
      rows.push(
        ...(await beside(
          rounds,
          `Create a booking (${connections} connections)`,
          () => httpLoad({ ...load, port }),
          peers,
        )),
      );
    }
    rows.push(...(await readRows(bench, floor.port)));
  } finally {
    floor.stop();
  }
  return rows;
}

async function readRows(bench: BookingBench, floorPort: number): Promise<Row[]> {
  const { db, url, port, caller, rounds, seconds } = bench;
  // Among the bookings that the floor has too.
  const found = await db.query<{ id: string }>(
    'SELECT id FROM floor.booking ORDER BY created_at, id LIMIT 10000',
  );
  await db.query('CREATE TABLE bench_booking (n int PRIMARY KEY, id uuid NOT NULL)');
  await db.query(
    'INSERT INTO bench_booking SELECT ordinality, id FROM unnest($1::uuid[]) WITH ORDINALITY AS t (id)',
    [found.map(({ id }) => id)],
  );
  const one = findBookingText(
    '(SELECT id FROM bench_booking WHERE n = (:n)::int)',
    `'${caller.partnerId}'::uuid`,
  );
  const script = `\\set n random(1, ${found.length})\n${pgbenchText(one)};\n`;
  const reads = (path: string) => found.map(({ id }) => rawRequest(caller, 'GET', `${path}/${id}`));
  const rows: Row[] = [];
  for (const connections of bench.connections) {
    const read = (path: string, to: number) => () =>
      httpLoad({ connections, seconds, port: to, requests: reads(path), expectedStatus: 200 });
    const peers = [
      {
        name: 'pgbench, the same select',
        run: () => pgbench(script, { url, concurrency: connections, seconds }),
      },
      { name: 'bare Fastify handler, the same select', run: read('/same', floorPort) },
      { name: 'bare Fastify and pg: a row of its own', run: read('/bookings', floorPort) },
    ];
    rows.push(
      ...(await beside(
        rounds,
        `Read a booking (${connections} connections)`,
        read('/bookings', port),
        peers,
      )),
    );
  }
  return rows;
}
