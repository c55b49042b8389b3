/** /sandbox/clock: moving the business clock, and its effects (specification: Sandbox 2). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { buildApp } from '#app.ts';
import { systemClock } from '#base/clock.ts';
import { followBusinessClock } from '#platform/db/business-clock-follower.ts';
import { openDatabase } from '#platform/db/database.ts';
import { startTestApp, type TestApp } from '../../../test/harness/app.ts';
import { type HttpResponse, send } from '../../../test/harness/http.ts';
import { signedInPartner } from '../../../test/harness/world.ts';

const tenYears = 10 * 365 * 86_400;
const advance = (app: TestApp, advanceSeconds: unknown): Promise<HttpResponse> =>
  app.request('POST', '/sandbox/clock', { body: { advanceSeconds } });
const read = async (app: TestApp) => (await app.request('GET', '/sandbox/clock')).body;

/** A further process on the same database, as `serve` starts it; closed when the test is done. */
async function secondProcess(
  t: TestContext,
  app: TestApp,
): Promise<(path: string) => Promise<HttpResponse['body']>> {
  const { context } = app;
  const db = openDatabase({ url: app.databaseUrl, poolSize: 2, applicationName: 'second' });
  const clock = systemClock();
  const unfollow = await followBusinessClock(db, clock, context.log);
  const second = await buildApp({ ...context, db, clock });
  t.after(async () => {
    await second.close();
    await unfollow();
    await db.close();
  });
  const url = await second.listen({ host: '127.0.0.1', port: 0 });
  return async (path) => (await send(`${url}${path}`, 'GET')).body;
}

test('it starts at machine time, moves forward, and shows how far it was moved', async () => {
  const app = await startTestApp();
  const unmoved = await read(app);
  assert.equal(unmoved.advanceSeconds, 0);
  assert.match(unmoved.now, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Math.abs(Date.parse(unmoved.now) - Date.now()) < 5_000);

  for (const [seconds, total] of [
    [3_600, 3_600],
    [86_400, 90_000],
    [0, 90_000],
  ] as const) {
    const { status, body } = await advance(app, seconds);
    assert.deepEqual([status, body.advanceSeconds], [200, total]);
    assert.ok(Math.abs(Date.parse(body.now) - Date.now() - total * 1000) < 5_000);
    assert.equal((await read(app)).advanceSeconds, total);
  }
});

test('400 000001 for anything but a whole number of seconds from 0 to ten years, and nothing moves', async () => {
  const app = await startTestApp();
  for (const bad of [-1, 1.5, '3600', null, true, tenYears + 1, undefined]) {
    const { status, body } = await advance(app, bad);
    assert.deepEqual(
      [status, body.errorCode, body.errors[0].field],
      [400, '000001', 'advanceSeconds'],
      `${bad}`,
    );
  }
  assert.equal((await read(app)).advanceSeconds, 0);
});

test('all moves together reach ten years and no further', async () => {
  const app = await startTestApp();
  const day = 86_400;
  assert.equal((await advance(app, tenYears - 3 * day)).status, 200);
  const answers = await Promise.all(Array.from({ length: 6 }, () => advance(app, day)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400, 400, 400]);
  const refused = answers.find(({ status }) => status === 400);
  assert.equal(refused?.body.errors[0].field, 'advanceSeconds');
  assert.match(refused?.body.message, /further than 315360000 seconds/);
  assert.equal((await read(app)).advanceSeconds, tenYears);
});

test('a token lives 48 hours of the business clock, and a refresh gives the next (specification: Signing in 3; Clocks 1)', async () => {
  const app = await startTestApp();
  const partner = await signedInPartner(app);
  await advance(app, 172_800 - 60);
  assert.equal((await partner.call('GET', '/workshops')).status, 200);
  await advance(app, 60);
  const expired = await partner.call('GET', '/workshops');
  assert.deepEqual([expired.status, expired.body.errorCode], [401, '010000']);
  assert.match(expired.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/);

  const refreshed = await app.request('POST', '/auth/refresh', {
    headers: { 'x-partner-id': partner.partnerId },
    body: { token: partner.token, refreshToken: partner.refreshToken },
  });
  assert.equal(refreshed.status, 200);
  const headers = { authorization: `Bearer ${refreshed.body.token}` };
  assert.equal((await partner.call('GET', '/workshops', undefined, { headers })).status, 200);
});

test('DELETE takes all moves back: what expired only by them is good again, and other processes follow', async (t) => {
  const app = await startTestApp();
  const partner = await signedInPartner(app);
  const running = await secondProcess(t, app);
  await advance(app, 172_800);
  assert.equal((await partner.call('GET', '/workshops')).status, 401);
  const { status, body } = await app.request('DELETE', '/sandbox/clock');
  assert.deepEqual([status, body.advanceSeconds], [200, 0]);
  assert.ok(Math.abs(Date.parse(body.now) - Date.now()) < 5_000);
  assert.equal((await partner.call('GET', '/workshops')).status, 200);
  assert.equal((await running('/sandbox/clock')).advanceSeconds, 0);
  assert.equal((await app.request('DELETE', '/sandbox/clock')).body.advanceSeconds, 0);
});

test('a second process on the same database follows within seconds, and a new one starts moved (specification: Clocks 1)', async (t) => {
  const app = await startTestApp();
  const running = await secondProcess(t, app);
  assert.equal((await running('/sandbox/clock')).advanceSeconds, 0);
  await advance(app, 172_800);

  const started = await secondProcess(t, app);
  assert.equal((await started('/sandbox/clock')).advanceSeconds, 172_800);
  const deadline = Date.now() + 5_000;
  while ((await running('/sandbox/clock')).advanceSeconds !== 172_800) {
    assert.ok(Date.now() < deadline, 'the running process did not follow within 5 seconds');
    await pause(50);
  }
});
