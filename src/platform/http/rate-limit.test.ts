import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rateLimitHeaders, tooManyRequests } from './rate-limit.ts';

const limit = { policy: 'messages', quota: 5, windowSeconds: 1 };

test('RateLimit and RateLimit-Policy have the form of the draft, with whole numbers that are not negative', () => {
  assert.deepEqual(rateLimitHeaders(limit, 3, 400), {
    'ratelimit-policy': '"messages";q=5;w=1',
    ratelimit: '"messages";r=3;t=1',
  });
  fc.assert(
    fc.property(
      fc.integer({ min: -50, max: 50 }),
      fc.double({ min: -1e4, max: 1e6, noNaN: true }),
      (left, resetMs) => {
        assert.match(
          rateLimitHeaders(limit, left, resetMs)['ratelimit'] ?? '',
          /^"messages";r=\d+;t=[1-9]\d*$/,
        );
      },
    ),
  );
});

test('429 says to wait long enough: Retry-After is in whole seconds, rounded up, at least 1 (specification: Limits 3)', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e4, max: 1e6, noNaN: true }), (resetMs) => {
      const { errorCode, status, headers } = tooManyRequests(limit, resetMs, 'slower');
      assert.equal(errorCode, null);
      assert.equal(status, 429);
      const retryAfter = Number(headers['retry-after']);
      assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter * 1000 >= resetMs);
      assert.equal(headers['ratelimit'], `"messages";r=0;t=${retryAfter}`);
    }),
  );
});
