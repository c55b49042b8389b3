/**
 * The samples of reverse proxies, run by the real programs in front of the API: nginx and Caddy, or those that `npm run proxies` names.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as http2 } from 'node:http2';
import { after, describe, test } from 'node:test';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificate } from '../fixtures/certificate.ts';
import { openStream } from '../fixtures/event-stream.ts';
import { baseOf, browser, signedInPerson } from '../fixtures/office.ts';
import { sendFile } from '../fixtures/sent-files.ts';
import { signInAt, visit } from '../fixtures/visit.ts';
import { startTestApp } from '../harness/app.ts';
import { send } from '../harness/http.ts';
import type { ProxyName } from '../harness/proxy-programs.ts';
import { hasIpv6 } from '../harness/proxy-samples.ts';
import { startReverseProxy, whyNoProxy } from '../harness/reverse-proxy.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';

const known = getCACertificates('default');
setDefaultCACertificates([...known, certificate]);
after(() => setDefaultCACertificates(known));

// The tests call from loopback too, so the nearest hop is trusted here, and not its address.
const app = await startTestApp({ config: { trustProxy: 1 } });

const names = (process.env['PITLANE_TEST_PROXIES'] ?? 'nginx caddy').split(' ') as ProxyName[];
const logsIds = (name: ProxyName) => name !== 'caddy';

for (const name of names) {
  if (whyNoProxy(name) !== false) {
    test(name, { skip: whyNoProxy(name) });
    continue;
  }
  const proxy = await startReverseProxy(name, app.url);
  const request: typeof app.request = (method, path, options) => send(`${proxy.url}${path}`, method, options);
  const partner = await signedInPartner({ context: app.context, request });
  const workshopId = await linkedWorkshop(app, [partner]);
  await app.context.db.query('UPDATE workshop SET plain_page = true WHERE id = $1', [workshopId]);

  describe(name, () => {
    test('a partner signs in, books and reads a report; a page has its links', async () => {
      const made = await partner.call('POST', '/v1/bookings', bookingBody(workshopId));
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.match(made.headers.get('strict-transport-security') ?? '', /^max-age=\d+/);
      const read = await partner.call('GET', `/bookings/${made.body.booking.id}`);
      assert.equal(read.body.booking.code, made.body.booking.code);
      const report = await partner.call('GET', '/reports/partner?from=2030-03-01&to=2030-03-31', undefined, {
        headers: { accept: 'text/csv' },
      });
      assert.match(report.headers.get('content-type') ?? '', /^text\/csv/);
      assert.equal((await request('GET', '/openapi.json')).status, 200);
      const logged = proxy.accessLog();
      assert.doesNotMatch(logged, /bookings|openapi/, 'paths hold codes and secret addresses');
      if (logsIds(name)) assert.ok(logged.includes(made.headers.get('x-request-id') ?? 'none'), logged);
    });

    test('a booking is changed by the ETag that came, also where the proxy compresses answers of the API', async () => {
      const urls = [proxy.url];
      if (name !== 'squid') urls.push((await startReverseProxy(name, app.url, { compressesAll: true })).url);
      for (const url of urls) {
        const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
        const path = `/bookings/${body.booking.id}`;
        const headers = {
          ...{ authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId },
          ...{ 'accept-encoding': 'gzip', 'content-type': 'application/json' },
        };
        const read = await fetch(`${url}${path}`, { headers });
        assert.equal(read.headers.get('content-encoding'), url === proxy.url ? null : 'gzip');
        const etag = read.headers.get('etag') ?? '';
        const change = (ifMatch: string) =>
          fetch(`${url}${path}`, {
            ...{ method: 'PUT', body: '{"notes":"Ring first"}' },
            headers: { ...headers, 'if-match': ifMatch },
          });
        const [changed, lost] = [await change(etag), await change(etag)];
        assert.deepEqual([changed.status, lost.status], [200, 412], etag);
      }
    });

    test('a person signs in by a code, and a file of four megabytes and a half arrives whole', async () => {
      const at = { ...app, url: proxy.url };
      const { email } = await signedInPerson(app, [workshopId]);
      const { at: signedIn } = await signInAt(at, email, '', visit(at));
      const cookie = Object.entries(signedIn.cookies)
        .map((pair) => pair.join('='))
        .join('; ');
      const owner = { ...browser(at, cookie), cookie };
      const base = await baseOf(app, workshopId);
      const rows = Array.from({ length: 40 }, (_, n) => `Pat,04915701${n + 10},${'n'.repeat(115_000)}`);
      const sent = await sendFile(at, { owner, base }, `Name,Mobile,Other\n${rows.join('\n')}\n`);
      assert.equal(sent.status, 303);
      assert.match((await owner.get(sent.to)).text, /New customers<\/dt><dd><bdi>40</);
    });

    test('an event stream of the console is passed on as it comes', async () => {
      const { cookie } = await signedInPerson(app, [workshopId]);
      const path = `${await baseOf(app, workshopId)}/changes`;
      const stream = await openStream(proxy.url, `__Host-${cookie}`, path);
      assert.equal(stream.status, 200);
      await stream.says(/event: ready/);
      const { body } = await partner.call('POST', '/bookings', bookingBody(workshopId));
      await stream.hears('booking', body.booking.id);
      stream.close();
    });

    test('pages and their files come compressed, answers of the API and pages behind a link do not', {
      skip: name === 'squid' && 'it compresses nothing',
    }, async () => {
      const get = async (path: string, own = {}) => {
        const answer = await fetch(`${proxy.url}${path}`, { headers: { 'accept-encoding': 'gzip', ...own } });
        return { encoding: answer.headers.get('content-encoding'), text: await answer.text() };
      };
      const page = await get((await baseOf(app, workshopId)).replace('/console/w/', '/book/'));
      assert.match(page.text, /What can we do for your car/);
      const [css = ''] = /\/pages\/[\w-]+\/pages\.css/.exec(page.text) ?? [];
      assert.deepEqual([page.encoding, (await get(css)).encoding], ['gzip', 'gzip']);
      for (const path of ['/b/nobody', '/book/nobody/manage']) assert.equal((await get(path)).encoding, null);
      const headers = { 'accept-encoding': 'gzip' };
      const list = await partner.call('GET', '/bookings', undefined, { headers });
      assert.deepEqual([list.status, list.headers.get('content-encoding')], [200, null]);
      // By Pitlane itself, with the better one.
      assert.equal((await get('/openapi.json', { 'accept-encoding': 'gzip, br' })).encoding, 'br');
    });

    test('HTTP/2 is spoken, and IPv6', {
      skip: (name === 'squid' || name === 'haproxy') && 'HTTP/1.1 alone',
    }, async () => {
      const { port } = new URL(proxy.url);
      const hosts = name === 'nginx' && hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'];
      for (const host of hosts) {
        const session = http2(`https://${host}:${port}`, { servername: 'localhost' });
        const stream = session.request({ ':path': '/book/nobody', ':authority': `localhost:${port}` });
        const [headers] = await once(stream, 'response');
        assert.deepEqual([headers[':status'], session.alpnProtocol], [404, 'h2'], host);
        assert.notEqual(headers['x-request-id'], undefined);
        session.destroy();
      }
    });

    test('what asks for no token stays inside', async () => {
      const inside = ['/metrics', '/health/live', '/health/ready', '/sandbox', '/sandbox/messages'];
      for (const path of [...inside, '/sandbox/', '/metrics?x=1', '/%73andbox', '//sandbox', '//metrics']) {
        const { status, headers } = await request('GET', path);
        assert.equal(status, 404, path);
        assert.equal(headers.get('x-request-id'), null, `${path} reached Pitlane`);
      }
    });

    test('the address that counts is the one that the proxy saw', async () => {
      const stranger = await signedInPartner(app, `Fleet behind ${name}`);
      const guess = (address: string) =>
        request('POST', '/auth/token', {
          headers: { 'x-partner-id': stranger.partnerId, 'x-forwarded-for': address },
          body: { appKey: stranger.appKey, secret: 'ptl_secret_that_is_wrong' },
        });
      const statuses = [];
      for (let n = 1; n <= 11; n++) statuses.push((await guess(`203.0.113.${n}`)).status);
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
    });

    test('what is too large is refused by Pitlane, and what gateways bring passes', async () => {
      // Many, since a connection that is closed before all has come loses some of the responses.
      for (let n = 0; n < 10; n++) {
        const large = await partner.call('POST', '/bookings', { notes: 'x'.repeat(3_000_000) });
        assert.deepEqual([large.status, large.body?.errorCode], [413, '000005']);
      }
      const textLength = name === 'squid' ? 7_500 : 60_000;
      const address = await request('GET', `/gateways/kannel/inbound?text=${'x'.repeat(textLength)}`);
      const picture = await request('POST', '/gateways/twilio/inbound', {
        body: `{"x":"${'x'.repeat(2_000_000)}"}`,
      });
      for (const { status, headers } of [address, picture])
        assert.notEqual(headers.get('x-request-id'), null, `the proxy answered ${status}`);
    });

    test('a body that never ends is given up, and its answer comes', {
      skip: name !== 'caddy' && 'by itself each does so after half a minute or a whole one',
    }, async () => {
      const { hostname, port } = new URL(proxy.url);
      const socket = connect({ host: hostname, port: Number(port), servername: hostname });
      await once(socket, 'secureConnect');
      // The rest of the body never comes.
      socket.write(
        `POST /gateways/nobody/reports HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(500)}`,
      );
      const [part] = await once(socket.setEncoding('utf8'), 'data');
      socket.destroy();
      assert.match(part, /^HTTP\/1\.1 404 /);
      assert.match(part, /x-request-id: /i);
    });

    test('without TLS people are sent on', {
      skip: proxy.plainUrl === null && 'not in this sample',
    }, async () => {
      const answer = await fetch(`${proxy.plainUrl}/book/x?k=1`, { redirect: 'manual' });
      assert.equal(answer.status, 301);
      assert.match(
        answer.headers.get('location') ?? '',
        name === 'apache2'
          ? /^https:\/\/pitlane\.example\.com\/book\/x\?k=1$/
          : /^https:\/\/127\.0\.0\.1(?::\d+)?\/book\/x\?k=1$/,
      );
    });
  });
}
