/** Headers that come more than once, and one that says that a proxy is not believed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#base/log.ts';
import { rawRequest } from '../../../test/fixtures/raw-http.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);
const body = JSON.stringify(bookingBody(workshopId));
const usual = [
  ['Host', 'x'],
  ['Authorization', `Bearer ${partner.token}`],
  ['X-Partner-ID', partner.partnerId],
  ['Content-Type', 'application/json'],
  ['Idempotency-Key', 'one'],
  ['Pitlane-Strict', 'on'],
] as const;

const book = (more: readonly (readonly [string, string])[], path = '/bookings') => {
  const lines = [
    ...usual,
    ['Connection', 'close'],
    ['Content-Length', `${Buffer.byteLength(body)}`],
    ...more,
  ];
  return rawRequest(
    app.url,
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
};

test('400 000001 for a header of one value that comes twice, with the same value too, and nothing is made', async () => {
  for (const [name, value] of usual) {
    for (const again of [value, 'another', '']) {
      for (const spelt of [name, name.toLowerCase(), name.toUpperCase()]) {
        const answer = await book([[spelt, again]]);
        assert.deepEqual([answer.status, answer.body.errorCode], [400, '000001'], name);
        assert.equal(answer.body.message, `The header ${name} comes more than once`);
      }
    }
  }
  assert.deepEqual((await partner.call('GET', '/bookings')).body.bookings, []);
});

test('headers that are lists, and those that nobody reads, may come twice', async () => {
  const lists = ['Accept', 'Via', 'X-Forwarded-For', 'X-Other-Name', 'If-Match', 'Accept-Language'];
  const answer = await book(lists.flatMap((name) => [[name, '*'] as const, [name, '*'] as const]));
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
});

test('X-Forwarded-For while no proxy is trusted: one warning of the process', async () => {
  for (const [trustProxy, wanted] of [
    [false, 1],
    [1, 0],
    ['loopback', 0],
  ] as const) {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line: string) => void lines.push(line) });
    const second = await secondApp(app, { context: { log, config: { ...app.context.config, trustProxy } } });
    for (let n = 0; n < 3; n++) {
      assert.equal((await second.request('GET', '/health/live')).status, 200);
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      assert.equal((await second.request('GET', '/health/live', { headers })).status, 200);
    }
    assert.equal(lines.filter((line) => line.includes('TRUST_PROXY is off')).length, wanted);
    assert.doesNotMatch(lines.join(''), /203\.0\.113/);
    await second.close();
  }
});
