import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newBookingCode } from './code.ts';

test("codes are eight characters of Crockford's base32, and use all of them (specification: Bookings 3)", () => {
  const codes = Array.from({ length: 2000 }, newBookingCode);
  for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
  assert.equal(new Set(codes).size, codes.length);
  assert.equal(new Set(codes.join('')).size, 32);
});
