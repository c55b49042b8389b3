/** A PIN that is guessed, replayed or sent from elsewhere; at one process and at two. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createSealing } from '#base/sealing.ts';
import { actors } from '#base/values/actor.ts';
import { setPin } from '#product/people/desk/pin/set.ts';
import { switchPerson } from '#product/people/desk/switch.ts';
import { desksOf, pinOf } from '../../../test/fixtures/desk.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const app = await startTestApp();
const other = await secondApp(app);
const { db } = app.context;
const { atDesk, formOf, nameShown, isOut, sessionsOf, actionsOf } = desksOf(
  app,
  await linkedWorkshop(app, []),
);

test('a PIN is good at the desk alone: not in another browser, not after the session’s end, not by another site (specification: People and their sign-in 15)', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  await atDesk(at, pinOf(2));
  const form = await formOf(at, kim);
  const elsewhere = visit(app);
  await atDesk(elsewhere, pinOf(3));
  for (const browser of [elsewhere, visit(app), visit(app, {}, { 'pitlane-browser': 'A'.repeat(43) })]) {
    const refused = await browser.post(form, { pin: pinOf(1) });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /This session has ended/);
  }
  const crossSite = visit(app, { 'sec-fetch-site': 'cross-site' }, at.cookies);
  assert.equal((await crossSite.post(form, { pin: pinOf(1) })).status, 403);
  assert.equal((await crossSite.post('/console/sign-out/everybody')).status, 403);
  assert.deepEqual(
    (await sessionsOf(kim)).map(({ open, aside, tries }) => [open, aside, tries]),
    [[true, true, 0]],
  );
  await db.query('UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1', [kim.personId]);
  assert.equal((await at.post(form, { pin: pinOf(1) })).status, 422);
});

test('five wrong PINs in a row end that session; a right one begins the count again (specification: People and their sign-in 16)', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  const jo = await atDesk(at, pinOf(2));
  const form = await formOf(at, kim);
  for (const left of ['4 tries are', '3 tries are', '2 tries are', 'one try is']) {
    const { status, text } = await at.post(form, { pin: '222221' });
    assert.equal(status, 422);
    assert.match(text, new RegExp(`is not right: ${left} left`));
  }
  assert.equal((await at.post(form, { pin: pinOf(1) })).status, 303);
  assert.equal((await at.post(await formOf(at, jo), { pin: pinOf(2) })).status, 303);
  for (let n = 0; n < 4; n++) assert.match((await at.post(form, { pin: '222221' })).text, /is not right/);
  assert.match((await at.post(form, { pin: '222221' })).text, /This session has ended/);
  assert.equal((await at.post(form, { pin: pinOf(1) })).status, 422, 'the right one comes too late');
  assert.equal(await nameShown(at), jo.name, 'who is at the desk stays');
  const ofKim = await actionsOf(kim);
  assert.equal(ofKim.filter((action) => action === 'person.pinFailed').length, 9);
  // With the fifth, in its commit: two entries of one millisecond come in either order.
  assert.ok(ofKim.slice(-2).includes('person.signedOut'), ofKim.join());
});

test('twenty wrong PINs at once, at two processes: five are judged (specification: People and their sign-in 16)', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  await atDesk(at, pinOf(2));
  const form = await formOf(at, kim);
  const there = visit(other, {}, at.cookies);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? at : there).post(form, { pin: `88123${n % 10}` })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [422]);
  const judged = (await actionsOf(kim)).filter((action) => action === 'person.pinFailed');
  assert.equal(judged.length, 5);
  assert.deepEqual(
    (await sessionsOf(kim)).map(({ open, tries }) => [open, tries]),
    [[false, 5]],
  );
});

test('two switches at once: one person is at the desk, and of two tokens one works', async () => {
  const at = visit(app);
  const kim = await atDesk(at, pinOf(1));
  const jo = await atDesk(at, pinOf(2));
  await atDesk(at, pinOf(3));
  const forms = [await formOf(at, kim), await formOf(at, jo)] as const;
  const [one, two] = [visit(app, {}, { ...at.cookies }), visit(other, {}, { ...at.cookies })];
  const answers = await Promise.all([
    one.post(forms[0], { pin: pinOf(1) }),
    two.post(forms[1], { pin: pinOf(2) }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  const outs = await Promise.all([one, two].map(({ cookies }) => isOut(cookies['pitlane'])));
  assert.deepEqual(outs.toSorted(), [false, true]);
  const rows = await db.query(
    `SELECT FROM session s JOIN session mine USING (browser_sha256)
      WHERE mine.person_id = $1 AND mine.browser_sha256 IS NOT NULL AND s.ended_at IS NULL AND s.put_aside_at IS NULL`,
    [kim.personId],
  );
  assert.equal(rows.length, 1);
});

test('a PIN is sealed again once the installation has another key; under a key that is gone it opens nothing', async () => {
  const at = visit(app);
  const { personId } = await atDesk(at, null);
  const [session] = await db.query<{ sessionId: string; browserSha256: Buffer }>(
    'SELECT id AS session_id, browser_sha256 FROM session WHERE person_id = $1 AND browser_sha256 IS NOT NULL',
    [personId],
  );
  assert.ok(session);
  const [former, current] = [randomBytes(32), randomBytes(32)];
  const under = (...keys: [Buffer, ...Buffer[]]) => ({ ...app.context, sealing: createSealing(keys) });
  const wanted = { ...session, pin: pinOf(1), requestId: 'r-1' };
  await setPin(under(former), actors.person(personId, 'r-1'), { pin: pinOf(1), vouchedBy: null });
  assert.equal((await switchPerson(under(current), wanted)).state, 'wrong');
  assert.equal((await switchPerson(under(current, former), wanted)).state, 'in');
  assert.equal((await switchPerson(under(current), wanted)).state, 'in');
});
