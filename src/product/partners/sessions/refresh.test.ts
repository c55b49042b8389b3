import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { deleteKey } from '#product/partners/keys.ts';
import { setPartnerStatus } from '#product/partners/status.ts';
import { type Answer, startTestApp } from '../../../../test/harness/app.ts';
import { signedInPartner } from '../../../../test/harness/world.ts';
import type { TokenPair } from './tokens.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const day = 86_400;

function refresh(partnerId: string | undefined, pair: unknown, path = '/auth/refresh'): Promise<Answer> {
  const headers = partnerId === undefined ? {} : { 'x-partner-id': partnerId };
  return app.request('POST', path, { headers, body: pair });
}

/** Refreshes and returns the new pair. */
async function refreshed(partnerId: string, { token, refreshToken }: TokenPair): Promise<TokenPair> {
  const answer = await refresh(partnerId, { token, refreshToken });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { token: answer.body.token, refreshToken: answer.body.refreshToken };
}

async function assertRejected(
  partnerId: string | undefined,
  { token, refreshToken }: TokenPair,
): Promise<void> {
  const answer = await refresh(partnerId, { token, refreshToken });
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.equal(answer.body.errorCode, '010002');
  assert.equal(answer.body.success, false);
}

async function statusOf(partnerId: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-partner-id': partnerId };
  return (await app.request('GET', '/workshops', { headers })).status;
}

test('a refresh needs no Authorization and returns { token, refreshToken, expiresIn }, on /v1 as well (specification: Signing in 5)', async () => {
  const { partnerId, token, refreshToken } = await signedInPartner(app);
  for (const path of ['/auth/refresh', '/v1/auth/refresh']) {
    const answer = await refresh(partnerId, { token, refreshToken }, path);
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body).sort(), ['expiresIn', 'refreshToken', 'token']);
    assert.match(answer.body.token, /^ptl_at_[\w-]{43}$/);
    assert.match(answer.body.refreshToken, /^ptl_rt_[\w-]{43}$/);
    assert.notEqual(answer.body.token, token);
    assert.notEqual(answer.body.refreshToken, refreshToken);
    assert.equal(answer.body.expiresIn, 172_800);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(await statusOf(partnerId, answer.body.token), 200);
  }
});

test('the old access token stays valid until its 48 hours are over, the new one for 48 hours from the refresh', async () => {
  const partner = await signedInPartner(app);
  app.advance(40 * 3600);
  const next = await refreshed(partner.partnerId, partner);
  assert.equal(await statusOf(partner.partnerId, partner.token), 200);
  app.advance(8 * 3600 + 1);
  assert.equal(await statusOf(partner.partnerId, partner.token), 401);
  assert.equal(await statusOf(partner.partnerId, next.token), 200);
  app.advance(40 * 3600);
  assert.equal(await statusOf(partner.partnerId, next.token), 401);
});

test('an expired access token can be refreshed', async () => {
  const partner = await signedInPartner(app);
  app.advance(29 * day);
  const next = await refreshed(partner.partnerId, partner);
  assert.equal(await statusOf(partner.partnerId, next.token), 200);
});

test('the first refresh token with the newest access token is accepted for its 30 days: some clients keep it (specification: Signing in 6)', async () => {
  const { partnerId, token, refreshToken } = await signedInPartner(app);
  let newest = token;
  for (let n = 0; n < 14; n++) {
    app.advance(2 * day);
    newest = (await refreshed(partnerId, { token: newest, refreshToken })).token;
  }
  app.advance(2 * day + 1);
  await assertRejected(partnerId, { token: newest, refreshToken });
  assert.equal(await statusOf(partnerId, newest), 401, 'its own 48 hours are over');
});

test('clients that use the new refresh token each time stay signed in', async () => {
  const partner = await signedInPartner(app);
  let pair: TokenPair = partner;
  for (let n = 0; n < 5; n++) {
    app.advance(25 * day);
    pair = await refreshed(partner.partnerId, pair);
  }
  assert.equal(await statusOf(partner.partnerId, pair.token), 200);
});

test('a refresh token expires 30 days after its own issue', async () => {
  const partner = await signedInPartner(app);
  app.advance(30 * day - 30);
  const next = await refreshed(partner.partnerId, partner);
  app.advance(31);
  await assertRejected(partner.partnerId, { token: next.token, refreshToken: partner.refreshToken });
  // This did not count as theft: the sign-in is still valid.
  await refreshed(partner.partnerId, next);
});

test('the same pair within 60 seconds gets another pair, five times at most; then it is refused, and nothing is revoked (specification: Signing in 7)', async () => {
  const partner = await signedInPartner(app);
  const pairs = [await refreshed(partner.partnerId, partner)];
  app.advance(59);
  for (let repeat = 1; repeat <= 5; repeat++) pairs.push(await refreshed(partner.partnerId, partner));
  assert.equal(new Set(pairs.map(({ token }) => token)).size, 6);
  for (let n = 0; n < 3; n++) await assertRejected(partner.partnerId, partner);
  // Many retries are not theft: nothing was revoked.
  for (const { token } of pairs) assert.equal(await statusOf(partner.partnerId, token), 200);
  const [first] = pairs;
  if (first) await refreshed(partner.partnerId, first);
  app.advance(2);
  await assertRejected(partner.partnerId, partner);
  assert.equal(await statusOf(partner.partnerId, partner.token), 401, 'after the 60 seconds it is theft');
});

test('an old pair that is used again after 60 seconds counts as theft: the whole sign-in is revoked at once (specification: Signing in 7)', async () => {
  const partner = await signedInPartner(app);
  const other = await signedInPartner(app);
  const next = await refreshed(partner.partnerId, partner);
  app.advance(61);
  assert.equal(await statusOf(partner.partnerId, next.token), 200);
  await assertRejected(partner.partnerId, partner);

  assert.equal(await statusOf(partner.partnerId, partner.token), 401);
  assert.equal(await statusOf(partner.partnerId, next.token), 401);
  await assertRejected(partner.partnerId, next);
  assert.equal(await statusOf(other.partnerId, other.token), 200);
  const { appKey, secret, partnerId } = partner;
  const again = await app.request('POST', '/auth/token', {
    headers: { 'x-partner-id': partnerId },
    body: { appKey, secret },
  });
  assert.equal(await statusOf(partnerId, again.body.token), 200, 'a new sign-in is not affected');
});

test('two used tokens that were never a pair count as theft too', async () => {
  const partner = await signedInPartner(app);
  const second = await refreshed(partner.partnerId, partner);
  const third = await refreshed(partner.partnerId, second);
  await assertRejected(partner.partnerId, { token: partner.token, refreshToken: second.refreshToken });
  assert.equal(await statusOf(partner.partnerId, third.token), 401);
});

test('two workers that each got their own pair can both refresh, hours later', async () => {
  const partner = await signedInPartner(app);
  let [one, two] = [await refreshed(partner.partnerId, partner), await refreshed(partner.partnerId, partner)];
  for (let n = 0; n < 3; n++) {
    app.advance(day);
    one = await refreshed(partner.partnerId, one);
    two = await refreshed(partner.partnerId, two);
  }
  assert.equal(await statusOf(partner.partnerId, one.token), 200);
  assert.equal(await statusOf(partner.partnerId, two.token), 200);
});

test("400 010002: tokens of two sign-ins, another partner's, swapped, unknown; none of these ends the sign-in (specification: Signing in 5)", async () => {
  const one = await signedInPartner(app);
  const two = await signedInPartner(app);
  const { partnerId, appKey, secret } = one;
  const headers = { 'x-partner-id': partnerId };
  const { body: again } = await app.request('POST', '/auth/token', { headers, body: { appKey, secret } });

  const unknown = randomBytes(32).toString('base64url');
  await assertRejected(partnerId, { token: again.token, refreshToken: one.refreshToken });
  await assertRejected(partnerId, { token: one.token, refreshToken: again.refreshToken });
  await assertRejected(partnerId, two);
  await assertRejected(two.partnerId, one);
  await assertRejected(partnerId, { token: one.refreshToken, refreshToken: one.token });
  await assertRejected(partnerId, { token: one.token, refreshToken: `ptl_rt_${unknown}` });
  await assertRejected(partnerId, { token: `ptl_at_${unknown}`, refreshToken: one.refreshToken });
  await refreshed(partnerId, one);
  await refreshed(two.partnerId, two);
});

test('400 010002: X-Partner-ID is missing, invalid or unknown', async () => {
  const partner = await signedInPartner(app);
  for (const partnerId of [undefined, '', 'partner-7', '01900000-0000-7000-8000-00000000dead']) {
    await assertRejected(partnerId, partner);
  }
});

test('400 010002: a suspended partner, until it is active again; and a deleted key', async () => {
  const partner = await signedInPartner(app);
  await setPartnerStatus({ db, clock }, partner.partnerId, 'suspended', actors.operator);
  await assertRejected(partner.partnerId, partner);
  await setPartnerStatus({ db, clock }, partner.partnerId, 'active', actors.operator);
  const next = await refreshed(partner.partnerId, partner);
  await deleteKey({ db, clock }, partner.partnerId, partner.appKey, actors.operator);
  await assertRejected(partner.partnerId, next);
});

test('400 010002 names token and refreshToken when they are missing, empty or not strings', async () => {
  const { partnerId } = await signedInPartner(app);
  for (const value of [undefined, null, '', 'x'.repeat(256), 7, []]) {
    const answer = await refresh(partnerId, { token: value, refreshToken: value });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.errorCode, '010002');
    const fields = answer.body.errors.map((error: { field: string }) => error.field);
    assert.deepEqual(fields.sort(), ['refreshToken', 'token']);
  }
});

test('400 010002: a body that is empty, invalid JSON or not an object', async () => {
  const { partnerId } = await signedInPartner(app);
  for (const body of ['', ' ', '{', 'token=x', 'null', '[]', '7', '{"token":"x"', '\u0000']) {
    const answer = await refresh(partnerId, body);
    assert.equal(answer.status, 400, body);
    assert.equal(answer.body.errorCode, '010002', body);
    assert.equal(answer.body.success, false);
    assert.equal(answer.body.requestId, answer.headers.get('x-request-id'));
  }
  assert.equal((await refresh(partnerId, undefined)).body.errorCode, '010002');
});
