/** The cost of failed sign-ins: argon2 shares threads with DNS look-ups, so only a few run at once. */

import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { createPartner } from '../create.ts';

const app = await startTestApp({ config: { trustProxy: true } });
const { db, clock } = app.context;
const partner = await createPartner({ db, clock }, 'Example Fleet', actors.operator);

let [begun, running, mostRunning] = [0, 0, 0];
const hashes = new Set<number>();
createHook({
  init(id, type) {
    if (type !== 'ARGON2REQUEST') return;
    hashes.add(id);
    begun++;
    mostRunning = Math.max(mostRunning, ++running);
  },
  before(id) {
    if (hashes.delete(id)) running--;
  },
}).enable();

/** Makes `count` concurrent failures, each from another network. */
function fail(count: number, appKey: string): Promise<number[]> {
  [begun, mostRunning] = [0, 0];
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const answer = await app.request('POST', '/auth/token', {
        headers: {
          'x-partner-id': partner.partnerId,
          'x-forwarded-for': `2001:db8:${appKey.length}:${n}::1`,
        },
        body: { appKey, secret: 'ptl_secret_wrong' },
      });
      if (answer.status === 503) assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      return answer.status;
    }),
  );
}

test('an unknown app key costs no argon2', async () => {
  assert.deepEqual(new Set(await fail(90, 'ptl_key_unknown')), new Set([401]));
  assert.equal(begun, 0);
});

test('of 128 concurrent wrong secrets two are hashed at a time, some wait, and the others get 503', async () => {
  const answering = fail(128, partner.appKey);
  while (begun === 0) await new Promise((resolve) => setImmediate(resolve));
  // Uses the same threads, once they are busy.
  await stat('.');
  const begunBefore = begun;
  const statuses = await answering;
  assert.equal(mostRunning, 2);
  assert.ok(begunBefore < 10, `${begunBefore} before the other work of the threads`);
  assert.ok(begun >= 34 && begun < 128, `${begun} computed`);
  assert.equal(statuses.filter((status) => status === 401).length, begun);
  assert.equal(statuses.filter((status) => status === 503).length, 128 - begun);

  const { partnerId, appKey, secret } = partner;
  const headers = { 'x-partner-id': partnerId, 'x-forwarded-for': '2001:db8:99:1::1' };
  assert.equal((await app.request('POST', '/auth/token', { headers, body: { appKey, secret } })).status, 200);
});
