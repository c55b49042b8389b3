/** Answers for passkeys: one that authenticators make, and those that no browser makes, which are refused in words or stored as they may be. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newAuthenticator } from '../../../../test/fixtures/authenticator.ts';
import { fieldsOf, signedInPerson } from '../../../../test/fixtures/office.ts';
import { signInAt, visit } from '../../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
const [path, signIn] = ['/console/me/passkeys', '/console/sign-in/passkey'];
const { at, kim } = await (async () => {
  const person = await signedInPerson(app, [await linkedWorkshop(app, [])]);
  return { kim: person, at: (await signInAt(app, person.email)).at };
})();

const authenticator = newAuthenticator(app);

async function add(rawId: Buffer, transports: unknown) {
  const form = fieldsOf((await at.get(`${path}/new`)).text, path);
  const { challenge } = JSON.parse((await at.post(`${path}/options`)).text);
  return at.post(path, {
    ...form,
    name: 'Key',
    credential: authenticator.create(challenge, rawId, transports),
  });
}
const passkeys = () =>
  db.query<{ transports: string[] }>('SELECT transports FROM passkey WHERE person_id = $1 ORDER BY id', [
    kim.personId,
  ]);

test('a passkey signs in by ES256, as most phones and keys do', async () => {
  const rawId = randomBytes(32);
  assert.equal((await add(rawId, ['internal'])).status, 200);
  const browser = visit(app);
  const { challenge } = JSON.parse((await browser.post(`${signIn}/options`)).text);
  const credential = authenticator.get(challenge, rawId);
  assert.equal((await browser.post(signIn, { credential })).status, 303);
  assert.equal((await browser.get('/console/me')).status, 200);
  const me = (await at.get('/console/me')).text;
  const remove = /action="([^"]+\/passkeys\/[^"]+\/remove)"/.exec(me)?.[1] ?? assert.fail(me);
  assert.equal((await at.post(remove, fieldsOf(me, remove))).location, '/console/me?said=removed');
  const trail = await db.query<{ action: string; after: object }>(
    `SELECT action, after FROM audit_entry WHERE subject_id = $1 AND action LIKE 'person.passkey%' ORDER BY id`,
    [kim.personId],
  );
  const passkeyId = remove.split('/')[4];
  assert.deepEqual(
    trail,
    ['Added', 'Removed'].map((what) => ({ action: `person.passkey${what}`, after: { passkeyId } })),
    'the trail has nothing that its person wrote',
  );
  await db.query('DELETE FROM recovery_code WHERE person_id = $1', [kim.personId]);
});

test('ways to reach an authenticator are taken where they are texts', async () => {
  assert.equal((await add(randomBytes(32), ['usb', ['nfc']])).status, 200);
  assert.deepEqual(await passkeys(), [{ transports: ['usb'] }]);
});

test('an id longer than authenticators make is refused', async () => {
  const before = (await passkeys()).length;
  assert.equal((await add(randomBytes(1_024), [])).status, 422);
  assert.equal((await add(randomBytes(3_000), [])).status, 422);
  assert.equal((await passkeys()).length, before);
});

test('a person has at most ten passkeys (specification: People and their sign-in 9)', async () => {
  while ((await passkeys()).length < 10) assert.ok((await add(randomBytes(32), [])).status < 400);
  assert.equal((await add(randomBytes(32), [])).status, 422);
  assert.equal((await passkeys()).length, 10);
});

test('whatever is sent as an answer to a challenge of the sign-in is refused on its page', async () => {
  for (const credential of [
    '{"id":"\\u0000","response":{}}',
    '{"id":"\\ud800","response":{"userHandle":{}}}',
    `{"id":"${'x'.repeat(20_000)}","response":[]}`,
    '{"id":["x"],"response":{}}',
    '['.repeat(9_000),
    'null',
  ]) {
    const browser = visit(app);
    assert.equal((await browser.post(`${signIn}/options`)).status, 200);
    const refused = await browser.post(signIn, { credential });
    assert.equal(refused.status, 422, credential.slice(0, 40));
    assert.match(refused.text, /The passkey is not known here/);
  }
});
