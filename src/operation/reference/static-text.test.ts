/** What the reference serves: compressed where the client takes that, kept where it may be, and of no demo where there is none. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { demoPartner } from '../demo/data.ts';
import { guidePages } from './guide-pages.ts';
import { scalarPath } from './scalar-script.ts';

const app = await startTestApp();

/** By http.request: fetch decompresses. */
async function raw(path: string, headers: Record<string, string> = {}) {
  const { request } = await import('node:http');
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const call = request(`${app.url}${path}`, { headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      call.on('error', reject).end();
    },
  );
}

describe('compression', () => {
  test('of the document and the script: brotli, else gzip, else none, by Accept-Encoding', async () => {
    for (const [path, smaller] of [
      ['/openapi.json', 7],
      [scalarPath, 3],
    ] as const) {
      const plain = await raw(path);
      assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined]);
      assert.equal(plain.headers['vary'], 'Accept-Encoding');
      for (const [accepted, encoding, unpack] of [
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br;q=0, gzip', 'gzip', gunzipSync],
      ] as const) {
        const packed = await raw(path, { 'accept-encoding': accepted });
        assert.equal(packed.headers['content-encoding'], encoding, accepted);
        assert.ok(packed.body.length * smaller < plain.body.length, `${path} ${packed.body.length}`);
        assert.ok(unpack(packed.body).equals(plain.body));
      }
      assert.equal((await raw(path, { 'accept-encoding': 'zstd' })).headers['content-encoding'], undefined);
    }
  });
});

describe('caching', () => {
  test('the script is kept for a year, the document is asked about again, and neither is sent twice', async () => {
    for (const [path, cacheControl] of [
      [scalarPath, 'public, max-age=31536000, immutable'],
      ['/openapi.json', 'public, no-cache'],
    ] as const) {
      const { headers } = await raw(path);
      assert.equal(headers['cache-control'], cacheControl);
      const etag = String(headers['etag']);
      for (const known of [etag, etag.replace(/"$/, '-gzip"')]) {
        const again = await raw(path, { 'if-none-match': known });
        assert.deepEqual([again.status, again.body.length], [304, 0]);
      }
      assert.equal((await raw(path, { 'if-none-match': 'W/"other"' })).status, 200);
    }
  });
});

test('the demo is named on an installation that may have it, and nowhere else', async () => {
  const open = await secondApp(app, { context: { config: { ...app.context.config, host: '0.0.0.0' } } });
  const named = async (request: typeof app.request) => {
    const pages = await Promise.all(
      ['/openapi.json', '/docs', '/'].map((path) =>
        request('GET', path, { headers: { accept: 'text/html' } }),
      ),
    );
    return pages.map(({ body }) => JSON.stringify(body).includes(demoPartner.appKey));
  };
  // The document's examples alone: there is no demo partner in this database.
  assert.deepEqual(await named(app.request), [true, false, false]);
  assert.deepEqual(await named(open.request), [false, false, false]);
  const { body } = await open.request('GET', '/openapi.json');
  assert.doesNotMatch(JSON.stringify(body), new RegExp(demoPartner.id));
});

test('the index is for browsers; programs get 404 000002 at /, as at any path without an operation', async () => {
  for (const accept of ['*/*', 'application/json', '']) {
    const answer = await app.request('GET', '/', { headers: { accept } });
    assert.deepEqual([answer.status, answer.body.errorCode], [404, '000002'], accept);
  }
  const index = await app.request('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
  assert.equal(index.status, 200);
  for (const [, path = ''] of index.body.matchAll(/<a href="(\/[^"]+)"/g))
    assert.equal((await app.request('GET', path)).status, 200, path);
});

test("the guide's examples go to this installation: where it is asked, or its public address", async () => {
  const bodyOf = async (path: string, headers = {}) =>
    String((await raw(`/docs/guide/${path}`, { accept: 'text/html', ...headers })).body);
  assert.ok((await bodyOf('partner-guide')).includes(`BASE=${app.url}\n`));
  assert.ok((await bodyOf('client')).includes(`npm install ${app.url}/docs/client.tgz`));
  assert.ok(
    (await bodyOf('client', { host: 'pitlane.local:80' })).includes('http://pitlane.local:80/docs/client'),
  );
  assert.doesNotMatch(await bodyOf('partner-guide', { host: '"><img src=x>' }), /<img/);
  const known = await secondApp(app, {
    context: { config: { ...app.context.config, publicUrl: 'https://pitlane.example' } },
  });
  for (const { name } of guidePages) {
    const { body } = await known.request('GET', `/docs/guide/${name}`);
    assert.doesNotMatch(body, /localhost:3000/, name);
  }
  const { body } = await known.request('GET', '/docs/guide/partner-guide');
  assert.ok(body.includes('BASE=https://pitlane.example\n'));
});

test('the guide: each page is there, its links and anchors lead somewhere; an unknown page is 404', async () => {
  const bodies = new Map<string, string>();
  for (const { name } of guidePages) {
    const { status, body } = await app.request('GET', `/docs/guide/${name}`);
    assert.equal(status, 200);
    bodies.set(`/docs/guide/${name}`, body);
  }
  for (const [path, body] of bodies) {
    const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
    assert.ok(
      links.length > 5 &&
        links.every((link) => /^(?:#|\/|https?:|data:,$)/.test(link) && !link.includes('.md')),
      path,
    );
    for (const link of links.filter((each) => each.includes('#'))) {
      const [page, anchor] = link.split('#');
      assert.ok(bodies.get(page || path)?.includes(`id="${anchor}"`), `${path}: ${link}`);
    }
  }
  for (const name of ['operations', '..%2F..%2Fpackage.json', '%00'])
    assert.equal((await app.request('GET', `/docs/guide/${name}`)).status, 404, name);
});
