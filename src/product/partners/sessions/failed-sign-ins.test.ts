import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#base/log.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { createPartner } from '#product/partners/create.ts';
import { secondApp } from '../../../../test/fixtures/second-app.ts';
import { type Answer, startTestApp } from '../../../../test/harness/app.ts';
import { cheapHash } from '../../../../test/harness/world.ts';

const app = await startTestApp({ config: { trustProxy: true } });
const { db, clock } = app.context;

interface Credentials {
  partnerId: string;
  appKey: string;
  secret: string;
}

function signIn({ partnerId, ...body }: Credentials, address = '192.0.2.1', to = app): Promise<Answer> {
  return to.request('POST', '/auth/token', {
    headers: { 'x-partner-id': partnerId, 'x-forwarded-for': address },
    body,
  });
}

function newPartner(): Promise<Credentials> {
  return createPartner({ db, clock }, 'Example Fleet', actors.operator, cheapHash);
}

function wrong(credentials: Credentials): Credentials {
  return { ...credentials, secret: 'ptl_secret_wrong' };
}

async function failTimes(times: number, credentials: Credentials): Promise<void> {
  for (let n = 0; n < times; n++) assert.equal((await signIn(wrong(credentials))).status, 401);
}

function countStatuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Moves all attempts into the past by this many seconds. */
async function letPass(seconds: number): Promise<void> {
  await db.query(
    `UPDATE attempt SET attempts = ARRAY(SELECT at - make_interval(secs => $1) FROM unnest(attempts) at)`,
    [seconds],
  );
}

test('after exactly 10 failures a minute: 429 without an errorCode, with Retry-After and RateLimit (specification: Signing in 9)', async () => {
  const partner = await newPartner();
  for (let failures = 1; failures <= 10; failures++) {
    const answer = await signIn(wrong(partner));
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('ratelimit-policy'), '"failed-sign-ins";q=10;w=60');
    assert.match(
      answer.headers.get('ratelimit') ?? '',
      new RegExp(`^"failed-sign-ins";r=${10 - failures};t=\\d+$`),
    );
  }
  const refused = await signIn(wrong(partner));
  assert.equal(refused.status, 429);
  assert.equal('errorCode' in refused.body, false);
  assert.equal(refused.body.success, false);
  const wait = Number(refused.headers.get('retry-after'));
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, `Retry-After: ${wait}`);
  assert.equal(refused.headers.get('ratelimit-policy'), '"failed-sign-ins";q=10;w=60');
  assert.equal(refused.headers.get('ratelimit'), `"failed-sign-ins";r=0;t=${wait}`);
});

test('the right secret is refused too while the source is over the limit, and refused attempts do not prolong this', async () => {
  const partner = await newPartner();
  await failTimes(10, partner);
  for (let n = 0; n < 5; n++) assert.equal((await signIn(partner)).status, 429);
  await letPass(61);
  assert.equal((await signIn(partner)).status, 200);
});

test('the window slides: each failure counts for one minute', async () => {
  const partner = await newPartner();
  await failTimes(5, partner);
  await letPass(40);
  await failTimes(5, partner);
  const refused = await signIn(partner);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) <= 20);
  await letPass(21);
  await failTimes(5, partner);
  assert.equal((await signIn(partner)).status, 429);
});

test('failures are counted by partner and by address', async () => {
  const [one, two] = [await newPartner(), await newPartner()];
  await failTimes(10, one);
  assert.equal((await signIn(one)).status, 429);
  assert.equal((await signIn(one, '192.0.2.2')).status, 200);
  assert.equal((await signIn(two)).status, 200);
});

test('an unknown key counts as a failure too', async () => {
  const partner = await newPartner();
  for (let n = 0; n < 10; n++) assert.equal((await signIn({ ...partner, appKey: 'unknown' })).status, 401);
  assert.equal((await signIn(partner)).status, 429);
});

test('unknown partners count by address only, whatever id they send, and use one row', async () => {
  await db.query('DELETE FROM attempt');
  const random = () => ({ partnerId: newId(), appKey: 'x', secret: 'y' });
  const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(random(), '198.51.100.1')));
  assert.deepEqual(countStatuses(answers), { 401: 10, 429: 30 });
  assert.equal(
    (await signIn({ ...random(), partnerId: '' }, '198.51.100.1')).status,
    429,
    'no header is the same',
  );
  assert.equal((await db.query('SELECT FROM attempt')).length, 1);
  const partner = await newPartner();
  assert.equal((await signIn(partner, '198.51.100.1')).status, 200, 'a partner there signs in');
});

test('IPv6 addresses of one /64 count together', async () => {
  const partner = await newPartner();
  for (let n = 0; n < 10; n++) assert.equal((await signIn(wrong(partner), `2001:db8:0:7::${n}`)).status, 401);
  assert.equal((await signIn(wrong(partner), '2001:db8:0:7:ffff::1')).status, 429);
  assert.equal((await signIn(partner, '2001:db8:0:8::1')).status, 200);
});

test('the limit of one partner is a hundred failures a minute, over all addresses', async () => {
  const [partner, other] = [await newPartner(), await newPartner()];
  assert.equal((await signIn(wrong(partner), '203.0.113.1')).status, 401);
  // The rows of a hundred failures from many networks.
  await db.query(
    `UPDATE attempt SET attempts = ARRAY(SELECT clock_timestamp() FROM generate_series(1, 100))`,
  );
  const refused = await signIn(wrong(partner), '203.0.113.2');
  assert.equal(refused.status, 429);
  const wait = Number(refused.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 60, `Retry-After: ${wait}`);
  assert.equal((await signIn(other, '203.0.113.2')).status, 200);
  await letPass(61);
  assert.equal((await signIn(partner, '203.0.113.2')).status, 200);
});

test('a caller who knows no app key of a partner reaches the limit without blocking the partner’s own sign-ins', async () => {
  const partner = await newPartner();
  const guess = (n: number) => signIn({ ...partner, appKey: 'unknown' }, `203.0.113.${n % 11}`);
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n)));
  assert.deepEqual(countStatuses(answers), { 401: 100 });
  assert.equal((await signIn({ ...partner, appKey: 'another' }, '203.0.113.99')).status, 429);
  assert.equal((await signIn(partner, '203.0.113.99')).status, 200);
});

test('successes and malformed requests never count', async () => {
  const partner = await newPartner();
  for (let n = 0; n < 12; n++) {
    const answer = await signIn(partner);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('ratelimit') ?? '', /;r=10;/);
    assert.equal((await signIn({ ...partner, secret: '' })).status, 400);
  }
  await failTimes(9, partner);
  assert.equal((await signIn(partner)).status, 200);
});

test('30 concurrent right sign-ins all succeed, even after 9 failures', async () => {
  const partner = await newPartner();
  await failTimes(9, partner);
  const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(partner)));
  assert.deepEqual(countStatuses(answers), { 200: 30 });
  assert.equal(new Set(answers.map(({ body }) => body.token)).size, 30);
});

test('of 30 concurrent wrong sign-ins, in two processes, exactly 10 get 401 and the rest 429', async () => {
  // With the usual cost of a hash, so that they overlap as in production.
  const partner = await createPartner({ db, clock }, 'Example Fleet', actors.operator);
  const other = await secondApp(app);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      signIn(wrong(partner), '192.0.2.1', n % 2 ? { ...app, ...other } : app),
    ),
  );
  assert.deepEqual(countStatuses(answers), { 401: 10, 429: 20 });
});

test('an internal error does not count as a failure of the caller', async () => {
  const partner = await newPartner();
  await failTimes(9, partner);
  // Makes every sign-in of this partner fail with an error after its attempt was counted.
  await db.query(`UPDATE app_key SET secret_hash = '$argon2id$v=19$m=1,t=1,p=1$AA$AA' WHERE id = $1`, [
    partner.appKey,
  ]);
  const other = { ...app, ...(await secondApp(app, { context: { log: createLog('silent') } })) };
  const broken = await Promise.all([1, 2, 3].map(() => signIn(partner, '192.0.2.1', other)));
  assert.deepEqual(countStatuses(broken), { 500: 3 });
  assert.match(JSON.stringify(broken[0]?.body), /"errorCode":"000500","message":"Internal error"/);
  assert.equal((await signIn({ ...partner, appKey: 'unknown' })).status, 401);
  assert.equal((await signIn({ ...partner, appKey: 'unknown' })).status, 429);
});
