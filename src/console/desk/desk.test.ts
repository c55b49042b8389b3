/** A shared desk: several people on one browser, each by a PIN. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { desksOf, pinOf } from '../../../test/fixtures/desk.ts';
import { signedInPerson } from '../../../test/fixtures/office.ts';
import { codeFor, signInAt, visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
const workshopId = await linkedWorkshop(app, []);
const { atDesk, formOf, nameShown, isOut, sessionsOf, actionsOf } = desksOf(app, workshopId);

test('two people at one browser: each comes back by their PIN, and the one before is put aside (specification: People and their sign-in 15 and 24)', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  const ofKim = at.cookies['pitlane'];
  const jo = await atDesk(at, pinOf(2));
  assert.equal(await nameShown(at), jo.name);
  assert.ok(await isOut(ofKim), 'the token of who is put aside leads nowhere');

  const { text } = await at.get('/console/me');
  assert.match(text, /<a href="\/console\/switch">Switch person<\/a>/);
  const page = await at.get('/console/switch');
  assert.match(page.text, /<label for="pin-[^"]+">PIN<\/label>/);
  assert.doesNotMatch(page.text, /@desk\.example/, 'nobody’s e-mail');
  assert.match(page.text, /href="\/console\/sign-in\?other=1">Somebody else/);

  const ofJo = at.cookies['pitlane'];
  const back = await at.post(await formOf(at, kim), { pin: ` ${pinOf(1).slice(0, 3)} ${pinOf(1).slice(3)}` });
  assert.deepEqual([back.status, back.location], [303, '/console']);
  assert.equal(await nameShown(at), kim.name);
  assert.notEqual(at.cookies['pitlane'], ofKim, 'a new token at each switch');
  assert.ok(await isOut(ofKim));
  assert.ok(await isOut(ofJo));
  assert.deepEqual(
    (await sessionsOf(jo)).map(({ open, aside }) => [open, aside]),
    [[true, true]],
  );
  assert.ok((await actionsOf(kim)).includes('person.switched'));
  // No fresh sign-in: what asks for one asks again, though it is minutes old.
  const asked = await at.submit('/console/me', '/console/me/pin', { pin: pinOf(3) });
  assert.equal(asked.location, '/console/sign-in');
});

test('without a PIN a session ends as the next person signs in, and is not at the desk (specification: People and their sign-in 15 and 24)', async () => {
  const at = visit(app);
  const kim = await atDesk(at, null);
  const token = at.cookies['pitlane'];
  await atDesk(at, pinOf(1));
  assert.ok(await isOut(token));
  assert.deepEqual(
    (await sessionsOf(kim)).map(({ open }) => open),
    [false],
  );
  assert.doesNotMatch((await at.get('/console/switch')).text, new RegExp(`<legend><bdi>${kim.name}`));
});

test('eight people at one browser; the ninth is refused, and may come once one has signed out (specification: People and their sign-in 15)', async () => {
  const at = visit(app);
  const first = await atDesk(at, pinOf(0));
  const [row] = await db.query<{ sha256: Buffer; sealed: string }>(
    `SELECT browser_sha256 AS sha256 FROM session WHERE person_id = $1 AND browser_sha256 IS NOT NULL`,
    [first.personId],
  );
  // Six more, put aside: their own sign-ins and PINs are those of the tests above.
  for (let n = 0; n < 6; n++) {
    const { personId } = await signedInPerson(app, [workshopId]);
    await db.query(`INSERT INTO person_pin (person_id, sealed, set_at) VALUES ($1, 'x', now())`, [personId]);
    await db.query(`UPDATE session SET browser_sha256 = $2, put_aside_at = now() WHERE person_id = $1`, [
      personId,
      row?.sha256,
    ]);
  }
  await atDesk(at, pinOf(8));
  const ninth = await signedInPerson(app, [workshopId]);
  const code = await codeFor(app, ninth.email);
  await at.post('/console/sign-in', { email: ninth.email });
  const refused = await at.post('/console/sign-in', { code });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /8 people are signed in at this browser already: one of them signs out first/);
  assert.match((await at.get('/console/switch')).text, /<legend>/, 'nobody was put aside for it');
  await at.post('/console/sign-out');
  const again = await at.post('/console/sign-in', { email: ninth.email, code });
  assert.equal(again.status, 303, 'the code holds on');
});

test('Sign out ends one’s own; the sign-in shows who is left, and Sign out everybody here ends them too', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  const jo = await atDesk(at, pinOf(2));
  assert.equal((await at.post('/console/sign-out')).location, '/console/sign-in');
  const page = await at.get('/console/sign-in');
  assert.match(page.text, new RegExp(`<legend><bdi>${kim.name}</bdi></legend>`));
  assert.doesNotMatch(page.text, new RegExp(`${jo.name}|@desk`));
  assert.equal((await at.get('/console/switch')).location, '/console/sign-in?next=%2Fconsole%2Fswitch');
  assert.equal((await at.post(await formOf(at, kim, '/console/sign-in'), { pin: pinOf(1) })).status, 303);
  assert.equal(await nameShown(at), kim.name);
  const token = at.cookies['pitlane'];
  await signInAt(app, jo.email, '', at);
  const { headers } = await at.post('/console/sign-out/everybody');
  assert.equal(headers.get('clear-site-data'), '"cache", "storage"');
  assert.ok(await isOut(token));
  assert.doesNotMatch((await at.get('/console/sign-in')).text, /<legend>/);
  assert.equal((await actionsOf(kim)).at(-1), 'person.signedOut');
});

test('what was typed waits for its person, who comes back by PIN, and is nobody else’s', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  await db.query(`INSERT INTO desk_rule (workshop_id, ask_again_minutes) VALUES ($1, 5)`, [workshopId]);
  await db.query(`UPDATE session SET used_at = used_at - interval '7 minutes' WHERE person_id = $1`, [
    kim.personId,
  ]);
  assert.equal((await at.post('/console/me', { name: 'Kim typed' })).location, '/console/sign-in');
  await db.query('DELETE FROM desk_rule');
  const jo = await atDesk(at, pinOf(2));
  assert.equal((await at.get('/console/sign-in/kept')).location, '/console');
  const back = await at.post(await formOf(at, kim), { pin: pinOf(1) });
  assert.equal(back.location, '/console/sign-in/kept');
  assert.match((await at.get('/console/sign-in/kept')).text, /value="Kim typed"/);
  await at.post(await formOf(at, jo), { pin: pinOf(2) });
  assert.equal((await at.get('/console/sign-in/kept')).location, '/console');
});

test('PINs: six digits that nobody tries first; changed and removed by a fresh sign-in; stored as a sealed hash (specification: People and their sign-in 16)', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  for (const pin of [
    '12345',
    '1234567',
    'abcdef',
    '000000',
    '123456',
    '987654',
    '890123',
    '121212',
    '135135',
    '112233',
    '444555',
    '',
  ]) {
    const { status, text } = await at.submit('/console/me', '/console/me/pin', { pin });
    assert.equal(status, 422, pin);
    assert.match(text, /PIN (has 6 digits|is too easy to guess)/, pin);
    assert.match(text, new RegExp(`name="name"[^>]* value="${kim.name}"`), 'the other form is as it was');
    assert.doesNotMatch(text, new RegExp(`value="${pin || 'none'}"`));
  }
  const [stored] = await db.query<{ row: string }>(
    'SELECT person_pin::text AS row FROM person_pin WHERE person_id = $1',
    [kim.personId],
  );
  assert.doesNotMatch(stored?.row ?? '', new RegExp(`${pinOf(1)}|argon2`));
  const jo = await atDesk(at, pinOf(2));
  // Kim takes the PIN away in another browser: what it alone could bring back has ended.
  const home = visit(app);
  await signInAt(app, kim.email, '', home);
  const removed = await home.submit('/console/me', '/console/me/pin/remove');
  assert.equal(removed.location, '/console/me?said=pinRemoved');
  assert.deepEqual(
    (await sessionsOf(kim)).map(({ open }) => open),
    [false, true],
  );
  assert.ok((await actionsOf(kim)).includes('person.pinRemoved'));
  assert.doesNotMatch((await at.get('/console/switch')).text, new RegExp(`<legend><bdi>${kim.name}`));
  await db.query(
    `UPDATE session SET signed_in_at = signed_in_at - interval '16 minutes' WHERE person_id = $1`,
    [jo.personId],
  );
  assert.equal((await at.submit('/console/me', '/console/me/pin/remove')).location, '/console/sign-in');
});
