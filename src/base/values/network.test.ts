import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { networkOf } from './network.ts';

test('IPv6 by its first 64 bits, however it is written', () => {
  const written = [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002::',
    '2001:db8:1:2::1%eth0',
  ];
  for (const address of written) assert.equal(networkOf(address), '2001:db8:1:2::/64');
  assert.equal(networkOf('2001:db8:1:3::1'), '2001:db8:1:3::/64');
  assert.equal(networkOf('::1'), '0:0:0:0::/64');
  assert.equal(networkOf('fe80::1'), 'fe80:0:0:0::/64');
  assert.equal(networkOf('64:ff9b::192.0.2.1'), '64:ff9b:0:0::/64');
});

test('IPv4 as it is, also where it comes as IPv6', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::FFFF:c000:0201'), '192.0.2.1');
});

test('any address: the second half makes no difference, the first does', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'));
  const first = half.filter((text) => !text.startsWith('0:'));
  fc.assert(
    fc.property(first, half, half, (start, one, two) => {
      assert.equal(networkOf(`${start}:${one}`), networkOf(`${start}:${two}`));
      assert.equal(networkOf(`${start}:${one}`), `${start}::/64`);
    }),
  );
});

test('a text that is not an address stays as it is', () => {
  for (const text of ['', 'unix:', 'x']) assert.equal(networkOf(text), text);
});
