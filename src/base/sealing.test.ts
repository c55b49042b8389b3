import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSealing } from './sealing.ts';

const [key, newKey] = [randomBytes(32), randomBytes(32)];
const sealing = createSealing([key]);

test('what was sealed opens again, for its own purpose and in its own context only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const sealed = sealing.seal('webhookSecret', text, context);
      assert.match(sealed, /^[\w-]+$/);
      assert.equal(sealing.open('webhookSecret', sealed, context), text);
      assert.equal(sealing.open('bookingLink', sealed, context), null);
      assert.equal(sealing.open('webhookSecret', sealed, `${context}.`), null);
    }),
    { numRuns: 50 },
  );
});

test('a text is never sealed twice alike', () => {
  assert.notEqual(sealing.seal('bookingLink', 'same'), sealing.seal('bookingLink', 'same'));
});

test('one changed byte, a shorter text and other text do not open', () => {
  const sealed = Buffer.from(sealing.seal('bookingLink', 'Kim Lee'), 'base64url');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(sealing.open('bookingLink', changed.toString('base64url')), null, `byte ${at}`);
    assert.equal(sealing.open('bookingLink', sealed.subarray(0, at).toString('base64url')), null);
  }
  for (const text of ['', 'not sealed', '💥', 'A'.repeat(200)])
    assert.equal(sealing.open('bookingLink', text), null);
});

test('after a change of the key, what the former one sealed opens while that is listed, and is to be sealed again', () => {
  const old = sealing.seal('webhookSecret', 'whsec_1');
  const changed = createSealing([newKey, key]);
  assert.equal(changed.open('webhookSecret', old), 'whsec_1');
  assert.equal(changed.isCurrent(old), false);

  const again = changed.seal('webhookSecret', 'whsec_1');
  assert.equal(changed.isCurrent(again), true);
  assert.equal(createSealing([newKey]).open('webhookSecret', again), 'whsec_1');
  assert.equal(createSealing([newKey]).open('webhookSecret', old), null);
});
