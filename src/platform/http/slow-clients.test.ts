/** Clients that send or read slowly, or not at all: they hold up themselves, and nobody else. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { openCrowd } from '../../../test/fixtures/sockets.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { until } from '../../../test/harness/wait.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
const unfinished = [
  'POST /auth/token HTTP/1.1',
  'Host: x',
  `X-Partner-ID: ${partner.partnerId}`,
  'Content-Type: application/json',
  'Content-Length: 100',
  '',
  '{',
].join('\r\n');

/** All that a partner does is answered, by the server at `url`. */
async function assertServed(to: Pick<typeof app, 'request'>): Promise<void> {
  const made = await to.request('POST', '/bookings', { headers, body: bookingBody(workshopId) });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal((await to.request('GET', '/workshops', { headers })).status, 200);
  const { partnerId, appKey, secret } = partner;
  const signIn = { headers: { 'x-partner-id': partnerId }, body: { appKey, secret } };
  assert.equal((await to.request('POST', '/auth/token', signIn)).status, 200);
}

test('2,000 requests whose body never arrives delay no other request', async () => {
  const crowd = await openCrowd(app.url, 2_000, unfinished);
  await assertServed(app);
  assert.ok(
    crowd.sockets.every(({ readyState }) => readyState === 'open'),
    'they are still there',
  );
  await crowd.end();
});

test('2,000 clients that never read a document delay no other request', async () => {
  const crowd = await openCrowd(app.url, 2_000, 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
  await assertServed(app);
  await crowd.end();
});

test('408 closes the connection, even when its client leaves it half-open', async () => {
  const impatient = await secondApp(app, {
    limits: { checkEveryMs: 50, headersWithinMs: 200, requestWithinMs: 200, lingerMs: 100 },
  });
  const texts = [unfinished, 'GET / HTTP/1.1\r\nX-Half', ''];
  await Promise.all(texts.map((text) => openCrowd(impatient.url, 20, text, { reads: true })));
  await until('no connection is open', async () => (await impatient.connections()) === 0);
});

test('the connection of a client that reads nothing of its response is closed; that of a slow reader is not', async () => {
  const impatient = await secondApp(app, { limits: { readWithinMs: 1_500 } });
  // More than any kernel keeps for a connection that is not read.
  const requests = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50);
  await openCrowd(impatient.url, 3, requests);
  const slow = connect(Number(new URL(impatient.url).port), '127.0.0.1');
  const last = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  slow.write(requests + last);
  let received = 0;
  let end = '';
  for await (const part of slow) {
    received += part.length;
    end = (end + part).slice(-2_000);
    if (received % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.match(end, /\{"status":"ok"\}$/);
  await until('no connection is open', async () => (await impatient.connections()) === 0);
});

test('over the limit of connections the one that has been idle longest is closed, never one with a request that is worked on', async () => {
  const small = await secondApp(app, { limits: { connectionsAtMost: 20 } });
  const answerNow = Promise.withResolvers<void>();
  const handed = Promise.withResolvers<void>();
  app.sms.next(async (sms) => {
    handed.resolve();
    await answerNow.promise;
    return { state: 'accepted', gatewayId: sms.reference };
  });
  const message = { phone: '0491570006', channels: { sms: { message: 'Ready' } } };
  const working = small.request('POST', `/workshops/${workshopId}/messages`, { headers, body: message });
  await handed.promise;
  const crowd = await openCrowd(small.url, 60, unfinished);
  await assertServed(small);
  assert.ok((await small.connections()) <= 20);
  answerNow.resolve();
  assert.equal((await working).body.success, true);
  await crowd.end();
});
