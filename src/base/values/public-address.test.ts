/** Which addresses are public. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './public-address.ts';

for (const address of ['8.8.8.8', '52.95.110.1', '2606:4700::1111', '::ffff:8.8.8.8']) {
  test(`${address} is public`, () => assert.ok(isPublicAddress(address)));
}

for (const address of [
  ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.2.1'],
  ...['::1', '::', 'fe80::1', 'fd00::1', 'ff02::1', '2001:db8::1'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '', 'localhost'],
  ...['::127.0.0.1', '64:ff9b:1::7f00:1', '100::1', '5f00::1', '2001::1', '3fff::1'],
]) {
  test(`${address || 'no text'} is not public`, () => assert.ok(!isPublicAddress(address)));
}
