/** What counts as a use: after how long a session asks again who is there, and from which networks it was used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTrail } from '#platform/audit/read/store.ts';
import { baseOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { signInAt, visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const app = await startTestApp({ config: { consoleHttp: true, trustProxy: true } });
const { db } = app.context;

async function office(askAgainMinutes: number | null = null) {
  const workshopId = await linkedWorkshop(app, []);
  if (askAgainMinutes !== null)
    await db.query('INSERT INTO desk_rule (workshop_id, ask_again_minutes) VALUES ($1, $2)', [
      workshopId,
      askAgainMinutes,
    ]);
  return { workshopId, base: await baseOf(app, workshopId) };
}
const unused = (personId: string, seconds: number) =>
  db.query(
    `UPDATE session SET used_at = clock_timestamp() - make_interval(secs => $2) WHERE person_id = $1`,
    [personId, seconds],
  );
/** Seconds since the last use that was written. */
const idleSeconds = async (personId: string) =>
  (
    await db.query<{ idle: number }>(
      `SELECT extract(epoch FROM clock_timestamp() - used_at)::float8 AS idle FROM session WHERE person_id = $1`,
      [personId],
    )
  )[0]?.idle ?? assert.fail();

test('an owner sets after how many minutes it is asked again; the trail has it, and others may not', async () => {
  const { workshopId, base } = await office();
  const { owner, adviser } = await peopleOf(app, workshopId);
  const [page, action] = [`${base}/settings/people`, `${base}/settings/people/ask-again`];
  assert.match((await owner.get(page)).text, /<label for="askAgainMinutes">Ask again after<\/label>/);
  for (const askAgainMinutes of ['0', '241', 'ten', '-5', '1.5']) {
    const { status, text } = await owner.submit(page, action, { askAgainMinutes });
    assert.equal(status, 422, askAgainMinutes);
    assert.match(text, /Ask again after is a number from 1 to 240, or empty for never/);
    assert.match(text, new RegExp(`value="${askAgainMinutes}"`));
  }
  const stale = await owner.get(page);
  const set = await owner.submit(page, action, { askAgainMinutes: '20' });
  assert.equal(set.location, `${page}?said=askAgain`);
  assert.match((await owner.get(page)).text, /name="askAgainMinutes" type="text" value="20"/);
  const [, key] = /ask-again"[\s\S]*?name="key" value="([^"]+)"/.exec(stale.text) ?? [];
  const late = await owner.post(action, { askAgainMinutes: '30', version: '0', key: key ?? '' });
  assert.match(late.text, /Somebody changed this meanwhile/);
  assert.equal((await adviser.post(action, { askAgainMinutes: '1' })).status, 403);
  await owner.submit(page, action, { askAgainMinutes: '' });
  const trail = await listTrail(db, { workshopId, subjectId: workshopId, before: null, limit: 9 });
  assert.deepEqual(
    trail.flatMap(({ action: what, before, after }) =>
      what === 'workshop.changed' ? [[before, after]] : [],
    ),
    [
      [{ askAgainMinutes: 20 }, { askAgainMinutes: null }],
      [{ askAgainMinutes: null }, { askAgainMinutes: 20 }],
    ],
  );
});

test('it asks again after N minutes, at most one more; the shortest of one’s workshops holds; elsewhere never (specification: People and their sign-in 17)', async () => {
  const [five, hour, never] = [await office(5), await office(60), await office()];
  const kim = await signedInPerson(app, [five.workshopId, hour.workshopId, never.workshopId]);
  const jo = await signedInPerson(app, [never.workshopId]);
  for (const [seconds, status] of [
    [295, 200],
    [365, 303],
  ] as const) {
    await unused(kim.personId, seconds);
    assert.equal((await kim.get(`${never.base}/today`)).status, status, `${seconds} s`);
  }
  assert.ok((await idleSeconds(kim.personId)) > 360, 'what asks again is no use');
  const { location } = await kim.get(`${five.base}/today`);
  assert.equal(location, `/console/sign-in?${new URLSearchParams({ next: `${five.base}/today` })}`);
  await unused(jo.personId, 86_400);
  assert.equal((await jo.get(`${never.base}/today`)).status, 200);
});

test('a page that fetches itself is no use of anybody; a form, and what somebody opens, is (specification: People and their sign-in 17)', async () => {
  const { workshopId, base } = await office(5);
  const kim = await signedInPerson(app, [workshopId]);
  const fetching = visit(app, { 'pitlane-follows': 'yes' }, { pitlane: kim.cookie.slice('pitlane='.length) });
  await unused(kim.personId, 200);
  assert.equal((await fetching.get(`${base}/today`)).status, 200);
  const closing = new AbortController();
  const { status } = await fetch(`${app.url}${base}/changes`, {
    headers: { cookie: kim.cookie },
    signal: closing.signal,
  });
  assert.equal(status, 200);
  closing.abort();
  assert.ok((await idleSeconds(kim.personId)) >= 200);
  await fetching.post('/console/nowhere');
  assert.ok((await idleSeconds(kim.personId)) < 60, 'a form is somebody’s, whatever it says');
  await unused(kim.personId, 200);
  await kim.get(`${base}/today`);
  assert.ok((await idleSeconds(kim.personId)) < 60);
  await unused(kim.personId, 365);
  assert.equal((await fetching.get(`${base}/today`)).status, 303);
});

test('asked again, a PIN goes on where one was, with what was being sent; without one a sign-in does (specification: People and their sign-in 17)', async () => {
  const { workshopId, base } = await office(5);
  for (const pin of ['407123', null]) {
    const kim = await signedInPerson(app, [workshopId]);
    const { at } = await signInAt(app, kim.email);
    if (pin !== null) {
      const { text } = await at.get('/console/me');
      const key = /me\/pin"[\s\S]*?name="key" value="([^"]+)"/.exec(text)?.[1] ?? assert.fail();
      assert.equal((await at.post('/console/me/pin', { key, pin })).location, '/console/me?said=pinSet');
    }
    await unused(kim.personId, 400);
    const { location } = await at.get(`${base}/week`);
    const page = await at.get(location ?? '');
    const action = /action="(\/console\/sign-in\/desk\/[^"]+)"/.exec(page.text)?.[1];
    assert.equal(action !== undefined, pin !== null);
    const comeBack = async (next: string) =>
      action === undefined || pin === null
        ? (await signInAt(app, kim.email, next, at)).location
        : (await at.post(action, { pin, next })).location;
    if (pin !== null) assert.match(page.text, new RegExp(`name="next" value="${base}/week"`));
    assert.equal(await comeBack(`${base}/week`), `${base}/week`);
    await unused(kim.personId, 400);
    assert.equal((await at.post('/console/me', { name: 'Typed' })).location, '/console/sign-in');
    assert.equal(await comeBack(''), '/console/sign-in/kept');
    assert.match((await at.get('/console/sign-in/kept')).text, /value="Typed"/);
  }
});

test('a stolen cookie shows in the list of sessions by its network, also once its owner is back (specification: People and their sign-in 19)', async () => {
  const { workshopId, base } = await office();
  const kim = await signedInPerson(app, [workshopId]);
  const home = visit(app, { 'x-forwarded-for': '203.0.113.7' });
  await signInAt(app, kim.email, '', home);
  const list = async () => (await home.get('/console/me')).text;
  assert.doesNotMatch(await list(), /used from/);
  const thief = (address: string, headers = {}) =>
    visit(app, { 'x-forwarded-for': address, ...headers }, { pitlane: home.cookies['pitlane'] ?? '' });
  await thief('198.51.100.20').get(`${base}/today`);
  assert.match(
    await list(),
    /203\.0\.113\.0\/24[^<]*<strong>used from 198\.51\.100\.0\/24<\/strong> too, last \d{4}-/,
  );
  await home.get(`${base}/today`);
  assert.match(await list(), /used from 198\.51\.100\.0\/24/, 'at once, and for good');
  await thief('2001:db8:1:2:3::9', { 'pitlane-follows': 'yes' }).get(`${base}/today`);
  assert.match(await list(), /used from 2001:db8:1:2::\/64/, 'whatever the request says of itself');
});
