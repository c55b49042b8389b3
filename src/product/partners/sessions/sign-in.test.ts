import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { actors } from '#base/values/actor.ts';
import { createKey, deleteKey } from '#product/partners/keys.ts';
import { setPartnerStatus } from '#product/partners/status.ts';
import { secondApp } from '../../../../test/fixtures/second-app.ts';
import { type Answer, startTestApp } from '../../../../test/harness/app.ts';
import { cheapHash, signedInPartner } from '../../../../test/harness/world.ts';
import { createPartner } from '../create.ts';

const app = await startTestApp();
const { db, clock } = app.context;
const nobody = '01900000-0000-7000-8000-00000000dead';

function signIn(partnerId: string | undefined, body: unknown): Promise<Answer> {
  const headers = partnerId === undefined ? {} : { 'x-partner-id': partnerId };
  return app.request('POST', '/auth/token', { headers, body });
}

function assertRefused(answer: Answer, status: number, errorCode: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body.success, false);
  assert.equal(answer.body.errorCode, errorCode);
  assert.equal(answer.body.token, undefined);
  if (status === 401) {
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_(?:token|request)"/);
  }
}

test('a sign-in returns a pair of opaque tokens of 256 bits with a prefix, and 172800 seconds (specification: Signing in 2)', async () => {
  const { partnerId, appKey, secret } = await createPartner(
    { db, clock },
    'Example Fleet',
    actors.operator,
    cheapHash,
  );
  const answer = await signIn(partnerId, { appKey, secret });
  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.body).sort(), ['expiresIn', 'refreshToken', 'token']);
  assert.match(answer.body.token, /^ptl_at_[\w-]{43}$/);
  assert.match(answer.body.refreshToken, /^ptl_rt_[\w-]{43}$/);
  assert.equal(answer.body.expiresIn, 172_800);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
});

test('only the SHA-256 of a token is stored, and the argon2id hash of a secret (specification: Signing in 4)', async () => {
  const { token, refreshToken, appKey, secret } = await signedInPartner(app);
  const dump = await db.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM (SELECT encode(hash, 'escape') AS hash FROM access_token) t
      UNION ALL SELECT encode(hash, 'escape') FROM refresh_token UNION ALL SELECT row_to_json(k)::text FROM app_key k`,
  );
  for (const { row } of dump) {
    for (const kept of [token, refreshToken, secret]) assert.equal(row.includes(kept), false);
  }
  const [key] = await db.query<{ hash: string }>('SELECT secret_hash AS hash FROM app_key WHERE id = $1', [
    appKey,
  ]);
  assert.match(key?.hash ?? '', /^\$argon2id\$/);
  const kept = await db.query(
    `SELECT (SELECT count(*)::int FROM access_token WHERE hash = sha256($1)) AS access,
            (SELECT count(*)::int FROM refresh_token WHERE hash = sha256($2)) AS refresh`,
    [Buffer.from(token), Buffer.from(refreshToken)],
  );
  assert.deepEqual(kept, [{ access: 1, refresh: 1 }]);
});

test('the App Key and the Secret are trimmed, and the partner id may be in upper or lower case', async () => {
  const { partnerId, appKey, secret } = await createPartner(
    { db, clock },
    'Example Fleet',
    actors.operator,
    cheapHash,
  );
  const answer = await signIn(partnerId.toUpperCase(), { appKey: ` ${appKey}\n`, secret: `\t${secret} ` });
  assert.equal(answer.status, 200);
});

test('400 000001 names appKey and secret when they are missing, empty, too long, with NUL or not strings', async () => {
  const { partnerId } = await createPartner({ db, clock }, 'Example Fleet', actors.operator, cheapHash);
  for (const value of [undefined, null, '', '   ', 'x'.repeat(256), 'a\u0000b', 7, true, [], {}]) {
    const answer = await signIn(partnerId, { appKey: value, secret: value });
    assertRefused(answer, 400, '000001');
    assert.deepEqual(answer.body.errors.map((error: { field: string }) => error.field).sort(), [
      'appKey',
      'secret',
    ]);
  }
});

test('401 010003: a wrong secret, an unknown key, and a key of another partner (specification: Signing in 2)', async () => {
  const one = await createPartner({ db, clock }, 'One', actors.operator, cheapHash);
  const two = await createPartner({ db, clock }, 'Two', actors.operator, cheapHash);
  const attempts = [
    { appKey: one.appKey, secret: two.secret },
    { appKey: one.appKey, secret: `${one.secret}x` },
    { appKey: 'ptl_key_unknown', secret: one.secret },
    { appKey: two.appKey, secret: two.secret },
  ];
  const answers = [];
  for (const body of attempts) answers.push(await signIn(one.partnerId, body));
  for (const answer of answers) assertRefused(answer, 401, '010003');
  // The response does not distinguish a wrong secret from an unknown key.
  assert.equal(new Set(answers.map((answer) => answer.body.message)).size, 1);
});

test('401 010001: X-Partner-ID is missing, invalid or unknown', async () => {
  const { appKey, secret } = await createPartner({ db, clock }, 'Example Fleet', actors.operator, cheapHash);
  for (const [partnerId, message] of [
    [undefined, /^Send your partner id/],
    ['', /^Send your partner id/],
    ['partner-7', /is unknown: it is not a UUID/],
    [nobody, /is unknown: there is no such partner here/],
  ] as const) {
    const refused = await signIn(partnerId, { appKey, secret });
    assertRefused(refused, 401, '010001');
    assert.match(refused.body.message, message);
  }
});

test('401 010003: a suspended partner, until it is active again', async () => {
  const { partnerId, appKey, secret } = await createPartner(
    { db, clock },
    'Example Fleet',
    actors.operator,
    cheapHash,
  );
  await setPartnerStatus({ db, clock }, partnerId, 'suspended', actors.operator);
  assertRefused(await signIn(partnerId, { appKey, secret }), 401, '010003');
  await setPartnerStatus({ db, clock }, partnerId, 'active', actors.operator);
  assert.equal((await signIn(partnerId, { appKey, secret })).status, 200);
});

test('401 010003: a deleted key; other keys of the partner still work', async () => {
  const { partnerId, appKey, secret } = await createPartner(
    { db, clock },
    'Example Fleet',
    actors.operator,
    cheapHash,
  );
  const other = await createKey({ db, clock }, partnerId, actors.operator);
  await deleteKey({ db, clock }, partnerId, appKey, actors.operator);
  assertRefused(await signIn(partnerId, { appKey, secret }), 401, '010003');
  const answer = await signIn(partnerId, { appKey: other.appKey, secret: other.secret });
  assert.equal(answer.status, 200);
});

test('the demo partner is refused at sign-in, refresh and every call when the bind address is public, or a real gateway is configured (specification: Sandbox 4)', async () => {
  const demo = await signedInPartner(app, 'Demo');
  await db.query('UPDATE partner SET is_demo = true WHERE id = $1', [demo.partnerId]);
  const { partnerId, appKey, secret, token, refreshToken } = demo;
  const headers = { 'x-partner-id': partnerId };
  const plain = { tls: 'offered', signIn: null, dkim: null } as const;
  const smtp = { host: 'mail.example', port: 25, name: 'pitlane.example', ...plain };
  const [kannel] = readConfig({
    ...{
      PITLANE_SMS_GATEWAYS: 'kannel',
      PITLANE_PUBLIC_URL: 'https://pitlane.example',
      KANNEL_USERNAME: 'u',
    },
    ...{ KANNEL_PASSWORD: 'p', KANNEL_CALLBACK_TOKEN: '0123456789abcdef' },
  }).smsGateways;
  assert.ok(kannel);
  for (const setting of [{ host: '0.0.0.0' }, { smsGateways: [kannel] }, { smtp }]) {
    const open = await secondApp(app, { context: { config: { ...app.context.config, ...setting } } });
    assertRefused(
      await open.request('POST', '/auth/token', { headers, body: { appKey, secret } }),
      401,
      '010003',
    );
    const pair = { token, refreshToken };
    assertRefused(await open.request('POST', '/auth/refresh', { headers, body: pair }), 400, '010002');
    const authorization = `Bearer ${token}`;
    assertRefused(
      await open.request('GET', '/workshops', { headers: { ...headers, authorization } }),
      401,
      '010000',
    );
  }
  assert.equal((await signIn(partnerId, { appKey, secret })).status, 200);
});

test('two sign-ins with one key are independent of each other', async () => {
  const partner = await signedInPartner(app);
  const again = await signIn(partner.partnerId, { appKey: partner.appKey, secret: partner.secret });
  assert.notEqual(again.body.token, partner.token);
  assert.equal((await partner.call('GET', '/workshops')).status, 200);
});
