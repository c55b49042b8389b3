import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purgeAttempts } from '#platform/attempts/store.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { signedInPartner } from '../../../../test/harness/world.ts';
import { purgeTokens } from './store.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const day = 86_400;

async function count(table: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
  return row?.n ?? 0;
}

test('purging deletes tokens and sign-ins that can’t be used any more, and no others', async () => {
  const gone = await signedInPartner(app, 'Gone');
  const kept = await signedInPartner(app, 'Kept');
  const refresh = (pair: { token: string; refreshToken: string }) =>
    app.request('POST', '/auth/refresh', {
      headers: { 'x-partner-id': kept.partnerId },
      body: { token: pair.token, refreshToken: pair.refreshToken },
    });
  await purgeTokens(db, clock.now());
  assert.equal(await count('sign_in'), 2);

  app.advance(20 * day);
  const { body: second } = await refresh(kept);
  app.advance(11 * day);
  await purgeTokens(db, clock.now());
  assert.equal(await count('sign_in'), 1, 'the sign-in of Gone has no valid refresh token');
  assert.equal(await count('refresh_token'), 1);
  assert.equal(await count('token_exchange'), 0);

  const { status, body: third } = await refresh(second);
  assert.equal(status, 200);
  app.advance(20 * day);
  await purgeTokens(db, clock.now());
  assert.equal(await count('access_token'), 2, 'only the first expired more than 30 days ago');
  assert.equal((await refresh(third)).status, 200);
  const headers = { authorization: `Bearer ${gone.token}`, 'x-partner-id': gone.partnerId };
  assert.equal((await app.request('GET', '/workshops', { headers })).status, 401);
});

test('purging deletes only sign-in attempts older than a minute', async () => {
  const partner = await signedInPartner(app);
  const headers = { 'x-partner-id': partner.partnerId };
  const fail = () => app.request('POST', '/auth/token', { headers, body: { appKey: 'x', secret: 'y' } });
  assert.equal((await fail()).status, 401);
  await purgeAttempts(db);
  assert.equal(await count('attempt'), 2, 'of the network and of the partner; those of successes are gone');
  await db.query(`UPDATE attempt SET expires_at = expires_at - interval '61 seconds'`);
  await purgeAttempts(db);
  assert.equal(await count('attempt'), 0);
});
