/** What stands around passkeys; what is in their answers is tried in a browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import {
  insertPasskey,
  listPasskeys,
  passkeysAtMost,
  usePasskey,
} from '#product/people/factors/passkeys/store.ts';
import { purgeSignIns } from '#product/people/sessions/purge.ts';
import { signedInPerson } from '../../../test/fixtures/office.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { signInAt, visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
const path = '/console/sign-in/passkey';
const challenges = async () => (await db.query('SELECT FROM passkey_challenge')).length;

test('a browser is asked for a passkey that it knows itself, with a finger or PIN: the same for everybody', async () => {
  const options = JSON.parse((await visit(app).post(`${path}/options`)).text);
  assert.deepEqual(
    [options.rpId, options.userVerification, options.allowCredentials ?? []],
    ['localhost', 'required', []],
  );
  assert.ok(Buffer.from(options.challenge, 'base64url').length >= 32);
  const kim = await signedInPerson(app, [await linkedWorkshop(app, [])]);
  const { at } = await signInAt(app, kim.email);
  const made = JSON.parse((await at.post('/console/me/passkeys/options')).text);
  assert.deepEqual(made.authenticatorSelection.userVerification, 'required');
  assert.deepEqual(made.authenticatorSelection.residentKey, 'required');
  assert.equal(made.rp.id, 'localhost');
});

test('with an address of its own they are of its host, and nothing is asked over plain http from elsewhere (specification: People and their sign-in 9)', async () => {
  const config = { publicUrl: 'https://office.example:8443' };
  const named = await startTestApp({ config });
  const at = visit(named, { origin: 'https://office.example:8443' });
  assert.equal(JSON.parse((await at.post(`${path}/options`)).text).rpId, 'office.example');
  assert.match((await at.get('/console/sign-in')).text, /data-origin="https:\/\/office\.example:8443"/);
  await named.close();
  const proxied = visit(app, { 'x-forwarded-for': '203.0.113.9' });
  assert.equal((await proxied.post(`${path}/options`)).status, 403);
  assert.equal((await proxied.post(path, { credential: '{}' })).status, 422);
  assert.doesNotMatch((await proxied.get('/console/sign-in')).text, /data-passkey/);
  assert.equal((await visit(app, { 'sec-fetch-site': 'cross-site' }).post(`${path}/options`)).status, 403);
});

test('what an authenticator counts to is good once, however many processes ask at once', async () => {
  const { personId } = await signedInPerson(app, []);
  const id = newId();
  const passkey = { id, personId, credentialId: id, publicKey: Buffer.of(0), counter: 0, transports: [] };
  await insertPasskey(db, { ...passkey, host: 'localhost', name: 'Laptop', vouchedBy: null });
  const raced = await Promise.all(
    Array.from({ length: 8 }, () => db.transaction((tx) => usePasskey(tx, id, 7))),
  );
  assert.equal(raced.filter(Boolean).length, 1);
  for (let n = 0; n < passkeysAtMost + 2; n++)
    await insertPasskey(db, {
      ...{ ...passkey, id: newId(), credentialId: newId(), host: 'localhost' },
      ...{ name: 'Key', vouchedBy: null },
    });
  assert.equal((await listPasskeys(db, personId)).length, passkeysAtMost);
  const rows = await db.query('SELECT FROM passkey WHERE person_id = $1', [personId]);
  assert.equal(rows.length, passkeysAtMost);
});

test('one challenge a browser, 60 in 15 minutes of a network over all processes, five minutes each', async () => {
  await db.query('DELETE FROM passkey_challenge');
  await db.query('DELETE FROM attempt');
  const second = await secondApp(app);
  const one = visit(app);
  const before = await challenges();
  for (let n = 0; n < 4; n++) await one.post(`${path}/options`);
  assert.equal((await challenges()) - before, 1);
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const at = visit(n % 2 ? app : { ...app, url: second.url });
      return (await at.post(`${path}/options`)).status;
    }),
  );
  assert.deepEqual(statuses.filter((status) => status === 200).length, 56);
  assert.deepEqual(statuses.filter((status) => status === 429).length, 4);
  const failed = await one.post(path, { credential: '{"id":"x","response":{}}' });
  assert.equal(failed.status, 422);
  const trail = await db.query(
    `SELECT FROM audit_entry WHERE action = 'person.signInFailed' AND subject_id IS NULL`,
  );
  assert.equal(trail.length, 1);
  await one.post(path, { credential: '{"id":"x","response":{}}' });
  const again = await db.query(
    `SELECT FROM audit_entry WHERE action = 'person.signInFailed' AND subject_id IS NULL`,
  );
  assert.equal(again.length, 1, 'without a challenge nothing was tried');
  await db.query('UPDATE passkey_challenge SET expires_at = clock_timestamp()');
  await purgeSignIns(db);
  assert.equal(await challenges(), 0);
});
