/** Calls to URLs that partners choose: receivers that misbehave, and addresses that must not be reached. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { test } from 'node:test';
import { isPublicAddress } from '#values/public-address.ts';
import { certificate, privateKey } from '../../../test/fixtures/certificate.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';
import { createOutboundClient, type OutboundOptions } from './client.ts';
import { anyNetwork, networkOf, publicNetwork } from './public-network.ts';

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' } as const;

function clientOf(options: Partial<OutboundOptions> = {}) {
  const client = createOutboundClient({ network: anyNetwork, ...options });
  atEnd(client.close);
  return client;
}

async function listen(server: Server | ReturnType<typeof createTcp>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const answersOf = (addresses: readonly string[] = []) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const receiver = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(listener))}/hook?x=1`;

test('method, headers and body arrive; the status comes back, and the connection is kept', async () => {
  const client = clientOf();
  const sockets = new Set<unknown>();
  let got = '';
  const url = await receiver((request, response) => {
    sockets.add(request.socket);
    got = `${request.method} ${request.url} ${request.headers['content-type']}`;
    request.resume().on('end', () => response.writeHead(204).end());
  });
  for (let times = 0; times < 3; times++) {
    const { status, error, durationMs } = await client.call(url, { ...post, method: 'PATCH' });
    assert.deepEqual([status, error], [204, null]);
    assert.ok(Number.isInteger(durationMs));
  }
  assert.equal(got, 'PATCH /hook?x=1 application/json');
  assert.ok(sockets.size < 3);
});

test('a redirect is an answer like others: it is not followed', async () => {
  let calls = 0;
  const url = await receiver((_, response) => {
    calls++;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  assert.equal((await clientOf().call(url, post)).status, 307);
  assert.equal(calls, 1);
});

test('of an answer without an end 64 KB are read, and then the connection is closed', async () => {
  let written = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const url = await receiver((_, response) => {
    const chunk = Buffer.alloc(16 * 1024);
    response.on('close', resolve);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on('drain', more);
    more();
  });
  const before = process.memoryUsage().arrayBuffers;
  const { status, error } = await clientOf().call(url, post);
  await closed;
  assert.deepEqual([status, error], [200, null]);
  assert.ok(written < 64 * 1024 * 1024, `${written} bytes were taken`);
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024);
});

for (const [name, listener] of [
  ['never', () => undefined],
  [
    'byte by byte',
    (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
] as const satisfies readonly (readonly [string, RequestListener])[]) {
  test(`a receiver that answers ${name} is cut off in time`, async () => {
    const url = await receiver(listener);
    const { status, error, durationMs } = await clientOf({ withinMs: 300 }).call(url, post);
    assert.deepEqual([status, error], [null, 'no whole response within 0.3 s']);
    assert.ok(durationMs >= 280 && durationMs < 5_000, `${durationMs} ms`);
  });
}

test('headers byte by byte, a closed connection, and what is no HTTP: an error, and no exception', async () => {
  const client = clientOf({ withinMs: 400 });
  const slow = await listen(
    createTcp((socket) => {
      const bytes = [...'HTTP/1.1 200 OK\r\nx: '];
      const timer = setInterval(() => socket.write(bytes.shift() ?? 'y'), 15);
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
    }),
  );
  const closing = await listen(createTcp((socket) => void socket.on('data', () => socket.destroy())));
  const talking = await listen(createTcp((socket) => void socket.end('220 mail.example ESMTP\r\n')));
  const huge = await listen(
    createTcp((socket) => {
      socket.on('error', () => undefined);
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1024 * 1024)}\r\n\r\n`);
    }),
  );
  const errorOf = async (port: number) => (await client.call(`http://127.0.0.1:${port}`, post)).error ?? '';
  assert.equal(await errorOf(slow), 'no whole response within 0.4 s');
  assert.match(await errorOf(closing), /connection was closed/);
  assert.match(await errorOf(talking), /no (?:HTTP )?response|connection was closed/);
  assert.match(await errorOf(huge), /headers/);
  assert.match(await errorOf(1), /no connection \(ECONNREFUSED\)/);
  assert.match(
    (await client.call('http://no-such-host.invalid/', post)).error ?? '',
    /no connection \(E\w+\)|within/,
  );
});

test('only https, without credentials, at public addresses, whatever the spelling', async () => {
  const client = clientOf({ network: publicNetwork });
  const hosts = [
    ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '0.0.0.0', '10.0.0.1', '172.16.0.1'],
    ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a9fe:a9fe]',
      '[::127.0.0.1]',
      '[fe80::1]',
      '[fc00::1]',
    ],
    ...[
      '[fd00:ec2::254]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::1]',
      '[2002:7f00:1::]',
      '[2001::1]',
      '[ff02::1]',
    ],
  ];
  for (const host of hosts) {
    const url = `https://${host}/`;
    assert.equal(client.allows(new URL(url)), false, host);
    assert.match((await client.call(url, post)).error ?? '', /not allowed/, host);
  }
  for (const url of ['http://partner.example/', 'https://user@partner.example/', 'ftp://partner.example/']) {
    assert.equal(client.allows(new URL(url)), false, url);
  }
  for (const url of ['https://partner.example/x?y', 'https://partner.example:8443/', 'https://1.1.1.1/']) {
    assert.equal(client.allows(new URL(url)), true, url);
  }
});

test('a name is judged by the addresses that it resolves to', async () => {
  const addresses: Record<string, string[]> = {
    'private.example': ['10.0.0.1'],
    'mixed.example': ['8.8.8.8', '127.0.0.1'],
    'mapped.example': ['::ffff:127.0.0.1'],
  };
  const network = networkOf(isPublicAddress, {}, (host, _, found) => found(null, answersOf(addresses[host])));
  const client = clientOf({ network });
  for (const host of Object.keys(addresses)) {
    assert.match((await client.call(`https://${host}/`, post)).error ?? '', /address is not allowed/, host);
  }
  const real = clientOf({ network: publicNetwork });
  assert.match((await real.call('https://localhost/', post)).error ?? '', /address is not allowed/);
});

test('the address that was judged is the one that is connected to: a second answer of the name server changes nothing', async () => {
  let calls = 0;
  const port = await listen(
    createHttps({ key: privateKey, cert: certificate }, (_, response) => {
      calls++;
      response.end();
    }),
  );
  let asked = 0;
  const network = networkOf(
    (address) => address === '127.0.0.1',
    { ca: certificate },
    (_, __, found) => found(null, answersOf([asked++ === 0 ? '127.0.0.1' : '127.0.0.2'])),
  );
  const first = clientOf({ network });
  assert.equal((await first.call(`https://localhost:${port}/`, post)).status, 200);
  assert.deepEqual([asked, calls], [1, 1]);
  const second = await clientOf({ network }).call(`https://localhost:${port}/`, post);
  assert.match(second.error ?? '', /address is not allowed/);
  assert.equal(calls, 1);
});

test('the certificate has to be good for the name', async () => {
  const port = await listen(
    createHttps({ key: privateKey, cert: certificate }, (_, response) => void response.end()),
  );
  const loopback = (address: string) => ['127.0.0.1', '::1'].includes(address);
  const strict = clientOf({ network: networkOf(loopback) });
  assert.match((await strict.call(`https://localhost:${port}/`, post)).error ?? '', /no connection \(/);
  const trusting = clientOf({ network: networkOf(loopback, { ca: certificate }) });
  assert.equal((await trusting.call(`https://localhost:${port}/`, post)).status, 200);
});
