/**
 * Every operation of the API document, called with right and with wrong requests: no 5xx, no hang, answers as the document
 * promises, and a refusal changes nothing. A failure prints the request and its seed: `FUZZ_SEED=<seed> npm test --
 * test/fuzz.test.ts` runs the same again, `FUZZ_RUNS=<number>` (30 when it is not set) makes it run longer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { brokenHttp } from './fuzz/broken-http.ts';
import { checkAnyResponse, checkResponse } from './fuzz/contract.ts';
import { readDocument } from './fuzz/document.ts';
import { exchange } from './fuzz/exchange.ts';
import { generators } from './fuzz/from-schema.ts';
import { bytesSent, type FuzzRequest, requestsTo, rightRequestsTo } from './fuzz/request.ts';
import { fuzzWorld } from './fuzz/world.ts';

const runs = Number(process.env['FUZZ_RUNS'] || 30);
/** Right requests come in rounds of that many until one has succeeded: many mean a token, customer or booking that is no more. */
const rightAtLeast = 10;
const roundsAtMost = 30;
const givenSeed = process.env['FUZZ_SEED'] ? Number(process.env['FUZZ_SEED']) : null;

const world = await fuzzWorld();
const url = new URL(world.app.url);
const document = readDocument((await world.app.request('GET', '/openapi.json')).body);
const parts = { known: world.known, generators: generators(document, world.known) };

/** A sign-in hashes a password, and the clock waits until all processes follow it: fewer such requests take as long. */
const slow: Readonly<Record<string, number>> = { signIn: 1, advanceClock: 0.2, resetClock: 0.2 };

/** Sends the request, checks the response and resolves to its status. */
async function call(operation: (typeof document.operations)[number], request: FuzzRequest): Promise<number> {
  const answer = await exchange(url, bytesSent(request, url.host));
  // The clock is an operation too; the tokens of the next requests are not to expire by it.
  world.app.clock.setAdvance(0);
  assert.ok(answer, 'the connection was closed without an answer');
  checkResponse(operation, request, answer);
  return answer.status;
}

function check<T>(
  values: Arbitrary<T>,
  numRuns: number,
  holds: (value: T) => Promise<void>,
  round = 0,
): Promise<void> {
  // Each round has requests of its own, also where the seed is given.
  const seed = givenSeed === null ? {} : { seed: givenSeed + round };
  return fc.assert(fc.asyncProperty(values, holds), { ...seed, numRuns });
}

/** What deletes comes last: others need what it would delete. */
const operations = document.operations.toSorted(
  (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
);
for (const operation of operations) {
  const { method, path } = operation;
  const changes = method !== 'GET';
  const share = slow[operation.id] ?? (changes ? 8 : 2);

  test(`${method} ${path}: right requests succeed`, async () => {
    const statuses = new Map<number, number>();
    const requests = rightRequestsTo(operation, { ...parts, credentials: world.goodCredentials });
    const count = changes ? Math.max(rightAtLeast, Math.ceil((runs * share) / 8)) : 5;
    const succeeded = () => [...statuses.keys()].some((status) => status < 300);
    for (let round = 0; round < roundsAtMost && !succeeded(); round++) {
      // Most ids do not belong together, and what is refused for that counts under a limit all the same.
      await world.forgetAttempts();
      const send = async (request: FuzzRequest) => {
        const status = await call(operation, request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      await check(requests, count, send, round);
    }
    assert.ok(succeeded(), `none did: ${JSON.stringify([...statuses])}`);
  });

  test(`${method} ${path}: every request gets a response that the document promises`, async () => {
    const requests = requestsTo(operation, { ...parts, credentials: world.credentials });
    let before = changes ? await world.fingerprint() : 0n;
    await check(requests, Math.ceil(runs * share), async (request) => {
      const status = await call(operation, request);
      if (!changes) return;
      const afterwards = await world.fingerprint();
      if (status >= 400) assert.equal(afterwards, before, `${status} changed something`);
      before = afterwards;
    });
  });
}

test('bytes that are no HTTP get an error in the same form, or the connection is closed', async () => {
  await check(brokenHttp(url.host), runs, async (text) => {
    const answer = await exchange(url, [Buffer.from(text, 'latin1')], { giveUp: true });
    if (answer !== null) checkAnyResponse(answer);
  });
  assert.equal((await world.app.request('GET', '/health/ready')).status, 200);
});

test('every notice of a booking made here can be delivered', { timeout: 120_000 }, async () => {
  const { db } = world.app.context;
  world.calm();
  await world.app.drain({ retries: true });
  // An SMS from a stranger to no workshop's number is rightly one.
  const given = await db.query(
    `SELECT job, reason, detail, payload FROM dead_letter WHERE (job, reason) <> ('placeInbound', 'noWorkshop')`,
  );
  assert.deepEqual(given, []);
  const states = await db.query<{ state: string; reason: string | null }>(
    `SELECT DISTINCT state, reason FROM message WHERE kind = 'bookingNotice'`,
  );
  const unexpected = states.filter(({ state, reason }) => state !== 'accepted' && reason !== 'optedOut');
  assert.deepEqual(unexpected, []);
  assert.ok(states.some(({ state }) => state === 'accepted'));
});
