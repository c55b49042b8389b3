import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#base/log.ts';
import type { Database } from '#platform/db/database.ts';
import { proxyTo } from '../../../test/fixtures/proxy.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { until } from '../../../test/harness/wait.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

/** The number of a sample without labels. */
function sample(metrics: string, name: string): string | undefined {
  return new RegExp(`^${name} (.+)$`, 'm').exec(metrics)?.[1];
}

test('health and metrics ask for no token', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    const answer = await app.request('GET', path);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { status: 'ok' });
  }
  const { status, headers, body } = await app.request('GET', '/metrics');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(body, /^process_resident_memory_bytes \d+/m);
});

test('metrics count requests by route, never by URL, and what waits as it is at the scrape', async () => {
  const before = (await app.request('GET', '/metrics')).body;
  assert.equal(sample(before, 'pitlane_events_waiting'), '0');
  const made = await partner.call('POST', '/bookings', bookingBody(workshopId));
  await partner.call('GET', `/bookings/${made.body.booking.id}?phone=0491570006`);
  await app.request('GET', '/nowhere/0491570006');

  const after = (await app.request('GET', '/metrics')).body;
  assert.equal(sample(after, 'pitlane_events_waiting'), '1');
  assert.ok(Number(sample(after, 'pitlane_oldest_event_seconds')) > 0);
  assert.match(after, /^pitlane_messages_waiting\{channel="sms",route="recorded"\} 0$/m);
  assert.equal(sample(after, 'pitlane_dead_letters'), '0');
  assert.match(
    after,
    /^http_request_duration_seconds_count\{method="GET",route="\/bookings\/:id",status="200"\} 1$/m,
  );
  assert.match(
    after,
    /^http_request_duration_seconds_count\{method="GET",route="unknown",status="404"\} 1$/m,
  );
  for (const telling of ['0491570006', made.body.booking.id]) assert.equal(after.includes(telling), false);

  await app.drain();
  const drained = (await app.request('GET', '/metrics')).body;
  assert.equal(sample(drained, 'pitlane_events_waiting'), '0');
  assert.equal(sample(drained, 'pitlane_oldest_event_seconds'), '0');
});

test('while the database is away: 503 000007 with Retry-After everywhere, alive but not ready, and well again after it', async () => {
  const proxy = await proxyTo(app.databaseUrl);
  const context = { log: createLog('silent') };
  const cutOff = await secondApp(app, { databaseUrl: proxy.url, context });
  const signedIn = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
  const { partnerId, appKey, secret, token, refreshToken } = partner;
  const operations = [
    ['GET', '/workshops', undefined],
    ['POST', '/bookings', bookingBody(workshopId)],
    ['PUT', `/bookings/${workshopId}`, { notes: 'x' }],
    ['GET', `/bookings/${workshopId}`, undefined],
    [
      'POST',
      `/workshops/${workshopId}/messages`,
      { phone: '0491570006', channels: { sms: { message: 'x' } } },
    ],
    ['GET', `/workshops/${workshopId}/templates`, undefined],
    ['POST', '/auth/token', { appKey, secret }],
    ['POST', '/auth/refresh', { token, refreshToken }],
    ['GET', '/health/ready', undefined],
  ] as const;
  // Its token is remembered, so that the operations themselves meet the loss.
  assert.equal((await cutOff.request('GET', '/workshops', { headers: signedIn })).status, 200);

  await proxy.cut();
  for (const [method, path, body] of operations) {
    const headers = path.startsWith('/auth') ? { 'x-partner-id': partnerId } : signedIn;
    const answer = await cutOff.request(method, path, { headers, ...(body && { body }) });
    assert.equal(answer.status, 503, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body.errorCode, '000007');
    assert.equal(answer.body.requestId, answer.headers.get('x-request-id'));
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.doesNotMatch(JSON.stringify(answer.body), /ECONN|postgres|127\.0\.0\.1|SELECT/i);
  }
  assert.equal((await cutOff.request('GET', '/health/live')).status, 200);
  const metrics = await cutOff.request('GET', '/metrics');
  assert.equal(metrics.status, 200);
  assert.match(sample(metrics.body, 'pitlane_events_waiting') ?? '', /^nan$/i);
  assert.ok(Number(sample(metrics.body, 'process_resident_memory_bytes')) > 0);

  await proxy.mend();
  assert.equal((await cutOff.request('GET', '/health/ready')).status, 200);
  assert.equal((await cutOff.request('GET', '/workshops', { headers: signedIn })).status, 200);
});

test('a connection that the database ends under a request gives 503, and requests are served again', async () => {
  const other = await secondApp(app, { context: { log: createLog('silent') } });
  const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
  const ask = () => other.request('GET', '/workshops', { headers });
  assert.equal((await ask()).status, 200);
  const statuses = new Set<number>();
  for (let n = 0; n < 5; n++) {
    const [answer] = await Promise.all([
      ask(),
      app.context.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'second'`,
      ),
    ]);
    statuses.add(answer.status);
    assert.ok([200, 503].includes(answer.status), String(answer.status));
  }
  // The last one may still be ending.
  await until('it is ready', async () => (await ask()).status === 200);
});

test('a database that takes no writes: not ready, and 503 000007 for what would write; reading goes on', async () => {
  const [{ name } = { name: '' }] = await app.context.db.query<{ name: string }>(
    'SELECT current_database() AS name',
  );
  await app.context.db.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  // Connections from now on are as those to a standby.
  const log: string[] = [];
  const standby = await secondApp(app, {
    context: { log: createLog('warn', { write: (line) => log.push(line) }) },
  });
  const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
  const answers = [
    await standby.request('GET', '/health/ready'),
    await standby.request('POST', '/bookings', { headers, body: bookingBody(workshopId) }),
  ];
  for (const { status, body, headers: sent } of answers) {
    assert.equal(status, 503, JSON.stringify(body));
    assert.equal(body.errorCode, '000007');
    assert.match(sent.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  assert.match(answers[0]?.body.message, /writes/);
  assert.match(log.join(''), /not ready: nothing can be written/);
  assert.equal((await standby.request('GET', '/workshops', { headers })).status, 200);
  assert.equal((await standby.request('GET', '/health/live')).status, 200);

  await app.context.db.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
  await app.context.db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'second'`,
  );
  await until(
    'the other one is ready',
    async () => (await standby.request('GET', '/health/ready')).status === 200,
  );
});

test('however often readiness is asked for, the database is asked once a second', async () => {
  const { db } = app.context;
  let writes = 0;
  const counted: Database = {
    ...db,
    query: (text, values) => {
      if (text.includes('write_probe')) writes++;
      return db.query(text, values);
    },
  };
  const asked = await secondApp(app, { context: { db: counted } });
  const answers = await Promise.all(Array.from({ length: 50 }, () => asked.request('GET', '/health/ready')));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.ok(writes >= 1 && writes <= 2, String(writes));
});
