/** What is left of an address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedRecipient } from './masked-recipient.ts';

test('a few characters of a phone and of an e-mail address are left, and nothing of other texts', () => {
  assert.equal(maskedRecipient('+61491570313'), '+61…313');
  assert.equal(maskedRecipient('kim@mail.example'), 'k…@mail.example');
  for (const other of ['', 'Kim Lee', '12345', '@mail.example']) assert.equal(maskedRecipient(other), '…');
});
