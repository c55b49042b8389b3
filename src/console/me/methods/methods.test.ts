/** Adding and removing what one signs in by, and a workshop that requires a second factor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { addPerson } from '#product/people/add.ts';
import { printMembersCode } from '#product/people/codes/print.ts';
import { requireSecondFactor } from '#product/people/factors/require.ts';
import { may, roles } from '#product/people/permissions.ts';
import { halfSignIn, setUpApp, shownBy, wrongCode } from '../../../../test/fixtures/factors.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../../test/fixtures/office.ts';
import { signInAt, visit } from '../../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { personRoutes, workshopRoutes } from '../../routes.ts';

const app = await startTestApp();
const { context } = app;
const { db } = context;
const setUp = '/console/me/second-factor';

/** A workshop with an owner who has an authenticator app. */
async function safeWorkshop() {
  const workshopId = await linkedWorkshop(app, []);
  const base = await baseOf(app, workshopId);
  const owner = await signedInPerson(app, [workshopId]);
  const { at } = await signInAt(app, owner.email);
  return { workshopId, base, owner, at, ...(await setUpApp(app, at)) };
}

test('an app is confirmed by a right code alone, of the seed that was shown, in that session', async () => {
  const lee = await signedInPerson(app, [await linkedWorkshop(app, [])]);
  const { at } = await signInAt(app, lee.email);
  const { text } = await at.get('/console/me/totp');
  const seed = /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? assert.fail();
  const form = fieldsOf(text, '/console/me/totp');
  const refused = await at.post('/console/me/totp', { ...form, code: wrongCode(app, seed) });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Code is not the one that the app shows now/);
  assert.ok(refused.text.includes(seed), 'the same seed is shown again');
  const other = (await signInAt(app, lee.email)).at;
  const elsewhere = await other.post('/console/me/totp', { ...form, key: newId(), code: shownBy(app, seed) });
  assert.equal(elsewhere.status, 422);
  assert.deepEqual(await db.query('SELECT FROM totp WHERE person_id = $1', [lee.personId]), []);
});

test('another app takes the place of the first; recovery codes hold on, and go with the last factor (specification: People and their sign-in 11)', async () => {
  const { at, owner, seed } = await safeWorkshop();
  const again = await setUpApp(app, at);
  assert.deepEqual([again.done.location, again.recoveryCodes], ['/console/me?said=totpSet', []]);
  app.pass(60);
  const half = await halfSignIn(app, owner.email);
  assert.equal((await half.post('/console/sign-in/second', { code: shownBy(app, seed) })).status, 422);
  assert.equal((await half.post('/console/sign-in/second', { code: shownBy(app, again.seed) })).status, 303);
  const me = (await at.get('/console/me')).text;
  const gone = await at.post('/console/me/totp/remove', fieldsOf(me, '/console/me/totp/remove'));
  assert.equal(gone.location, '/console/me?said=removed');
  assert.doesNotMatch((await at.get('/console/me')).text, /of 10 are left/);
  assert.deepEqual(await db.query('SELECT FROM recovery_code WHERE person_id = $1', [owner.personId]), []);
  assert.equal((await signInAt(app, owner.email)).location, '/console');
});

test('all of it asks for a sign-in of the last 15 minutes (specification: People and their sign-in 12)', async () => {
  const { at, owner } = await safeWorkshop();
  await db.query(
    `UPDATE session SET signed_in_at = clock_timestamp() - interval '16 minutes' WHERE person_id = $1`,
    [owner.personId],
  );
  for (const { method, path } of personRoutes.filter((each) =>
    /^me\/(totp|passkeys|recovery)/.test(each.path),
  )) {
    const address = `/console/${path.replace(':id', newId())}`;
    const answer = await (method === 'GET' ? at.get(address) : at.post(address, { key: newId() }));
    assert.match(answer.location ?? '', /^\/console\/sign-in/, `${method} ${path}`);
  }
  assert.equal((await db.query('SELECT FROM totp WHERE person_id = $1', [owner.personId])).length, 1);
});

test('an owner requires it: whoever has none is led to its set-up and nowhere else, in sessions from before too (specification: People and their sign-in 13)', async () => {
  const { workshopId, base, at } = await safeWorkshop();
  const people = await peopleOf(app, workshopId);
  const place = `${base}/settings/people`;
  const form = fieldsOf((await at.get(place)).text, `${place}/second-factor`);
  const others = await people.owner.submit(place, `${place}/second-factor`);
  assert.equal(others.status, 422, 'who has none of their own shuts nobody out');
  assert.match(others.text, /A second factor needs one of your own first/);
  assert.equal((await at.post(`${place}/second-factor`, form)).location, `${place}?said=required`);

  const opened = [
    ...personRoutes,
    ...workshopRoutes.map((each) => ({ ...each, path: `${base.slice(9)}/${each.path}` })),
  ];
  for (const role of roles) {
    for (const route of role === 'viewer' ? opened : opened.slice(0, 12)) {
      if ('isSetUp' in route && route.isSetUp) continue;
      const address = `/console/${route.path}`.replaceAll(/:\w+/g, () => newId()).replace('*', 'nowhere');
      const { status, location } = await people[role][route.method === 'GET' ? 'get' : 'post'](address);
      assert.deepEqual([status, location], [303, setUp], `${role}: ${route.method} ${address}`);
    }
    const page = await people[role].get(setUp);
    assert.match(page.text, /requires one of everybody who signs in/);
    assert.doesNotMatch(page.text, /aria-label="Places"/);
  }
  assert.equal((await at.get(`${base}/today`)).status, 200);
  const lee = people.technician;
  const { at: leeAt, location } = await signInAt(app, lee.email, `${base}/today`);
  assert.equal(location, `${base}/today`);
  assert.equal((await leeAt.get(`${base}/today`)).location, setUp);
  // What was typed meanwhile waits for the end of the set-up.
  await leeAt.post(`${base}/bookings/new`, { key: newId(), notes: 'typed' });
  const { recoveryCodes, done } = await setUpApp(app, leeAt);
  assert.equal(recoveryCodes.length, 10);
  assert.match(done.text, /href="\/console\/sign-in\/kept"/);
  assert.match((await leeAt.get('/console/sign-in/kept')).text, /value="typed"/);
  assert.equal((await leeAt.get(`${base}/today`)).status, 200);
  assert.equal((await leeAt.get(setUp)).location, '/console/me');
  const me = (await leeAt.get('/console/me')).text;
  const kept = await leeAt.post('/console/me/totp/remove', fieldsOf(me, '/console/me/totp/remove'));
  assert.equal(kept.status, 422);
  assert.match(kept.text, /requires a second factor: set up another one first/);

  const viewer = visit(app, {}, { pitlane: people.viewer.cookie.split('=')[1] ?? '' });
  assert.equal((await viewer.post('/console/sign-out')).location, '/console/sign-in');
  const lifted = fieldsOf((await at.get(place)).text, `${place}/second-factor`);
  assert.equal((await at.post(`${place}/second-factor`, lifted)).location, `${place}?said=optional`);
  assert.equal((await people.adviser.get(`${base}/today`)).status, 200);
  const trail = await db.query<{ after: object }>(
    `SELECT after FROM audit_entry WHERE workshop_id = $1 AND action = 'workshop.changed' ORDER BY id`,
    [workshopId],
  );
  assert.deepEqual(
    trail.map(({ after }) => after),
    [{ secondFactor: 'required' }, { secondFactor: 'optional' }],
  );
});

test('only owners of the workshop require it; who works at several needs it everywhere (specification: People and their sign-in 13)', async () => {
  const [one, other] = [await safeWorkshop(), await safeWorkshop()];
  const required = { workshopId: one.workshopId, required: true };
  await assert.rejects(requireSecondFactor(context, actors.person(other.owner.personId, 'r-1'), required), {
    status: 403,
  });
  const both = await signedInPerson(app, [one.workshopId, other.workshopId], 'adviser');
  await requireSecondFactor(context, actors.operator, required);
  for (const { base } of [one, other]) assert.equal((await both.get(`${base}/today`)).location, setUp);
  assert.equal((await other.at.get(`${other.base}/today`)).status, 200);
  assert.equal(may({ role: 'adviser', mayText: true, seesPhones: true }, 'runWorkshop'), false);
});

test('what an owner may have set up for a member, by a code that they printed, is gone once the member has a place elsewhere (specification: People and their sign-in 14)', async () => {
  const { workshopId, owner } = await safeWorkshop();
  const kim = await signedInPerson(app, [workshopId], 'viewer');
  const actor = actors.person(owner.personId, 'r-1');
  const { code } = await printMembersCode(context, actor, { workshopId, personId: kim.personId });
  const at = visit(app);
  await at.post('/console/sign-in', { email: kim.email, code });
  const { seed } = await setUpApp(app, at);
  app.pass(60);
  const half = await halfSignIn(app, kim.email);
  const place = { workshopId: await linkedWorkshop(app, []), role: 'owner' } as const;
  await addPerson(context, actors.operator, { email: kim.email, place });
  assert.match((await at.get('/console')).location ?? '', /sign-in/);
  assert.equal(
    (await half.post('/console/sign-in/second', { code: shownBy(app, seed) })).location,
    '/console/sign-in',
  );
  assert.deepEqual(await db.query('SELECT FROM recovery_code WHERE person_id = $1', [kim.personId]), []);
  assert.equal((await signInAt(app, kim.email)).location, '/console');
});
