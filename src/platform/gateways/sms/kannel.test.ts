import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createHttpPool } from '../http-pool.ts';
import { kannelSms } from './kannel.ts';
import { sendSms } from './send.ts';

const sms = {
  reference: 'R-1',
  messageId: 'm',
  to: '+61491570006',
  from: 'HARBOUR',
  body: 'Hi 100% & €',
  route: null,
};
const password = 'p&ss=%word';

function gatewayAt(port: number) {
  return kannelSms({
    url: `http://127.0.0.1:${port}/cgi-bin/sendsms`,
    username: 'us er',
    password,
    http: createHttpPool(),
    callbackToken: 'a-token-of-16-or-more',
    reportsUrl: 'https://pitlane.example/gateways/kannel/reports',
  });
}

async function portOf(t: TestContext, server: ReturnType<typeof createTcpServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Responds to every request like this. */
async function answering(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
) {
  return gatewayAt(await portOf(t, createServer(answer)));
}

test('the request: credentials, text and alphabet, and a report URL with our reference', async (t) => {
  const seen: URL[] = [];
  const gateway = await answering(t, (request, response) => {
    seen.push(new URL(request.url ?? '', 'http://kannel.example'));
    response.writeHead(202).end('0: Accepted for delivery');
  });
  assert.deepEqual(await sendSms(gateway, sms), { state: 'accepted', gatewayId: 'R-1' });
  await sendSms(gateway, { ...sms, from: null, body: '✓', validForMs: 3_599_000 });
  const [first, second] = seen.map(({ searchParams }) => Object.fromEntries(searchParams));
  assert.deepEqual(first, {
    username: 'us er',
    password,
    to: '+61491570006',
    from: 'HARBOUR',
    text: 'Hi 100% & €',
    charset: 'UTF-8',
    coding: '0',
    validity: '1440',
    'dlr-mask': '27',
    'dlr-url':
      'https://pitlane.example/gateways/kannel/reports?token=a-token-of-16-or-more&reference=R-1&type=%d&detail=%A',
  });
  assert.deepEqual([second?.['coding'], second?.['text'], 'from' in (second ?? {})], ['2', '✓', false]);
  assert.equal(second?.['validity'], '60');
});

test('user guide, dlr-mask: Kannel is asked to report when the carrier has taken the SMS, all parts of it', async (t) => {
  let seen = new URLSearchParams();
  const gateway = await answering(t, (request, response) => {
    seen = new URL(request.url ?? '', 'http://kannel.example').searchParams;
    response.writeHead(202).end('0: Accepted for delivery');
  });
  await sendSms(gateway, { ...sms, body: 'x'.repeat(161) });
  assert.equal(seen.get('dlr-mask'), '27');
  assert.match(seen.get('dlr-url') ?? '', /&reference=R-1&long=1&type=%d&/);
});

for (const [status, body, expected] of [
  [202, '3: Queued for later delivery', { state: 'accepted' }],
  [
    503,
    'Temporal failure, try again later.',
    { permanent: false, reason: 'temporarilyRefused', elsewhere: true },
  ],
  [
    403,
    'Authorization failed for sendsms',
    { permanent: false, reason: 'gatewayUnavailable', elsewhere: true },
  ],
  [403, 'Not routable. Do not try again.', { permanent: true, reason: 'refused', elsewhere: true }],
  [404, 'Not found', { permanent: false, reason: 'gatewayUnavailable', elsewhere: true }],
  [
    400,
    'Missing receiver number, rejected',
    { permanent: true, reason: 'invalidNumber', elsewhere: undefined },
  ],
  [
    400,
    'Sender missing and no global set, rejected',
    { permanent: false, reason: 'gatewayUnavailable', elsewhere: true },
  ],
  [
    400,
    'DLR-URL field misformed, rejected',
    { permanent: false, reason: 'gatewayUnavailable', elsewhere: true },
  ],
  [
    400,
    'Account field misformed or too long, rejected',
    { permanent: false, reason: 'gatewayUnavailable', elsewhere: true },
  ],
  [400, 'Charset or body misformed, rejected', { permanent: true, reason: 'refused', elsewhere: undefined }],
  [200, 'Welcome to the proxy', { state: 'unknown' }],
  [500, 'Sending failed.', { state: 'unknown' }],
  [502, 'Bad gateway', { state: 'unknown' }],
  [503, 'upstream connect error or disconnect/reset before headers', { state: 'unknown' }],
  [302, '', { permanent: false, reason: 'gatewayUnavailable', elsewhere: true }],
  [303, '', { state: 'unknown' }],
] as const) {
  test(`the response ${status} ${body}`, async (t) => {
    const gateway = await answering(t, (_, response) => response.writeHead(status).end(body));
    const outcome: Readonly<Record<string, unknown>> = { ...(await sendSms(gateway, sms)) };
    for (const [name, value] of Object.entries({ state: 'refused', ...expected })) {
      assert.equal(outcome[name], value, name);
    }
  });
}

test('a gateway that can’t be reached has certainly not accepted', async (t) => {
  const server = createTcpServer();
  const port = await portOf(t, server);
  await once(server.close(), 'close');
  const outcome = await sendSms(gatewayAt(port), sms);
  assert.deepEqual(outcome, {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail: 'The gateway can not be reached (ECONNREFUSED).',
    elsewhere: true,
  });
});

test('a connection that ends before or within the response, and an endless response, leave the outcome unknown', async (t) => {
  const dropped = await answering(t, (request) => request.socket.destroy());
  const cut = await answering(t, (request, response) => {
    response.writeHead(202, { 'content-length': '100' }).write('0: Acc');
    setImmediate(() => request.socket.destroy());
  });
  const endless = await answering(t, (_, response) => response.writeHead(202).end('x'.repeat(100_000)));
  for (const gateway of [dropped, cut, endless]) {
    const outcome = await sendSms(gateway, sms);
    assert.equal(outcome.state, 'unknown');
    assert.ok(!JSON.stringify(outcome).includes(password));
  }
});

test('a look-up is always unknown, for good', async () => {
  const answer = await gatewayAt(1).lookUp('R-1', AbortSignal.timeout(1_000));
  assert.deepEqual(answer, { state: 'unknown', permanent: true });
});
