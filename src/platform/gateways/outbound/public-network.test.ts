/** Calls to URLs that partners choose: hosts that must not be reached, and what the answer tells of them. */
import assert from 'node:assert/strict';
import { createServer as createHttps } from 'node:https';
import { test } from 'node:test';
import { isPublicAddress } from '#base/values/public-address.ts';
import { certificate, privateKey } from '../../../../test/fixtures/certificate.ts';
import { clientOf, listen, post } from '../../../../test/fixtures/outbound.ts';
import { networkOf, publicNetwork } from './public-network.ts';

const answersOf = (addresses: readonly string[] = []) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

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
  const network = networkOf(isPublicAddress, {}, (host, found) => found(null, answersOf(addresses[host])));
  const client = clientOf({ network });
  for (const host of Object.keys(addresses)) {
    assert.match((await client.call(`https://${host}/`, post)).error ?? '', /no public address/, host);
  }
  const real = clientOf({ network: publicNetwork });
  assert.match((await real.call('https://localhost/', post)).error ?? '', /no public address/);
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
    (_, found) => found(null, answersOf([asked++ === 0 ? '127.0.0.1' : '127.0.0.2'])),
  );
  const first = clientOf({ network });
  assert.equal((await first.call(`https://localhost:${port}/`, post)).status, 200);
  assert.deepEqual([asked, calls], [1, 1]);
  const second = await clientOf({ network }).call(`https://localhost:${port}/`, post);
  assert.match(second.error ?? '', /no public address/);
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

test('a name that leads into our own network and one that does not exist are answered alike, and after the same time', async () => {
  const found: Record<string, () => [Error | null, string[]]> = {
    'internal.example': () => [null, ['10.0.0.1']],
    'unknown.example': () => [
      Object.assign(new Error('queryA'), { code: 'ENOTFOUND', syscall: 'queryA' }),
      [],
    ],
    'unanswered.example': () => [
      Object.assign(new Error('queryA'), { code: 'ETIMEOUT', syscall: 'queryA' }),
      [],
    ],
    'slow-unknown.example': () => [
      Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
      [],
    ],
  };
  const network = networkOf(isPublicAddress, {}, (host, tell) => {
    const [error, addresses] = found[host]?.() ?? [null, []];
    const isSlow = host.startsWith('slow');
    setTimeout(
      () => {
        // A busy turn of the event loop: timers that are set in it count from its beginning.
        if (isSlow) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
        tell(error, answersOf(addresses));
      },
      isSlow ? 60 : 0,
    );
  });
  const client = clientOf({ network, nowhereMs: 200 });
  const answers = await Promise.all(
    Object.keys(found).map(async (host) => {
      const begun = performance.now();
      const answer = await client.call(`https://${host}/`, post);
      assert.ok(performance.now() - begun >= 200, host);
      return answer;
    }),
  );
  for (const { durationMs, ...told } of answers) {
    assert.deepEqual(told, { status: null, error: 'no connection: the host has no public address' });
    assert.equal(durationMs % 200, 0, `${durationMs} ms: nothing finer is told`);
  }
});
