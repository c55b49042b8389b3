import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { deleteKey } from '#product/partners/keys.ts';
import { setPartnerStatus } from '#product/partners/status.ts';
import { secondApp } from '../../../../test/fixtures/second-app.ts';
import { type Answer, startTestApp } from '../../../../test/harness/app.ts';
import { type SignedInPartner, signedInPartner } from '../../../../test/harness/world.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const nobody = '01900000-0000-7000-8000-00000000dead';

function call(headers: Record<string, string>, path = '/workshops'): Promise<Answer> {
  return app.request('GET', path, { headers });
}

function assertRefused(answer: Answer, errorCode: string): void {
  assert.equal(answer.status, 401, JSON.stringify(answer.body));
  assert.equal(answer.body.errorCode, errorCode);
  assert.equal(answer.body.success, false);
  const error = errorCode === '010000' ? 'invalid_token' : 'invalid_request';
  const challenge = answer.headers.get('www-authenticate') ?? '';
  assert.match(
    challenge,
    new RegExp(`^Bearer realm="pitlane", error="${error}", error_description="[^"\\\\]+"$`),
  );
}

/** Polls until the call is refused; it has 5 seconds (specification: Partners and workshops 5). */
async function refusedWithin5s(request: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = performance.now() + 5_000;
  while (performance.now() < giveUpAt) {
    const answer = await request();
    if (answer.status !== 200) return answer;
    await sleep(100);
  }
  throw new Error('was still accepted after 5 seconds');
}

test('401 010000 for a token that is missing, malformed or unknown (specification: Signing in 8)', async () => {
  const { partnerId, token, refreshToken, secret } = await signedInPartner(app);
  const unknown = `ptl_at_${randomBytes(32).toString('base64url')}`;
  const authorizations = [
    ...['', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer ${token}x`, `Bearer ${token.slice(0, -1)}`],
    ...[
      `Bearer ${token} ${token}`,
      `Bearer "${token}"`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${unknown}`,
    ],
    ...[`Bearer ${secret}`, 'Bearer null', `Bearer ${'x'.repeat(8_000)}`],
    // A refresh token is not an access token.
    `Bearer ${refreshToken}`,
  ];
  for (const authorization of authorizations) {
    assertRefused(await call({ 'x-partner-id': partnerId, authorization }), '010000');
  }
});

test('a 401 without credentials has a challenge without an error (RFC 6750, 3.1) (specification: Signing in 8)', async () => {
  const { partnerId } = await signedInPartner(app);
  for (const headers of [{}, { 'x-partner-id': partnerId }] as Record<string, string>[]) {
    const answer = await call(headers);
    assert.equal(answer.status, 401);
    assert.equal(answer.body.errorCode, '010000');
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="pitlane"');
  }
});

test('401 010000 on every operation, before any other check (specification: Signing in 8)', async () => {
  const { partnerId } = await signedInPartner(app);
  const operations = [
    ['GET', '/workshops?limit=0'],
    ['POST', '/bookings'],
    ['PUT', '/bookings/none'],
    ['GET', '/bookings/none'],
    ['POST', '/workshops/none/messages'],
    ['GET', '/workshops/none/messages/none'],
    ['GET', '/workshops/none/templates'],
  ] as const;
  for (const [method, path] of operations) {
    for (const prefix of ['', '/v1']) {
      const body = method === 'GET' ? {} : { body: 'not JSON' };
      const answer = await app.request(method, `${prefix}${path}`, {
        headers: { 'x-partner-id': partnerId },
        ...body,
      });
      assert.equal(answer.status, 401);
      assert.equal(answer.body.errorCode, '010000');
    }
  }
});

test('the scheme is read in any case and spacing, and so is the partner id', async () => {
  const { partnerId, token } = await signedInPartner(app);
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
    const headers = { authorization: `${scheme} ${token} `, 'x-partner-id': ` ${partnerId.toUpperCase()} ` };
    assert.equal((await call(headers)).status, 200);
  }
});

test('401 010001: X-Partner-ID is missing, invalid or unknown (specification: Signing in 1)', async () => {
  const { token } = await signedInPartner(app);
  const authorization = `Bearer ${token}`;
  const missing = await call({ authorization });
  assertRefused(missing, '010001');
  assert.match(missing.body.message, /^Send your partner id/);
  for (const [id, message] of [
    ['', /^Send your partner id/],
    ['partner-7', /is unknown: it is not a UUID/],
    [nobody, /is unknown: there is no such partner here/],
    [`${nobody}, ${nobody}`, /is unknown: it is not a UUID/],
  ] as const) {
    const refused = await call({ authorization, 'x-partner-id': id });
    assertRefused(refused, '010001');
    assert.match(refused.body.message, message);
  }
});

test("401 010000: another partner's token (specification: Signing in 8)", async () => {
  const [one, two] = [await signedInPartner(app), await signedInPartner(app)];
  assertRefused(
    await call({ authorization: `Bearer ${one.token}`, 'x-partner-id': two.partnerId }),
    '010000',
  );
  assert.equal((await one.call('GET', '/workshops')).status, 200);
});

test('an access token is valid for 48 hours of the business clock, and no longer', async () => {
  const partner = await signedInPartner(app);
  app.advance(48 * 3600 - 30);
  assert.equal((await partner.call('GET', '/workshops')).status, 200);
  app.advance(31);
  assertRefused(await partner.call('GET', '/workshops'), '010000');
});

const revocations: Record<string, (partner: SignedInPartner) => Promise<unknown>> = {
  'the deletion of its key': ({ partnerId, appKey }) =>
    deleteKey({ db, clock }, partnerId, appKey, actors.operator),
  'the suspension of the partner': ({ partnerId }) =>
    setPartnerStatus({ db, clock }, partnerId, 'suspended', actors.operator),
};

for (const [name, revoke] of Object.entries(revocations)) {
  test(`${name} ends a token in every process within 5 seconds`, async () => {
    const partner = await signedInPartner(app);
    const other = await secondApp(app);
    const headers = { authorization: `Bearer ${partner.token}`, 'x-partner-id': partner.partnerId };
    const onOther = () => other.request('GET', '/workshops', { headers });
    assert.equal((await partner.call('GET', '/workshops')).status, 200);
    assert.equal((await onOther()).status, 200);

    await revoke(partner);
    const refused = await Promise.all([
      refusedWithin5s(() => partner.call('GET', '/workshops')),
      refusedWithin5s(onOther),
    ]);
    for (const answer of refused) assertRefused(answer, '010000');
  });
}

test('after a suspension the partner’s token is accepted again', async () => {
  const partner = await signedInPartner(app);
  await setPartnerStatus({ db, clock }, partner.partnerId, 'suspended', actors.operator);
  assertRefused(await partner.call('GET', '/workshops'), '010000');
  await setPartnerStatus({ db, clock }, partner.partnerId, 'active', actors.operator);
  const giveUpAt = performance.now() + 5_000;
  while ((await partner.call('GET', '/workshops')).status !== 200) {
    assert.ok(performance.now() < giveUpAt, 'was still refused after 5 seconds');
    await sleep(100);
  }
});

test('token look-ups are cached for a short time, also those of unknown tokens', async () => {
  let lookUps = 0;
  const counting: Queryable = {
    query: (text, values) => {
      if (text.includes('access_token')) lookUps++;
      return db.query(text, values);
    },
  };
  const counted = await secondApp(app, { context: { db: { ...db, ...counting } } });
  const { partnerId, token } = await signedInPartner(app);
  const ask = (sent: string) =>
    counted.request('GET', '/workshops', {
      headers: { authorization: `Bearer ${sent}`, 'x-partner-id': partnerId },
    });

  const known = await Promise.all(Array.from({ length: 10 }, () => ask(token)));
  assert.ok(known.every(({ status }) => status === 200));
  assert.equal(lookUps, 1);
  const unknown = `ptl_at_${randomBytes(32).toString('base64url')}`;
  const refused = await Promise.all(Array.from({ length: 10 }, () => ask(unknown)));
  assert.ok(refused.every(({ status }) => status === 401));
  assert.equal(lookUps, 2);
  assert.equal((await ask('no-token-at-all')).status, 401);
  assert.equal(lookUps, 2);
});
