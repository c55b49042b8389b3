/** The sandbox serves its own machine only, and in full only when no gateway is real (specification: Sandbox 3). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readSmsConfig } from '#base/config/sms-gateways.ts';
import { newId } from '#base/values/id.ts';
import { rawRequest } from '../../../test/fixtures/raw-http.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../../test/harness/app.ts';

const inbound = JSON.stringify({ from: '0491570006', body: 'STOP' });
const move = JSON.stringify({ advanceSeconds: 60 });
const requests = [
  ['GET', '/sandbox', '', 200],
  ['GET', '/sandbox/requests.html', '', 200],
  ['GET', '/sandbox/messages', '', 200],
  ['GET', '/sandbox/conversation?phone=0491570006', '', 200],
  ['GET', '/sandbox/requests', '', 200],
  ['GET', `/sandbox/messages/${newId()}/preview`, '', 404],
  ['GET', '/sandbox/clock', '', 200],
  ['POST', '/sandbox/clock', move, 200],
  ['POST', '/sandbox/inbound', inbound, 200],
  ['POST', '/sandbox/clock/move', 'amount=1&unit=60', 303],
  ['POST', '/sandbox/answer', `id=${newId()}&body=STOP`, 404],
] as const;
const ofCustomers = requests.slice(-5);
const isPage = (path: string) =>
  /^\/sandbox(?:$|\/requests\.html|\/messages\/|\/clock\/|\/answer)/.test(path);

async function appOf(t: TestContext, options: TestAppOptions = {}): Promise<TestApp> {
  const app = await startTestApp(options);
  t.after(() => app.close());
  return app;
}

async function statuses(app: TestApp, host: string | null, more = ''): Promise<Set<number | string>> {
  const all = new Set<number | string>();
  for (const [method, path, body, usual] of requests) {
    const format = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
    const type = body === '' ? '' : `Content-Type: ${format}\r\nContent-Length: ${body.length}\r\n`;
    const hostLine = host === null ? '' : `Host: ${host}\r\n`;
    const version = host === null ? '1.0' : '1.1';
    const head = `${method} ${path} HTTP/${version}\r\n${hostLine}${more}${type}Connection: close\r\n\r\n`;
    const answer = await rawRequest(app.url, head + body);
    if (answer.status === 403 && !isPage(path)) assert.equal(answer.body.errorCode, '000003');
    all.add(answer.status === usual ? 'usual' : answer.status);
  }
  return all;
}

const untouched = async ({ context }: TestApp) => {
  const [row] = await context.db.query<{ advanced: number; texts: number }>(
    `SELECT (SELECT advance_seconds::int FROM business_clock) AS advanced,
            (SELECT count(*)::int FROM message) + (SELECT count(*)::int FROM unplaced_sms) AS texts`,
  );
  return row?.advanced === 0 && row.texts === 0;
};

const foreign = [
  ...['evil.example', 'evil.example:3000', 'pitlane.example', '10.0.0.5', '169.254.169.254', '0.0.0.0'],
  ...['127.0.0.1.evil.example', 'localhost.evil.example', 'localhost@evil.example', 'evil.example#localhost'],
  ...[
    'localhost/x@evil.example',
    'localhost/',
    'localhost?x',
    'localhost\\@evil.example',
    'evil.example@localhost',
  ],
  ...[
    'localhost:3000@evil.example',
    'localhost:',
    'localhost:x',
    '127.0.0.1/',
    '::1',
    'localhost, evil.example',
  ],
  ...['[::2]:3000', '[::ffff:10.0.0.5]', '1.127.0.0', 'local host', 'localhost.', ''],
];

test('a Host that is not this machine is refused: 403 000003, and changes nothing', async (t) => {
  const app = await appOf(t);
  for (const host of [...foreign, null])
    assert.deepEqual(await statuses(app, host), new Set([403]), `${host}`);
  assert.ok(await untouched(app));
});

test('requests of this machine are served, by each of its names and any port', async (t) => {
  const app = await appOf(t);
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:3000'])
    assert.deepEqual(await statuses(app, host), new Set(['usual']), host);
});

const proxied = [
  'Forwarded: for=203.0.113.7',
  'X-Forwarded-For: 203.0.113.7',
  'x-forwarded-proto: https',
  'X-FORWARDED-HOST: pitlane.example',
  'X-Forwarded-Anything:',
  'X-Real-IP: 203.0.113.7',
  'Via: 1.1 proxy',
  'CF-Connecting-IP: 203.0.113.7',
  'CF-Ray: 1',
  'CDN-Loop: cloudflare',
  'True-Client-IP: 203.0.113.7',
  'X-Client-IP: 203.0.113.7',
  'X-Cluster-Client-IP: 203.0.113.7',
  'X-Original-Forwarded-For: 203.0.113.7',
  'X-Originating-IP: 203.0.113.7',
  'X-Remote-Addr: 203.0.113.7',
  'X-ProxyUser-Ip: 203.0.113.7',
  'X-Envoy-External-Address: 203.0.113.7',
  'X-Amzn-Trace-Id: Root=1',
  'X-Amz-Cf-Id: 1',
  'X-Azure-ClientIP: 203.0.113.7',
  'X-AppEngine-User-IP: 203.0.113.7',
  'X-Nf-Client-Connection-Ip: 203.0.113.7',
  'X-Vercel-Id: 1',
  'Client-IP: 203.0.113.7',
  'Proxy-Client-IP: 203.0.113.7',
  'WL-Proxy-Client-IP: 203.0.113.7',
  'DO-Connecting-IP: 203.0.113.7',
  'Fastly-Client-IP: 203.0.113.7',
  'Fly-Client-IP: 203.0.113.7',
  'Akamai-Origin-Hop: 1',
  'Incap-Client-IP: 203.0.113.7',
  'Ngrok-Trace-Id: 1',
  'Tailscale-User-Login: kim',
];

test('a request through a proxy is refused, whatever its Host: 403 000003, and changes nothing', async (t) => {
  for (const trustProxy of [false, true]) {
    const app = await appOf(t, { config: { trustProxy } });
    for (const header of proxied)
      assert.deepEqual(await statuses(app, 'localhost', `${header}\r\n`), new Set([403]), header);
    assert.ok(await untouched(app));
  }
});

test('a request for a whole address, as of a proxy, is refused', async (t) => {
  const app = await appOf(t);
  const head = 'HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  for (const place of ['evil.example', 'localhost'])
    assert.equal(
      (await rawRequest(app.url, `GET http://${place}/sandbox/messages ${head}`)).status,
      403,
      place,
    );
});

test('headers that programs send themselves are no sign of a proxy', async (t) => {
  const app = await appOf(t);
  for (const header of [
    'User-Agent: zip',
    'X-Requested-With: x',
    'Accept-Encoding: gzip',
    'X-Trip: 1',
    'Address-Book: 1',
  ])
    assert.deepEqual(await statuses(app, 'localhost', `${header}\r\n`), new Set(['usual']), header);
});

test('with PITLANE_SANDBOX=on everyone is served', async (t) => {
  const app = await appOf(t, { config: { sandboxForced: true } });
  for (const host of ['pitlane.example', '10.0.0.5:3000'])
    assert.deepEqual(await statuses(app, host, `${proxied[1]}\r\n`), new Set(['usual']), host);
});

test('with a real gateway answering as a customer and moving the clock are refused, also with PITLANE_SANDBOX=on', async (t) => {
  for (const sandboxForced of [false, true]) {
    const app = await appOf(t, { sandboxAlone: false, config: { sandboxForced } });
    for (const [method, path, body] of ofCustomers) {
      const answer = await app.request(method, path, body === '' ? {} : { body });
      assert.deepEqual([answer.status, answer.body.errorCode], [404, '000002'], `${method} ${path}`);
    }
    assert.ok(await untouched(app));
    const { paths } = (await app.request('GET', '/openapi.json')).body;
    assert.deepEqual(
      Object.keys(paths).filter((path) => path.startsWith('/sandbox')),
      ['/sandbox/messages', '/sandbox/conversation', '/sandbox/requests'],
    );
    const { body: page } = await app.request('GET', '/sandbox');
    assert.match(page, /id="messages"/);
    assert.doesNotMatch(page, /id="clock"|alone/);
    assert.equal((await app.request('GET', '/sandbox/messages')).status, 200);
  }
});

test('with a real SMS gateway nobody reads conversations here: their answers are real customers’', async (t) => {
  const smsGateways = readSmsConfig({
    PITLANE_SMS_GATEWAYS: 'twilio',
    PITLANE_PUBLIC_URL: 'https://pitlane.example',
    TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`,
    TWILIO_AUTH_TOKEN: '0b'.repeat(16),
    TWILIO_FROM: '+61491570006',
  }).smsGateways;
  const app = await appOf(t, { sandboxAlone: false, config: { smsGateways, sandboxForced: true } });
  const { status, body } = await app.request('GET', '/sandbox/conversation?phone=0491570006');
  assert.deepEqual([status, body.errorCode], [404, '000002']);
  assert.equal((await app.request('GET', '/sandbox/messages')).status, 200);
});

test('the page of a sandbox that keeps everything has the clock', async (t) => {
  const { body: page } = await (await appOf(t)).request('GET', '/sandbox');
  assert.match(page, /id="clock"/);
  assert.doesNotMatch(page, /alone/);
});
