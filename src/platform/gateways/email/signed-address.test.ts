/** Addresses of ours: only we make them, each for one thing and for a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEmail } from '#base/values/email.ts';
import { newId } from '#base/values/id.ts';
import { testSealing } from '../../../../test/harness/sealing.ts';
import { readSignedAddress, signedAddress } from './signed-address.ts';

const sealing = testSealing();
const now = new Date('2026-11-22T23:59:59.000Z');

for (const use of ['reply', 'bounce'] as const) {
  const id = newId();
  const address = signedAddress(sealing, { use, id, domain: 'reply.pitlane.example', now });

  test(`${use}: an address is one of RFC 5321, and says what it is for, in either case`, () => {
    assert.ok(isEmail(address), address);
    const expected = { use, id, isExpired: false };
    assert.deepEqual(readSignedAddress(sealing, address, now), expected);
    assert.deepEqual(readSignedAddress(sealing, ` ${address.toUpperCase()} `, now), expected);
  });

  test(`${use}: it is good for 30 days after its own`, () => {
    const at = (time: string) => readSignedAddress(sealing, address, new Date(time))?.isExpired;
    assert.equal(at('2026-12-22T23:59:59.999Z'), false);
    assert.equal(at('2026-12-23T00:00:00.000Z'), true);
  });

  test(`${use}: one of another installation, of the other use, or with any digit changed, is refused`, () => {
    assert.equal(readSignedAddress(testSealing(), address, now), null);
    const [digits = ''] = address.slice(use.length + 1).split('@');
    const other = use === 'reply' ? 'bounce' : 'reply';
    assert.equal(readSignedAddress(sealing, `${other}+${digits}@x.example`, now), null);
    fc.assert(
      fc.property(fc.nat(digits.length - 1), fc.constantFrom(...'0123456789abcdef'), (at, digit) => {
        fc.pre(digits[at] !== digit);
        const changed = address.replace(digits, digits.slice(0, at) + digit + digits.slice(at + 1));
        assert.equal(readSignedAddress(sealing, changed, now), null);
      }),
      { numRuns: 60 },
    );
    for (const none of ['', `${use}@reply.pitlane.example`, `${use}+${'0'.repeat(56)}@x.example`]) {
      assert.equal(readSignedAddress(sealing, none, now), null);
    }
  });
}
