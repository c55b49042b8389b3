import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { readConfig } from '#base/config.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock } from '../../../../test/harness/clock.ts';
import { createAuthenticator } from './authenticate.ts';

const partnerId = '01900000-0000-7000-8000-000000000001';

/** An authenticator whose database knows every token; `asked` counts, `fail` makes it unavailable. */
function world() {
  const clock = testClock();
  const state = { asked: 0, fail: false };
  const row = {
    ordinal: 1,
    headerKnown: true,
    partnerId,
    appKey: 'k',
    partnerActive: true,
    isDemo: false,
    revoked: false,
    expiresAt: new Date('2040-01-01T00:00:00Z'),
  };
  const db = {
    query: async () => {
      state.asked++;
      if (state.fail) throw new Error('away');
      return [row];
    },
  } as unknown as Database;
  const { authenticate, forget } = createAuthenticator({ db, clock, config: readConfig({}) });
  const ask = (n: number) => {
    const authorization = `Bearer ptl_at_${String(n).padStart(43, '0')}`;
    return authenticate({
      headers: { authorization, 'x-partner-id': partnerId },
    } as unknown as FastifyRequest);
  };
  return { state, clock, ask, forget };
}

test('a look-up is cached for 2 seconds at most', async () => {
  const { state, clock, ask } = world();
  await ask(1);
  clock.advance({ ms: 1_999 });
  assert.deepEqual(await ask(1), { partnerId, appKey: 'k' });
  assert.equal(state.asked, 1);
  clock.advance({ ms: 1 });
  await ask(1);
  assert.equal(state.asked, 2);
});

test('a revocation by this process clears the cache at once', async () => {
  const { state, ask, forget } = world();
  await ask(1);
  forget();
  await ask(1);
  assert.equal(state.asked, 2);
});

test('at most 10,000 look-ups are cached, the latest', async () => {
  const { state, ask } = world();
  for (let n = 0; n <= 10_000; n++) await ask(n);
  assert.equal(state.asked, 10_001);
  await ask(10_000);
  await ask(1);
  assert.equal(state.asked, 10_001);
  await ask(0);
  assert.equal(state.asked, 10_002);
});

test('a failed look-up is not cached', async () => {
  const { state, ask } = world();
  state.fail = true;
  await assert.rejects(ask(1), /away/);
  state.fail = false;
  assert.deepEqual(await ask(1), { partnerId, appKey: 'k' });
});
