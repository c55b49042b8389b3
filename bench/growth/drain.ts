/** A worker that works off what bookings have left: notices to customers and workshops, deliveries to the partner's endpoint. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/db/database.ts';
import type { Rate } from '../limit.ts';
import { creates } from './operations.ts';
import type { Side } from './side.ts';

const atMostMs = 120_000;

/** An endpoint of the large partner on each side, which answers at once. */
export async function withEndpoint<T>(sides: readonly Side[], work: () => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: { readonly side: Side; readonly id: string }[] = [];
  try {
    for (const side of sides) {
      const { port, caller } = side;
      const response = await fetch(`http://127.0.0.1:${port}/webhooks`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-partner-id': caller.partnerId,
          authorization: `Bearer ${caller.token}`,
        },
        body: JSON.stringify({ url, method: 'POST', actions: ['bookingCreate'] }),
      });
      if (response.status !== 201) throw new Error(`a webhook: ${response.status} ${await response.text()}`);
      const { webhook } = (await response.json()) as { webhook: { id: string } };
      made.push({ side, id: webhook.id });
    }
    return await work();
  } finally {
    for (const { side, id } of made)
      await side.db.query(
        `UPDATE webhook SET status = 'disabled', disabled_reason = 'operator' WHERE id = $1`,
        [id],
      );
    server.closeAllConnections();
    server.close();
  }
}

/** Makes that many bookings one after the other; what others have left is not worked off. */
export async function createRequestsOfCount(side: Side, count: number): Promise<void> {
  await side.db.query(`UPDATE event SET relayed_at = clock_timestamp() WHERE relayed_at IS NULL`);
  const requests = await creates(side);
  for (const request of requests.slice(0, count)) {
    const [, body = ''] = request.split('\r\n\r\n');
    const response = await fetch(`http://127.0.0.1:${side.port}/bookings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-partner-id': side.caller.partnerId,
        authorization: `Bearer ${side.caller.token}`,
      },
      body,
    });
    if (response.status !== 201) throw new Error(`a booking gave ${response.status}`);
    await response.text();
  }
}

/** Of notices: from the moment at which they were queued. */
async function latencies(db: Database, since: Date): Promise<Omit<Rate, 'perSecond'>> {
  // In a statement of its own: where the id is not known to the planner, it reads all messages.
  const [first] = await db.query<{ id: string }>('SELECT first_id($1) AS id', [since]);
  const [found] = await db.query<Omit<Rate, 'perSecond'>>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) AS p95,
            percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99
       FROM (SELECT extract(epoch FROM updated_at - created_at) * 1000 AS ms FROM message
              WHERE kind = 'bookingNotice' AND id >= $1) AS sent`,
    [first?.id],
  );
  if (found === undefined) throw new Error('nothing was sent');
  return found;
}

/** How fast a worker that has just started works all off; latencies are of the notices. */
export async function drainSeconds(side: Side, pieces: number): Promise<Rate> {
  const deadline = AbortSignal.timeout(atMostMs);
  const { db } = side;
  const since = new Date();
  let startedAt: number | undefined;
  while (!deadline.aborted) {
    const [row] = await db.query<{ waits: boolean; begun: boolean }>(
      `SELECT EXISTS (SELECT FROM event WHERE relayed_at IS NULL) OR EXISTS (SELECT FROM queued_message)
           OR EXISTS (SELECT FROM webhook_delivery WHERE due_at IS NOT NULL) AS waits, EXISTS (SELECT FROM queued_message) AS begun`,
    );
    if (row?.begun) startedAt ??= performance.now();
    if (row && !row.waits && startedAt !== undefined) {
      const perSecond = pieces / ((performance.now() - startedAt) / 1_000);
      return { perSecond, ...(await latencies(db, since)) };
    }
    await sleep(20);
  }
  throw new Error('the worker did not work all off');
}
