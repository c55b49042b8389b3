import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondApp } from '../../../../test/fixtures/second-app.ts';
import { type Answer, startTestApp } from '../../../../test/harness/app.ts';
import { type SignedInPartner, signedInPartner } from '../../../../test/harness/world.ts';
import type { TokenPair } from './tokens.ts';

const app = await startTestApp();
const other = await secondApp(app);

/** Refreshes as worker `n`; odd workers use another process. */
function refresh(
  { partnerId }: SignedInPartner,
  { token, refreshToken }: TokenPair,
  n: number,
): Promise<Answer> {
  return (n % 2 ? other : app).request('POST', '/auth/refresh', {
    headers: { 'x-partner-id': partnerId },
    body: { token, refreshToken },
  });
}

test('always: five concurrent workers with one pair, in two processes: each gets its own new pair, and can refresh it', async () => {
  const partner = await signedInPartner(app);
  let pairs: TokenPair[] = Array.from({ length: 5 }, () => partner);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(pairs.map((pair, n) => refresh(partner, pair, n)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    pairs = answers.map(({ body }) => body);
    assert.equal(new Set(pairs.map(({ token }) => token)).size, 5);
    app.advance(86_400);
  }
});

test('always: five workers that keep the first refresh token can refresh too', async () => {
  const partner = await signedInPartner(app);
  const { refreshToken } = partner;
  let tokens = Array.from({ length: 5 }, () => partner.token);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(tokens.map((token, n) => refresh(partner, { token, refreshToken }, n)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    tokens = answers.map(({ body }) => body.token);
    app.advance(86_400);
  }
});

test('always: of ten concurrent workers six get a pair and four are refused; many retries are not treated as theft, and revoke nothing', async () => {
  const partner = await signedInPartner(app);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => refresh(partner, partner, n)));
  const granted = answers.filter(({ status }) => status === 200);
  assert.equal(granted.length, 6);
  assert.ok(answers.every(({ status, body }) => status === 200 || body.errorCode === '010002'));
  assert.equal((await refresh(partner, granted[0]?.body, 0)).status, 200);
});

test('always: a refresh concurrent with a theft leaves everything revoked', async () => {
  const partner = await signedInPartner(app);
  const first = await refresh(partner, partner, 0);
  app.advance(61);
  const [, honest] = await Promise.all([refresh(partner, partner, 0), refresh(partner, first.body, 1)]);
  const token = honest.status === 200 ? honest.body.token : first.body.token;
  const headers = { authorization: `Bearer ${token}`, 'x-partner-id': partner.partnerId };
  assert.equal((await app.request('GET', '/workshops', { headers })).status, 401);
});
