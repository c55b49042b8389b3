/** 200 partners' requests for the last place of a day, at two server processes (specification: Availability 11): one is booked, 199 are refused. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { makeWorkshop } from '../bench/world.ts';
import { makeFolder } from './fixtures/embedded.ts';
import { createTestDatabase } from './harness/database.ts';
import { send } from './harness/http.ts';
import { startServer } from './harness/server.ts';
import { bookingBody } from './harness/world.ts';

const dayMs = 24 * 3_600_000;

test('always: 200 at once, from two processes, also of customers who share a batch: one 201, 199 times 409 060003', async (t) => {
  const { db, url } = await createTestDatabase();
  const clock = systemClock();
  const { credentials, partnerId, workshopId } = await makeWorkshop(db, clock);
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const hours = Object.fromEntries(days.map((day) => [day, [{ from: '08:00', to: '10:00' }]]));
  const settings = { enforceAvailability: true, bays: 1 };
  await importWorkshop({ db, clock }, JSON.stringify({ workshopId, settings, hours }), actors.operator);
  const env = {
    DATABASE_URL: url,
    PITLANE_ROLE: 'api',
    PITLANE_DEMO: 'off',
    PITLANE_DATA_DIR: makeFolder(t),
  };
  const servers = [await startServer(t, env), await startServer(t, env)];
  const partner = { 'x-partner-id': partnerId };
  const { appKey, secret } = credentials;
  const signedIn = await send(`${servers[0]?.url}/auth/token`, 'POST', {
    headers: partner,
    body: { appKey, secret },
  });
  const headers = { ...partner, authorization: `Bearer ${signedIn.body.token}` };

  const date = new Date(clock.now().getTime() + 10 * dayMs).toISOString().slice(0, 10);
  const from = Temporal.PlainDateTime.from(`${date}T08:00`).toZonedDateTime('Australia/Melbourne');
  const book = (n: number) =>
    send(`${servers[n % 2]?.url}/bookings`, 'POST', {
      headers,
      body: bookingBody(workshopId, {
        bookingTime: new Date(from.epochMilliseconds).toISOString(),
        ...{ customerPhone: `04915701${String(n % 60).padStart(2, '0')}`, carRego: `R${n}` },
      }),
    });
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => book(n)));
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 199, JSON.stringify(refused[0]?.body));
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.errorCode, body.reason], [409, '060003', 'full'], JSON.stringify(body));
    assert.equal(body.alternatives.length, 3);
  }
  const at = (await send(`${servers[1]?.url}/bookings`, 'GET', { headers })).body.bookings;
  assert.equal(at.length, 1, 'GET /bookings shows the one that was booked');
  assert.deepEqual((await examine({ db, clock }, { repair: false })).findings, []);
});
