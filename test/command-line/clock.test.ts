/** `pitlane clock reset`, beside a running process: what is correct again at once, and stays so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { followBusinessClock } from '#platform/db/business-clock-follower.ts';
import { startTestApp } from '../harness/app.ts';
import { atEnd } from '../harness/clean-up.ts';
import { send } from '../harness/http.ts';
import { startServer } from '../harness/server.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';
import { json, succeed } from './run.ts';

const app = await startTestApp();
const { context, clock } = app;
atEnd(await followBusinessClock(context.db, clock, context.log));
const env = { DATABASE_URL: app.databaseUrl };
const year = 365 * 86_400;
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

const advance = (advanceSeconds: number) =>
  app.request('POST', '/sandbox/clock', { body: { advanceSeconds } });
const book = (key: string, notes: string) =>
  partner.call('POST', '/bookings', bookingBody(workshopId, { notes }), {
    headers: { 'idempotency-key': key },
  });

test('its help explains the effect', async () => {
  const { stdout } = await succeed(['clock', 'reset', '--help'], {});
  for (const word of [/48 hours/, /future/, /Idempotency-Key/, /not taken back/]) assert.match(stdout, word);
});

test('the clock is reset in every process; tokens that were issued ahead are valid for their usual time from now', async () => {
  await advance(year);
  const { body: pair } = await app.request('POST', '/auth/token', {
    headers: { 'x-partner-id': partner.partnerId },
    body: { appKey: partner.appKey, secret: partner.secret },
  });
  const headers = { authorization: `Bearer ${pair.token}` };
  const made = await partner.call('POST', '/bookings', bookingBody(workshopId), {
    headers: { ...headers, 'idempotency-key': 'ahead' },
  });
  assert.equal(made.status, 201);
  const before = Date.parse(made.body.booking.updatedAt);
  assert.ok(before > Date.now() + (year - 60) * 1000);

  const done = await json(['clock', 'reset'], env);
  assert.ok(done.wasAheadSeconds === year, JSON.stringify(done));
  while (clock.advanceSeconds() !== 0) await pause(20);
  assert.equal((await app.request('GET', '/sandbox/clock')).body.advanceSeconds, 0);

  // An update comes after the last one, and a new booking has the machine's time.
  const { id } = made.body.booking;
  const changed = await partner.call('PUT', `/bookings/${id}`, { notes: 'Later' }, { headers });
  assert.equal(changed.status, 200);
  assert.ok(Date.parse(changed.body.booking.updatedAt) > before);
  const { body } = await book('now', 'Now');
  assert.ok(Math.abs(Date.parse(body.booking.createdAt) - Date.now()) < 60_000);

  // The stored response is valid for a day, the tokens for two, and no longer.
  const again = await partner.call('POST', '/bookings', bookingBody(workshopId), {
    headers: { ...headers, 'idempotency-key': 'ahead' },
  });
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  await advance(86_400);
  assert.equal((await book('ahead', 'Another')).status, 201);
  await advance(86_400 + 60);
  // A process may cache a token for two seconds.
  const deadline = Date.now() + 5_000;
  const workshops = () => partner.call('GET', '/workshops', undefined, { headers });
  let late = await workshops();
  for (; late.status === 200 && Date.now() < deadline; late = await workshops()) await pause(50);
  assert.deepEqual([late.status, late.body.errorCode], [401, '010000']);
  await advance(29 * 86_400);
  const refreshed = await app.request('POST', '/auth/refresh', {
    headers: { 'x-partner-id': partner.partnerId },
    body: { token: pair.token, refreshToken: pair.refreshToken },
  });
  assert.equal(refreshed.status, 400);
});

test('a start with a real gateway warns of a clock that is ahead, and nobody can move it there', async (t) => {
  await succeed(['clock', 'reset'], env);
  const settings = { ...env, SMTP_URL: 'smtp://127.0.0.1:1', PITLANE_MAIL_FROM: 'noreply@example.com' };
  const right = await startServer(t, settings);
  assert.doesNotMatch(right.log(), /business clock/);
  await right.end('SIGTERM');
  await advance(3_600);
  const server = await startServer(t, settings);
  assert.match(server.log(), /"aheadSeconds":3600,.*pitlane clock reset/);
  const moved = await send(`${server.url}/sandbox/clock`, 'POST', { body: { advanceSeconds: 1 } });
  assert.equal(moved.status, 404);
  const text = { from: '0491570006', body: 'STOP' };
  assert.equal((await send(`${server.url}/sandbox/inbound`, 'POST', { body: text })).status, 404);
  assert.equal((await send(`${server.url}/sandbox/messages`, 'GET')).status, 200);
});

test('a repeated reset changes nothing, and says so', async () => {
  await succeed(['clock', 'reset'], env);
  const { stdout } = await succeed(['clock', 'reset'], env);
  assert.match(stdout, /at the machine's time already/);
});
