/**
 * A blast to 100,000 customers: how long replies and notices take to the gateway meanwhile, at 10 messages a second; then how fast
 * it goes without a rate, and how much memory the process takes. The gateway is a Kannel that accepts at once.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { actors } from '#base/values/actor.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { borrowEmbedded } from '#platform/db/embedded/embedded.ts';
import { enqueue, type NewMessage } from '#product/sending/enqueue.ts';
import { dueBlast } from '../test/fixtures/blast.ts';
import { say } from './beside.ts';
import type { Rate } from './limit.ts';
import type { Row } from './report.ts';
import { residentMiB, startServer } from './system.ts';

const ratePerSecond = 10;
const aimMs = 1_000;

interface Gateway {
  readonly url: string;
  /** When each text arrived, in milliseconds of this process. */
  readonly arrivals: { readonly text: string; readonly atMs: number }[];
  close(): void;
}

async function startGateway(): Promise<Gateway> {
  const arrivals: Gateway['arrivals'] = [];
  const server = createServer((request, response) => {
    const text = new URL(request.url ?? '', 'http://kannel').searchParams.get('text') ?? '';
    arrivals.push({ text, atMs: performance.now() });
    response.writeHead(202).end('0: Accepted for delivery');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, arrivals, close: () => void server.close() };
}

const environment = (dataDir: string, { url }: Gateway, more: Readonly<Record<string, string>>) => ({
  ...{ PITLANE_DATA_DIR: dataDir, PITLANE_DEMO: 'off', LOG_LEVEL: 'warn' },
  ...{ PITLANE_SMS_GATEWAYS: 'kannel', PITLANE_PUBLIC_URL: 'http://127.0.0.1:1' },
  ...{
    KANNEL_URL: `${url}/cgi-bin/sendsms`,
    KANNEL_USERNAME: 'pitlane',
    KANNEL_PASSWORD: 'secret-of-kannel',
  },
  KANNEL_CALLBACK_TOKEN: 'a-token-that-is-long-enough-for-a-callback',
  ...more,
});

const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** Replies of the blast's workshop and notices to another, one after the other, as another process queues them. */
async function overtaking(
  db: Database,
  gateway: Gateway,
  workshopId: string,
  seconds: number,
): Promise<Rate> {
  const people = await db.query<{ id: string; phone: string }>(
    'SELECT id, phone FROM customer WHERE workshop_id = $1 ORDER BY id DESC LIMIT $2',
    [workshopId, seconds * 2],
  );
  const queuedAt = new Map<string, number>();
  for (const [index, { id, phone }] of people.entries()) {
    const body = `overtakes ${index}`;
    const to = {
      workshopId,
      channel: 'sms',
      audience: 'customer',
      customerId: id,
      recipient: phone,
      body,
    } as const;
    const message: NewMessage = { ...to, kind: index % 2 === 0 ? 'reply' : 'bookingNotice' };
    await enqueue(db, [message], { now: new Date(), actor: actors.schedule, exemptCountries: [] });
    queuedAt.set(body, performance.now());
    await sleep(400 + Math.random() * 200);
  }
  await sleep(3_000);
  const waits = [...queuedAt].map(
    ([text, atMs]) =>
      (gateway.arrivals.find((arrival) => arrival.text === text)?.atMs ?? Number.POSITIVE_INFINITY) - atMs,
  );
  waits.sort((one, other) => one - other);
  return {
    perSecond: 0,
    p50: percentile(waits, 0.5),
    p95: percentile(waits, 0.95),
    p99: percentile(waits, 0.99),
  };
}

/** Resolves to the row and to what was seen beside it, in sentences. */
export async function blastRow(of: {
  recipients: number;
  seconds: number;
}): Promise<{ row: Row; notes: string[] }> {
  const { recipients, seconds } = of;
  const name = `A reply or notice during a blast to ${recipients.toLocaleString('en')} (${ratePerSecond} messages a second)`;
  say(`${name} …`);
  const dataDir = mkdtempSync(join(tmpdir(), 'pitlane-bench-blasts-'));
  const gateway = await startGateway();
  try {
    const paced = { PITLANE_GATEWAY_RATE: `kannel:${ratePerSecond}` };
    let server = await startServer(environment(dataDir, gateway, paced));
    const { url } = await borrowEmbedded({ dataDir });
    let db = openDatabase({ url, poolSize: 2, applicationName: 'bench' });
    const { workshopId } = await dueBlast(db, recipients);
    while (gateway.arrivals.length < ratePerSecond) await sleep(50);
    const before = gateway.arrivals.length;
    const sinceMs = performance.now();
    const waits = await overtaking(db, gateway, workshopId, seconds);
    const perSecond = ((gateway.arrivals.length - before) / (performance.now() - sinceMs)) * 1_000;
    const memory = [residentMiB(server.pid)];
    await db.close();
    await server.stop();

    const fast = { PITLANE_GATEWAY_CONCURRENCY: 'kannel:50' };
    server = await startServer(environment(dataDir, gateway, fast));
    const again = await borrowEmbedded({ dataDir });
    db = openDatabase({ url: again.url, poolSize: 2, applicationName: 'bench' });
    const [startedMs, sentBefore] = [performance.now(), gateway.arrivals.length];
    for (const deadline = AbortSignal.timeout(seconds * 4_000); !deadline.aborted; ) {
      await sleep(2_000);
      memory.push(residentMiB(server.pid));
      const [left] = await db.query<{ left: boolean }>(
        `SELECT EXISTS (SELECT FROM blast WHERE status = 'sending') AS left`,
      );
      if (!left?.left) break;
    }
    const fastPerSecond = ((gateway.arrivals.length - sentBefore) / (performance.now() - startedMs)) * 1_000;
    const [counts] = await db.query<{ sent: number; people: number }>(
      `SELECT count(*)::int AS sent, count(DISTINCT customer_id)::int AS people FROM message WHERE kind = 'blast' AND state = 'accepted'`,
    );
    await db.close();
    await server.stop();
    const [first, ...rest] = memory.filter((each) => each !== null);
    return {
      row: {
        name,
        limitName: `aim: p99 of ${aimMs} ms, ${ratePerSecond} a second`,
        api: { ...waits, perSecond },
        limit: { perSecond: ratePerSecond, p50: aimMs, p95: aimMs, p99: aimMs },
      },
      notes: [
        `Without a rate the blast goes at ${Math.round(fastPerSecond)} a second: ${counts?.sent} messages to ${counts?.people} customers. ` +
          `The process takes ${Math.round(first ?? 0)} MiB at the paced rate and ${Math.round(Math.min(...rest))} to ${Math.round(Math.max(...rest))} MiB then.`,
      ],
    };
  } finally {
    gateway.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
