/**
 * Webhooks: how many a second one fast endpoint gets, and how long 49 live ones wait beside a dead one with 100,000 waiting. Events are
 * written as bookings write them; a worker of its own relays and delivers them to receivers in this process.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { loadSealing } from '#base/sealing.ts';
import { newId, timeOfId } from '#base/values/id.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { createOutboundClient } from '#platform/gateways/outbound/client.ts';
import { anyNetwork } from '#platform/gateways/outbound/public-network.ts';
import { signedHeaders } from '#product/webhooks/sign.ts';
import { say } from './beside.ts';
import { analyse } from './fill.ts';
import type { Rate } from './limit.ts';
import { percentiles } from './percentiles.ts';
import type { Row } from './report.ts';
import { startServer } from './system.ts';
import { makeWorkshop } from './world.ts';

const concurrency = 50;
const live = 49;
const waitingForDead = 100_000;
const eventsPerSecond = 200;
const aimMs = 2_000;

/** About what a booking weighs. */
const booking = { id: newId(), status: 'pending', notes: 'x'.repeat(1_200) };

interface Bench {
  readonly db: Database;
  readonly partnerId: string;
  /** Adds an endpoint of one workshop, and returns its id. */
  endpoint(workshopId: string, url: string, maxConcurrent: number): Promise<string>;
}

/** Business and machine time are the same here. */
async function addEvents(
  db: Database,
  partnerId: string,
  workshopIds: readonly string[],
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  await db.query(
    `INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at)
     SELECT e.id, 'booking.completed', $2, ($3::uuid[])[1 + e.place % cardinality($3::uuid[])], gen_random_uuid(), 1, jsonb_build_object('booking', $4::jsonb), clock_timestamp()
       FROM unnest($1::uuid[]) WITH ORDINALITY AS e (id, place)`,
    [ids, partnerId, workshopIds, JSON.stringify(booking)],
  );
}

/** A worker with a partner, on a database of its own. */
async function withWorker<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-webhooks-'));
  try {
    const quiet = { PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn' };
    const server = await startServer({ ...quiet, PITLANE_WEBHOOKS_ALLOW_PRIVATE: 'on' });
    const { url } = await borrowEmbedded({ dataDir });
    const db = openDatabase({ url, poolSize: 4, applicationName: 'bench' });
    const { partnerId } = await makeWorkshop(db, systemClock());
    const sealing = loadSealing({ dataDir, secretKey: null, formerSecretKeys: null });
    const done = await work({
      db,
      partnerId,
      async endpoint(workshopId, target, maxConcurrent) {
        const id = newId();
        const sealed = sealing.seal('webhookSecret', secret, id);
        await db.query(
          `WITH linked AS (INSERT INTO link (partner_id, workshop_id, created_at) VALUES ($2, $3, clock_timestamp()) ON CONFLICT DO NOTHING),
             made AS (
               INSERT INTO webhook (id, partner_id, workshop_id, url, method, actions, max_concurrent, created_at, updated_at)
               VALUES ($1, $2, $3, $4, 'POST', '{bookingCompleted}', $5, clock_timestamp(), clock_timestamp()) RETURNING id),
             keyed AS (INSERT INTO webhook_secret (webhook_id, id, sealed) SELECT id, id, $6 FROM made)
           INSERT INTO webhook_lane (webhook_id) SELECT id FROM made`,
          [id, partnerId, workshopId, target, maxConcurrent, sealed],
        );
        return id;
      },
    });
    await db.close();
    await server.stop();
    return done;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

async function withReceiver<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** How long after its event each delivery came, and when. */
function arrivals() {
  const ms: number[] = [];
  let [first, last] = [0, 0];
  const listener: RequestListener = (request, response) => {
    const at = Date.now();
    if (ms.length === 0) first = at;
    last = at;
    ms.push(at - (timeOfId(String(request.headers['webhook-id']))?.getTime() ?? at));
    request.resume().on('end', () => response.writeHead(204).end());
  };
  const rate = (): Rate => ({
    perSecond: (ms.length / Math.max(1, last - first)) * 1_000,
    ...percentiles(ms),
  });
  return { listener, rate, count: () => ms.length };
}

async function until(isDone: () => boolean, withinMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(withinMs);
  while (!isDone() && !deadline.aborted) await sleep(50);
}

/** The same bodies, signed and sent without a database. */
async function bareClient(url: string, seconds: number): Promise<Rate> {
  const client = createOutboundClient({ network: anyNetwork });
  const took: number[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  const lane = async () => {
    while (performance.now() < endsAt) {
      const ids = { eventId: newId(), deliveryId: newId(), attemptId: newId() };
      const timestamp = Math.floor(Date.now() / 1_000);
      const body = JSON.stringify({
        id: ids.eventId,
        action: 'bookingCompleted',
        timestamp,
        version: 3,
        booking,
      });
      const headers = signedHeaders([secret], ids, { timestamp, body });
      took.push((await client.call(url, { partnerId: 'one', method: 'POST', headers, body })).durationMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await client.close();
  return { perSecond: took.length / seconds, ...percentiles(took) };
}

async function fastRow(seconds: number): Promise<Row> {
  const name = `Webhooks to one fast endpoint (${concurrency} at once)`;
  say(`${name} …`);
  const events = 1_000 * seconds;
  const api = await withWorker(async ({ db, partnerId, endpoint }) => {
    const [{ id: workshopId = '' } = {}] = await db.query<{ id: string }>('SELECT id FROM workshop');
    const { listener, rate, count } = arrivals();
    return withReceiver(listener, async (url) => {
      await endpoint(workshopId, url, concurrency);
      await addEvents(db, partnerId, [workshopId], 500);
      await until(() => count() >= 500, 20_000);
      await analyse(db);
      const measured = arrivals();
      return withReceiver(measured.listener, async (other) => {
        await db.query('UPDATE webhook SET url = $1', [other]);
        await addEvents(db, partnerId, [workshopId], events);
        await until(() => measured.count() >= events, 60_000);
        say(
          `${measured.count()} of ${events} have arrived; the first receiver had ${rate().perSecond.toFixed(0)} a second`,
        );
        return measured.rate();
      });
    });
  });
  const limit = await withReceiver(arrivals().listener, (url) => bareClient(url, seconds));
  return { name, limitName: 'the same bodies signed and sent without a database', api, limit };
}

async function deadRow(seconds: number): Promise<Row> {
  const name = `Webhooks to ${live} live endpoints beside a dead one with ${waitingForDead.toLocaleString('en')} waiting (${eventsPerSecond} a second)`;
  say(`${name} …`);
  const api = await withWorker(({ db, partnerId, endpoint }) => {
    const { listener, rate, count } = arrivals();
    return withReceiver(listener, (url) =>
      // It takes the request, and never answers.
      withReceiver(
        (request) => void request.resume(),
        async (silent) => {
          const ids = await db.query<{ id: string }>(
            `INSERT INTO workshop (id, name, slug, country, timezone, phone, email, created_at, updated_at)
             SELECT gen_random_uuid(), 'W' || n, 'w' || n, 'AU', 'Australia/Melbourne', '+61355501234', 'desk@bench.example', clock_timestamp(), clock_timestamp()
               FROM generate_series(0, $1::int) AS n RETURNING id`,
            [live],
          );
          const [dead = '', ...others] = ids.map(({ id }) => id);
          await addEvents(db, partnerId, [dead], 1);
          const deadId = await endpoint(dead, silent, 5);
          for (const id of others) await endpoint(id, url, 5);
          await db.query(
            `INSERT INTO webhook_delivery (id, webhook_id, event_id, action, status, due_at, created_at)
             SELECT gen_random_uuid(), $1, e.id, 'bookingCompleted', 'waiting', clock_timestamp(), clock_timestamp()
               FROM (SELECT id FROM event LIMIT 1) AS e CROSS JOIN generate_series(1, $2::int)`,
            [deadId, waitingForDead],
          );
          await db.query('INSERT INTO webhook_wake VALUES ($1)', [deadId]);
          await analyse(db);
          const perStep = eventsPerSecond / 10;
          for (let step = 0; step < seconds * 10; step++) {
            await addEvents(db, partnerId, others, perStep);
            await sleep(100);
          }
          await until(() => count() >= seconds * eventsPerSecond, 30_000);
          const [dying] = await db.query<{ failures: number }>(
            'SELECT failures FROM webhook_lane WHERE webhook_id = $1',
            [deadId],
          );
          say(
            `${count()} of ${seconds * eventsPerSecond} have arrived; the dead one has failed ${dying?.failures} times`,
          );
          return rate();
        },
      ),
    );
  });
  const limit = { perSecond: eventsPerSecond, p50: aimMs, p95: aimMs, p99: aimMs };
  return { name, limitName: `aim: p99 of ${aimMs / 1_000} s`, api, limit };
}

export async function webhookRows({ seconds }: { seconds: number }): Promise<Row[]> {
  return [await fastRow(seconds), await deadRow(5 * seconds)];
}
