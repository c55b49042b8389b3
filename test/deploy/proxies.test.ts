/** The samples of a reverse proxy, run by the real programs in front of the API. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as http2 } from 'node:http2';
import { after, describe, test } from 'node:test';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificate } from '../fixtures/certificate.ts';
import { openStream } from '../fixtures/event-stream.ts';
import { baseOf, signedInPerson } from '../fixtures/office.ts';
import { startTestApp } from '../harness/app.ts';
import { send } from '../harness/http.ts';
import { hasIpv6, noProxy, startReverseProxy } from '../harness/reverse-proxy.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../harness/world.ts';

const known = getCACertificates('default');
setDefaultCACertificates([...known, certificate]);
after(() => setDefaultCACertificates(known));

// The tests call from loopback too, so the nearest hop is trusted here, and not its address.
const app = await startTestApp({ config: { trustProxy: 1 } });

for (const name of ['nginx', 'caddy'] as const) {
  if (noProxy[name] !== false) {
    test(name, { skip: noProxy[name] });
    continue;
  }
  const proxy = await startReverseProxy(name, app.url);
  const request: typeof app.request = (method, path, options) => send(`${proxy.url}${path}`, method, options);
  const partner = await signedInPartner({ context: app.context, request });
  const workshopId = await linkedWorkshop(app, [partner]);

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
      if (name === 'nginx') assert.ok(logged.includes(made.headers.get('x-request-id') ?? 'none'), logged);
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

    test('pages and their files come compressed, answers of the API and pages behind a link do not', async () => {
      const get = async (path: string, own = {}) => {
        const answer = await fetch(`${proxy.url}${path}`, { headers: { 'accept-encoding': 'gzip', ...own } });
        return { encoding: answer.headers.get('content-encoding'), text: await answer.text() };
      };
      const page = await get('/book/nobody');
      const [css = ''] = /\/pages\/[\w-]+\/pages\.css/.exec(page.text) ?? [];
      assert.deepEqual([page.encoding, (await get(css)).encoding], ['gzip', 'gzip']);
      for (const path of ['/b/nobody', '/book/nobody/manage']) assert.equal((await get(path)).encoding, null);
      const headers = { 'accept-encoding': 'gzip' };
      const list = await partner.call('GET', '/bookings', undefined, { headers });
      assert.deepEqual([list.status, list.headers.get('content-encoding')], [200, null]);
      // By Pitlane itself, with the better one.
      assert.equal((await get('/openapi.json', { 'accept-encoding': 'gzip, br' })).encoding, 'br');
    });

    test('HTTP/2 is spoken, and IPv6', async () => {
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
      const address = await request('GET', `/gateways/kannel/inbound?text=${'x'.repeat(60_000)}`);
      const picture = await request('POST', '/gateways/twilio/inbound', {
        body: `{"x":"${'x'.repeat(2_000_000)}"}`,
      });
      for (const { status, headers } of [address, picture])
        assert.notEqual(headers.get('x-request-id'), null, `the proxy answered ${status}`);
    });

    test('a body that never ends is given up, and its answer comes', {
      skip: name !== 'caddy' && 'nginx by itself does so after a minute',
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
      assert.equal(answer.headers.get('location'), 'https://127.0.0.1/book/x?k=1');
    });
  });
}
