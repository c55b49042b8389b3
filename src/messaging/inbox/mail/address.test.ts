/** Addresses for replies: only ours, for one conversation, for a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEmail } from '#values/email.ts';
import { newId } from '#values/id.ts';
import { testSealing } from '../../../../test/harness/sealing.ts';
import { readReplyAddress, replyAddress } from './address.ts';

const sealing = testSealing();
const now = new Date('2026-11-22T23:59:59.000Z');
const conversationId = newId();
const address = replyAddress(sealing, { conversationId, domain: 'reply.pitlane.example', now });

test('an address is one of RFC 5321, and names its conversation, in either case', () => {
  assert.ok(isEmail(address), address);
  assert.deepEqual(readReplyAddress(sealing, address, now), { conversationId });
  assert.deepEqual(readReplyAddress(sealing, ` ${address.toUpperCase()} `, now), { conversationId });
});

test('it is good for 30 days after its own', () => {
  const at = (time: string) => readReplyAddress(sealing, address, new Date(time));
  assert.deepEqual(at('2026-12-22T23:59:59.999Z'), { conversationId });
  assert.equal(at('2026-12-23T00:00:00.000Z'), 'expired');
});

test('an address of another installation, or with any digit changed, is unknown', () => {
  assert.equal(readReplyAddress(testSealing(), address, now), 'unknown');
  const digits = address.slice('reply+'.length, address.indexOf('@'));
  fc.assert(
    fc.property(fc.nat(digits.length - 1), fc.constantFrom(...'0123456789abcdef'), (at, digit) => {
      fc.pre(digits[at] !== digit);
      const other = address.replace(digits, digits.slice(0, at) + digit + digits.slice(at + 1));
      assert.equal(readReplyAddress(sealing, other, now), 'unknown');
    }),
    { numRuns: 60 },
  );
  for (const other of ['', 'reply@reply.pitlane.example', `reply+${'0'.repeat(56)}@x.example`]) {
    assert.equal(readReplyAddress(sealing, other, now), 'unknown');
  }
});
