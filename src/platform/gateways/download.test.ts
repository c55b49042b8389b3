/** Downloads: limits of size and time, and redirects that must not lead into the network that this runs in. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { certificate, privateKey } from '../../../test/fixtures/certificate.ts';
import { atEnd } from '../../../test/harness/clean-up.ts';
import { type DownloadOptions, download } from './download.ts';
import { networkOf } from './outbound/public-network.ts';

const seen: { readonly url: string; readonly authorization: string | undefined }[] = [];
const pages = new Map<string, RequestListener>();
const listener: RequestListener = (request, response) => {
  seen.push({ url: request.url ?? '', authorization: request.headers.authorization });
  const page = pages.get(request.url ?? '');
  if (page === undefined) response.writeHead(404).end();
  else page(request, response);
};
async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
/** The provider's API, and the storage that it redirects to. */
const api = `http://127.0.0.1:${await portOf(createHttp(listener))}`;
const storagePort = await portOf(createHttps({ key: privateKey, cert: certificate }, listener));
const storage = `https://localhost:${storagePort}`;

const toLoopback = networkOf((address) => ['127.0.0.1', '::1'].includes(address), { ca: certificate });
const headers = { authorization: 'Basic c2VjcmV0' };

function get(
  path: string,
  { network = toLoopback, ...options }: Partial<DownloadOptions & { network: typeof toLoopback }> = {},
) {
  seen.length = 0;
  const signal = AbortSignal.timeout(10_000);
  return download(new URL(`${api}${path}`), { headers, limitBytes: 100, signal, ...options }, network);
}
const redirects = (path: string, location: string, status = 307) =>
  pages.set(path, (_, response) => response.writeHead(status, { location }).end('elsewhere'));
const content = (path: string, body: string | Buffer) => pages.set(path, (_, response) => response.end(body));
const notAllowed = { state: 'refused', reason: 'addressNotAllowed', sizeBytes: null };

test('a file of the provider, with the credentials', async () => {
  content('/file', 'bytes');
  assert.deepEqual(await get('/file'), { state: 'fetched', content: Buffer.from('bytes') });
  assert.deepEqual(seen, [{ url: '/file', authorization: headers.authorization }]);
});

test('redirects are followed twice, without the credentials', async () => {
  content('/c', 'bytes');
  redirects('/b', `${storage}/c`, 302);
  redirects('/a', `${storage}/b`);
  assert.deepEqual(await get('/a'), { state: 'fetched', content: Buffer.from('bytes') });
  assert.deepEqual(
    seen.map(({ url, authorization }) => [url, authorization]),
    [
      ['/a', headers.authorization],
      ['/b', undefined],
      ['/c', undefined],
    ],
  );
  redirects('/first', `${storage}/a2`);
  redirects('/a2', '/b');
  assert.deepEqual(await get('/first'), notAllowed);
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/first', '/a2', '/b'],
  );
});

for (const [name, location] of [
  ['http', `http://localhost:${storagePort}/c`],
  ['another protocol', 'file:///etc/passwd'],
  ['credentials of its own', `https://user:password@localhost:${storagePort}/c`],
  ['no address', 'https://'],
] as const) {
  test(`a redirect to ${name} is not followed`, async () => {
    redirects('/bad', location);
    assert.deepEqual(await get('/bad'), notAllowed);
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/bad'],
    );
  });
}

for (const host of [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '2130706433',
  '0x7f.1',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
  '10.0.0.1',
]) {
  test(`as it is set up, a redirect to ${host} is not followed`, async () => {
    redirects('/in', `https://${host}:${storagePort}/c`);
    const options = { headers, limitBytes: 100, signal: AbortSignal.timeout(10_000) };
    seen.length = 0;
    assert.deepEqual(await download(new URL(`${api}/in`), options), notAllowed);
    assert.deepEqual(
      seen.map(({ url }) => url),
      ['/in'],
    );
  });
}

test('an untrusted address obeys the rules of redirects from the first request on, and gets no credentials', async () => {
  content('/c', 'bytes');
  redirects('/d', `${storage}/c`);
  redirects('/in', 'https://10.0.0.1/c');
  const from = (url: string, network?: typeof toLoopback) => {
    seen.length = 0;
    const signal = AbortSignal.timeout(10_000);
    return download(new URL(url), { headers, limitBytes: 100, signal, untrusted: true }, network);
  };
  for (const url of [`${api}/c`, `${storage}/c`, 'https://10.0.0.1/c', `https://[::1]:${storagePort}/c`]) {
    assert.deepEqual([await from(url), seen], [notAllowed, []], url);
  }
  const fetched = { state: 'fetched', content: Buffer.from('bytes') };
  assert.deepEqual(await from(`${storage}/d`, toLoopback), fetched);
  assert.deepEqual(seen, [
    { url: '/d', authorization: undefined },
    { url: '/c', authorization: undefined },
  ]);
  assert.deepEqual(await from(`${storage}/in`, toLoopback), notAllowed);
});

test('no more than the limit is read, whether the size is announced or not', async () => {
  content('/limit', Buffer.alloc(100));
  content('/announced', Buffer.alloc(101));
  pages.set('/endless', (_, response) => {
    const more = () => {
      if (!response.destroyed) response.write(Buffer.alloc(64), () => setImmediate(more));
    };
    more();
  });
  assert.equal((await get('/limit')).state, 'fetched');
  assert.deepEqual(await get('/announced'), { state: 'refused', reason: 'tooLarge', sizeBytes: 101 });
  assert.deepEqual(await get('/endless'), { state: 'refused', reason: 'tooLarge', sizeBytes: null });
});

test('what may work later: another status, no answer, a certificate of somebody else, bytes that come too slowly', async () => {
  redirects('/somebody', `${storage}/c`);
  pages.set('/cut', (_, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half');
    response.destroy();
  });
  pages.set('/slow', (_, response) => void response.writeHead(200).write('x'));
  pages.set('/away', (_, response) => response.writeHead(503).end('later'));
  assert.deepEqual(await get('/nothing'), { state: 'failed', reason: 'status404' });
  assert.deepEqual(await get('/away'), { state: 'failed', reason: 'status503' });
  assert.deepEqual(await get('/cut'), { state: 'failed', reason: 'noAnswer' });
  assert.deepEqual(await get('/somebody', { network: networkOf(() => true) }), {
    state: 'failed',
    reason: 'noAnswer',
  });
  assert.deepEqual(await get('/slow', { signal: AbortSignal.timeout(100) }), {
    state: 'failed',
    reason: 'tooSlow',
  });
  const options = { headers, limitBytes: 100, signal: AbortSignal.timeout(10_000) };
  assert.deepEqual(await download(new URL('http://127.0.0.1:1/'), options), {
    state: 'failed',
    reason: 'noAnswer',
  });
});
