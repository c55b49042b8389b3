/** Idempotency-Key while the first request is still running, or has been lost (specification: Idempotency 3). */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { buildApp } from '#app.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createBooking } from '#product/bookings/create.ts';
import {
  assertProblem,
  blockedConnections,
  bookingWorld,
  rowCounts,
  untilBlocked,
} from '../../../test/fixtures/booking-api.ts';
import { type HttpResponse, send } from '../../../test/harness/http.ts';
import { bookingBody } from '../../../test/harness/world.ts';
import { once } from './once.ts';

const { app, partner, workshopId, book } = await bookingWorld();
const { db } = app.context;

// A second process: the same database through three connections of its own.
const poolSize = 3;
const narrow = openDatabase({ url: app.databaseUrl, poolSize, applicationName: 'narrow' });
const second = await buildApp({ ...app.context, db: narrow });
await second.listen({ host: '127.0.0.1', port: 0 });
const secondUrl = `http://127.0.0.1:${(second.server.address() as AddressInfo).port}`;
after(async () => {
  await second.close();
  await narrow.close();
});

let keys = 0;
const newKey = () => `wait-${keys++}`;
const headersOf = (key?: string) => ({
  ...{ authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
  ...(key === undefined ? {} : { 'idempotency-key': key }),
});
const post = (url: string, key: string, changes: object = {}) =>
  send(`${url}/bookings`, 'POST', { headers: headersOf(key), body: bookingBody(workshopId, { ...changes }) });

function assertOneResult(answers: readonly HttpResponse[]): void {
  for (const { status, body } of answers) {
    assert.deepEqual([status, body], [201, answers[0]?.body], JSON.stringify(body));
  }
  const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true');
  assert.equal(replayed.length, answers.length - 1);
}

/** A claim of a request that is still running, or that died. */
async function claimLeft(key: string, leaseSeconds: number): Promise<void> {
  await db.query(
    `INSERT INTO idempotency (partner_id, key, fingerprint, owner, leased_until, created_at)
     VALUES ($1, $2, '\\x00', $3, clock_timestamp() + $4 * interval '1 second', $5)`,
    [partner.partnerId, key, newId(), leaseSeconds, app.clock.now()],
  );
}

test('60 requests with one key at once, at two processes: one booking, and the same response to all', async () => {
  const key = newKey();
  const before = await rowCounts(app);
  const urls = [app.url, secondUrl, secondUrl];
  assertOneResult(
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => post(urls[n % 3] ?? app.url, key, { carRego: 'sixty' })),
    ),
  );
  const { bookings = 0, events = 0 } = await rowCounts(app);
  assert.deepEqual([bookings, events], [(before['bookings'] ?? 0) + 1, (before['events'] ?? 0) + 1]);
});

test('waiting callers hold no database connection', async () => {
  const { customerId, id } = await book();
  const key = newKey();
  let answers: Promise<HttpResponse[]> | undefined;
  await db.transaction(async (tx) => {
    // The first request stops at the customer's row, in the middle of its statement; then the others come.
    await tx.query('SELECT FROM customer WHERE id = $1 FOR UPDATE', [customerId]);
    const first = post(secondUrl, key);
    // For longer than a batch waits for a lock: it runs alone by then, and waits in turns.
    await untilBlocked(app, 1, 400);
    answers = Promise.all([first, ...Array.from({ length: 30 }, () => post(secondUrl, key))]);
    // With a connection each, they would use up the pool of three.
    for (let time = 0; time < 20; time++) {
      const answer = await send(`${secondUrl}/bookings/${id}`, 'GET', { headers: headersOf() });
      assert.equal(answer.status, 200);
    }
    // None in the moment between two turns.
    assert.ok((await blockedConnections(app)) <= 1);
  });
  assertOneResult((await answers) ?? []);
});

test('422 000008 at once for another body while the first is still running', async () => {
  const key = newKey();
  await claimLeft(key, 30);
  assertProblem(await post(app.url, key), 422, '000008');
});

test('the claim of a dead request is taken over when its lease is over, with any body', async () => {
  const key = newKey();
  await claimLeft(key, -1);
  const answer = await post(app.url, key);
  assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [201, null]);
  assertOneResult([answer, await post(secondUrl, key)]);
});

test('of several requests that find a dead claim, one takes it over', async () => {
  const key = newKey();
  await claimLeft(key, -1);
  assertOneResult(
    await Promise.all(Array.from({ length: 20 }, (_, n) => post(n % 2 ? app.url : secondUrl, key))),
  );
});

test('409 000009: the first request still runs when the wait is over; later its result is stored', async () => {
  const request = { partnerId: partner.partnerId, key: newKey(), path: '/things', body: { a: 1 } };
  const first = Promise.withResolvers<string>();
  const running = once(app.context, request, () => first.promise);
  const never = () => Promise.reject(new Error('ran twice'));
  // The second request comes once the first has its claim, whichever that is.
  await until(
    async () => (await db.query('SELECT FROM idempotency WHERE key = $1', [request.key])).length === 1,
  );
  await assert.rejects(once(app.context, request, never, { waitAtMostMs: 0 }), (error) => {
    assert.ok(error instanceof Problem);
    assert.deepEqual([error.errorCode, error.status], ['000009', 409]);
    return true;
  });
  first.resolve('done');
  assert.deepEqual(await running, { replayed: false, result: 'done' });
});

test('a request that lost its claim creates nothing', async () => {
  const key = newKey();
  await claimLeft(key, 30);
  const before = await rowCounts(app);
  const lost = { idempotencyKey: key, claimOwner: newId() };
  const request = {
    partnerId: partner.partnerId,
    body: bookingBody(workshopId),
    phone: '+61491570006',
    claim: lost,
    actor: actors.partner(partner.partnerId, 'k', 'r'),
  };
  assert.equal(await createBooking(app.context, request), null);
  assert.deepEqual(await rowCounts(app), before);
});

test('a request that lost its claim responds with what the other one created', async () => {
  const request = { partnerId: partner.partnerId, key: newKey(), path: '/bookings', body: {} };
  let tries = 0;
  const outcome = await once(app.context, request, async ({ claimOwner }) => {
    tries++;
    await db.query(
      `UPDATE idempotency SET owner = $1, status = 201, body = '{"by":"the other"}' WHERE owner = $2`,
      [newId(), claimOwner],
    );
    return null;
  });
  assert.deepEqual(outcome, { replayed: true, status: 201, body: { by: 'the other' } });
  assert.equal(tries, 1);
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}
