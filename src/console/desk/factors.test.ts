/** A shared desk, second factors, and codes that an owner has printed, where they meet. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { addPerson } from '#product/people/add.ts';
import { printMembersCode } from '#product/people/codes/print.ts';
import { insertPasskey } from '#product/people/factors/passkeys/store.ts';
import { offerSeed, setUpTotp } from '#product/people/factors/totp/set-up.ts';
import { endVouched } from '#product/people/sessions/store.ts';
import { lockPerson } from '#product/people/store.ts';
import { newAuthenticator } from '../../../test/fixtures/authenticator.ts';
import { untilBlocked } from '../../../test/fixtures/booking-api.ts';
import { desksOf, pinOf } from '../../../test/fixtures/desk.ts';
import { halfSignIn, setUpApp, shownBy } from '../../../test/fixtures/factors.ts';
import { fieldsOf, type Person, signedInPerson } from '../../../test/fixtures/office.ts';
import { signInAt, visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { context } = app;
const { db } = context;
const workshopId = await linkedWorkshop(app, []);
const { atDesk, formOf, nameShown, isOut } = desksOf(app, workshopId);
const owner = await signedInPerson(app, [workshopId]);

/** A browser of the owner's, in which they have signed in as somebody else by a code that they printed. */
async function ownerAs({ personId, email }: Person) {
  const which = { workshopId, personId };
  const { code } = await printMembersCode(context, actors.person(owner.personId, 'r-1'), which);
  const at = visit(app);
  assert.equal((await at.post('/console/sign-in', { email, code })).status, 303);
  return at;
}
const placeElsewhere = async ({ email }: Person) =>
  addPerson(context, actors.operator, {
    email,
    place: { workshopId: await linkedWorkshop(app, []), role: 'owner' },
  });

test('a PIN that an owner may have set goes with a place elsewhere, and so does what it has brought back (specification: People and their sign-in 14)', async () => {
  const [put, brought] = [visit(app), visit(app)];
  const kim = await atDesk(put, pinOf(1));
  await signInAt(app, kim.email, '', brought);
  for (const [n, each] of [put, brought].entries()) await atDesk(each, pinOf(n + 2));
  const asKim = await ownerAs(kim);
  const set = await asKim.submit('/console/me', '/console/me/pin', { pin: pinOf(9) });
  assert.equal(set.location, '/console/me?said=pinSet');
  const form = await formOf(put, kim);
  assert.equal((await brought.post(await formOf(brought, kim), { pin: pinOf(9) })).status, 303);
  const token = brought.cookies['pitlane'];
  assert.equal(await nameShown(brought), kim.name);
  await placeElsewhere(kim);
  assert.ok(await isOut(token));
  assert.equal((await put.post(form, { pin: pinOf(9) })).status, 422);
  assert.deepEqual(await db.query('SELECT FROM person_pin WHERE person_id = $1', [kim.personId]), []);
});

test('a PIN of one’s own holds on with a place elsewhere', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  await atDesk(at, pinOf(2));
  await placeElsewhere(kim);
  assert.equal((await at.post(await formOf(at, kim), { pin: pinOf(1) })).status, 303);
  assert.equal(await nameShown(at), kim.name);
});

test('recovery codes that an owner may know go with a place elsewhere, though a passkey of one’s own stays (specification: People and their sign-in 14)', async () => {
  const kim = await signedInPerson(app, [workshopId], 'adviser');
  const { recoveryCodes } = await setUpApp(app, await ownerAs(kim));
  assert.equal(recoveryCodes.length, 10);
  const { personId } = kim;
  await insertPasskey(db, {
    ...{ id: newId(), personId, credentialId: newId(), publicKey: Buffer.of(0), counter: 0, transports: [] },
    ...{ host: 'localhost', name: 'Laptop', vouchedBy: null },
  });
  await placeElsewhere(kim);
  assert.deepEqual(await db.query('SELECT FROM recovery_code WHERE person_id = $1', [personId]), []);
  assert.equal((await db.query('SELECT FROM passkey WHERE person_id = $1', [personId])).length, 1);
});

test('a second factor that is typed while an owner’s codes end waits for that, and signs nobody in', async () => {
  const kim = await signedInPerson(app, [workshopId], 'adviser');
  const { personId, email } = kim;
  const { seed } = await setUpApp(app, (await signInAt(app, email)).at);
  app.pass(60);
  const which = { workshopId, personId };
  const { code } = await printMembersCode(context, actors.person(owner.personId, 'r-1'), which);
  const at = visit(app);
  assert.equal((await at.post('/console/sign-in', { email, code })).location, '/console/sign-in/second');
  const typed = await db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    const answer = at.post('/console/sign-in/second', { code: shownBy(app, seed) });
    await Promise.race([untilBlocked(app, 1), answer]);
    await endVouched(tx, personId, null);
    return { answer };
  });
  assert.equal((await typed.answer).location, '/console/sign-in');
  assert.equal((await at.get('/console/me')).status, 303);
});

/** A browser at which eight people are signed in. */
async function fullDesk() {
  const at = visit(app);
  const first = await atDesk(at, pinOf(0));
  for (let n = 0; n < 7; n++) {
    const { personId } = await signedInPerson(app, [workshopId]);
    await db.query(`INSERT INTO person_pin (person_id, sealed, set_at) VALUES ($1, 'x', now())`, [personId]);
    await db.query(
      `UPDATE session SET put_aside_at = now(), browser_sha256 =
          (SELECT browser_sha256 FROM session WHERE person_id = $2 AND browser_sha256 IS NOT NULL)
        WHERE person_id = $1`,
      [personId, first.personId],
    );
  }
  return at;
}

test('a ninth person is refused beside what they have typed, also by an app and by a passkey; both hold on (specification: People and their sign-in 15)', async () => {
  const ninth = await signedInPerson(app, [workshopId], 'adviser');
  const { at: home } = await signInAt(app, ninth.email);
  const { seed } = await setUpApp(app, home);
  const [authenticator, rawId] = [newAuthenticator(app), randomBytes(32)];
  const path = '/console/me/passkeys';
  const form = fieldsOf((await home.get(`${path}/new`)).text, path);
  const { challenge } = JSON.parse((await home.post(`${path}/options`)).text);
  const credential = authenticator.create(challenge, rawId);
  assert.equal((await home.post(path, { ...form, name: 'Key', credential })).status, 303);

  const at = await fullDesk();
  const full = /8 people are signed in at this browser already: one of them signs out first/;
  await halfSignIn(app, ninth.email, '', at);
  app.pass(60);
  const code = shownBy(app, seed);
  const byApp = await at.post('/console/sign-in/second', { code });
  assert.equal(byApp.status, 422);
  assert.match(byApp.text, full);
  assert.match(byApp.text, /<label for="code">Authenticator code/);
  const byPasskey = async () => {
    const asked = JSON.parse((await at.post('/console/sign-in/passkey/options')).text);
    return at.post('/console/sign-in/passkey', { credential: authenticator.get(asked.challenge, rawId) });
  };
  const refused = await byPasskey();
  assert.equal(refused.status, 422);
  assert.match(refused.text, full);
  await at.post('/console/sign-out');
  await halfSignIn(app, ninth.email, '', at);
  assert.equal((await at.post('/console/sign-in/second', { code })).status, 303);
  assert.equal((await byPasskey()).status, 303);
  assert.equal(await nameShown(at), ninth.name);
});

test('a factor is set up in a session that is in use: not in one that was put aside meanwhile', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  await atDesk(at, pinOf(2));
  const { personId, email } = kim;
  const [row] = await db.query<{ id: string }>(
    'SELECT id FROM session WHERE person_id = $1 AND put_aside_at IS NOT NULL',
    [personId],
  );
  const holder = { personId, email, sessionId: row?.id ?? '', vouchedBy: null };
  const { seed, offered } = await offerSeed(context.sealing, holder);
  const typed = { offered, code: shownBy(app, seed) };
  await assert.rejects(
    setUpTotp(context, actors.person(personId, 'r-1'), holder, typed),
    /this session has ended meanwhile/,
  );
  assert.deepEqual(await db.query('SELECT FROM totp WHERE person_id = $1', [personId]), []);
});

test('whoever lacks a required factor comes back by PIN to its set-up alone, and signs in before it', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  await atDesk(at, pinOf(2));
  const form = await formOf(at, kim);
  const required = (is: boolean) =>
    db.query('UPDATE workshop SET second_factor_required = $2 WHERE id = $1', [workshopId, is]);
  await required(true);
  try {
    assert.equal((await at.post(form, { pin: pinOf(1) })).status, 303);
    for (const page of ['/console', '/console/me', '/console/switch'])
      assert.equal((await at.get(page)).location, '/console/me/second-factor', page);
    assert.match((await at.get('/console/me/totp')).location ?? '', /^\/console\/sign-in\?/);
    assert.equal((await at.post('/console/me/passkeys/options')).location, '/console/sign-in');
    const { location } = await signInAt(app, kim.email, '/console/me/passkeys/new', at);
    assert.equal(location, '/console/me/passkeys/new', 'what its script has asked for is no form that waits');
    assert.equal((await setUpApp(app, at)).recoveryCodes.length, 10);
    assert.equal((await at.get('/console/me')).status, 200);
  } finally {
    await required(false);
  }
});
