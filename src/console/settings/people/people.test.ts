/** A workshop's people, by its owners; and what everybody sets for themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { listMembers } from '#product/people/members/store.ts';
import { baseOf, fieldsOf, type Person, signedInPerson } from '../../../../test/fixtures/office.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const app = await startTestApp();
const { db } = app.context;
async function office() {
  const workshopId = await linkedWorkshop(app, []);
  const people = `${await baseOf(app, workshopId)}/settings/people`;
  const owner = await signedInPerson(app, [workshopId]);
  const member = await signedInPerson(app, [workshopId], 'technician');
  const roles = async () => {
    const members = await listMembers(db, workshopId, { after: null, limit: 50 });
    return Object.fromEntries(members.map(({ email, role }) => [email, role]));
  };
  return { workshopId, people, owner, member, roles };
}
const age = ({ personId }: Person) =>
  db.query(
    `UPDATE session SET signed_in_at = clock_timestamp() - interval '16 minutes' WHERE person_id = $1`,
    [personId],
  );

test('an owner adds somebody, once, however often the form is sent', async () => {
  const { people, owner, roles } = await office();
  const email = `new-${newId()}@mail.example`;
  const form = {
    ...fieldsOf((await owner.get(people)).text, people),
    email,
    name: 'Jo Park',
    role: 'viewer',
  };
  for (let n = 0; n < 2; n++) assert.equal((await owner.post(people, form)).location, `${people}?said=added`);
  assert.equal((await roles())[email], 'viewer');
  assert.match(
    (await owner.get(`${people}?said=added`)).text,
    /role="status">Added\. No e-mail tells them, since this installation has no mail server: open their name and choose Print a code\./,
  );
  const again = await owner.submit(people, people, { email, name: 'Jo Park', role: 'technician' });
  assert.equal(again.location, `${people}?said=hadPlace`);
  assert.match((await owner.get(`${people}?said=hadPlace`)).text, /role="status">They were here already/);
  assert.equal((await db.query('SELECT FROM account_email WHERE email = $1', [email])).length, 1);
  const refused = await owner.submit(people, people, { email: 'no address', name: 'Jo <b>', role: 'viewer' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /is not an e-mail address[\s\S]*value="Jo &lt;b&gt;"/);
});

test('role and switches: the form carries its version, and a changed role signs the person out (specification: People and their sign-in 5)', async () => {
  const { people, owner, member, roles } = await office();
  const path = `${people}/${member.personId}`;
  const { text } = await owner.get(path);
  const stale = { ...fieldsOf(text, path), role: 'viewer' };
  const changed = await owner.submit(path, path, { role: 'adviser', mayText: 'on', seesPhones: 'on' });
  assert.equal(changed.location, `${people}?said=changed`);
  assert.equal((await roles())[member.email], 'adviser');
  assert.match((await member.get('/console')).location ?? '', /sign-in/);
  const late = await owner.post(path, stale);
  assert.equal(late.status, 422);
  assert.match(late.text, /Somebody changed this meanwhile/);
  assert.equal((await roles())[member.email], 'adviser');
});

test('the last owner stays, and is told why', async () => {
  const { people, owner, roles } = await office();
  const path = `${people}/${owner.personId}`;
  const lowered = await owner.submit(path, path, { role: 'viewer' });
  assert.equal(lowered.status, 422);
  assert.match(lowered.text, /a workshop keeps one owner/);
  const removed = await owner.submit(path, `${path}/remove`);
  assert.equal(removed.status, 422);
  assert.equal((await roles())[owner.email], 'owner');
});

test('an owner who does not see phones neither gives the switch nor prints a code of somebody who has it', async () => {
  const { people, owner, member, workshopId } = await office();
  await db.query('UPDATE membership SET sees_phones = false WHERE person_id = $1', [owner.personId]);
  const email = `second-${newId()}@mail.example`;
  const added = await owner.submit(people, people, { email, name: 'Second', role: 'owner' });
  assert.equal(added.location, `${people}?said=added`);
  const members = await listMembers(db, workshopId, { after: null, limit: 50 });
  const second = members.find((each) => each.email === email);
  assert.equal(second?.seesPhones, false);
  const path = `${people}/${second?.personId}`;
  assert.match((await owner.get(path)).text, /You lack this yourself/);
  const given = await owner.submit(path, path, { role: 'owner', mayText: 'on', seesPhones: 'on' });
  assert.equal(given.status, 422);
  assert.match(given.text, /may not be given by who does not see them/);
  const theirs = `${people}/${member.personId}`;
  const printed = await owner.submit(theirs, `${theirs}/code`);
  assert.equal(printed.status, 422);
  assert.match(printed.text, /may do more than you/);
});

test('remove: gone from the list, and signed out', async () => {
  const { people, owner, member, roles } = await office();
  const path = `${people}/${member.personId}`;
  await owner.submit(path, path, { role: 'viewer' });
  assert.match((await owner.get(path)).text, /<h2>What changed<\/h2>.*changed it/s);
  const stale = { ...fieldsOf((await owner.get(path)).text, `${path}/remove`), version: '9' };
  assert.equal((await owner.post(`${path}/remove`, stale)).status, 422);
  assert.equal((await owner.submit(path, `${path}/remove`)).location, `${people}?said=removed`);
  assert.equal((await roles())[member.email], undefined);
  assert.match((await member.get('/console')).location ?? '', /sign-in/);
  assert.equal((await owner.get(path)).status, 404);
});

test('a printed code is shown once; for somebody with a place elsewhere the operator prints it', async () => {
  const { people, owner, member, workshopId } = await office();
  const path = `${people}/${member.personId}`;
  const form = fieldsOf((await owner.get(path)).text, `${path}/code`);
  const first = await owner.post(`${path}/code`, form);
  assert.deepEqual([first.status, first.headers.get('cache-control')], [200, 'no-store']);
  assert.match(first.text, /<strong>[0-9A-HJKMNP-TV-Z]{8}<\/strong>/);
  assert.equal((await owner.post(`${path}/code`, form)).location, path, 'a second click shows none');
  const both = await signedInPerson(
    app,
    [workshopId, await linkedWorkshop(app, [], { name: 'Elsewhere' })],
    'viewer',
  );
  const theirs = `${people}/${both.personId}`;
  const refused = await owner.submit(theirs, `${theirs}/code`);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /printed by whoever runs/);
  assert.doesNotMatch(refused.text, /Elsewhere/);
});

test('nobody elsewhere is reached: their ids are 404, and nothing changes', async () => {
  const mine = await office();
  const theirs = await office();
  for (const id of [theirs.member.personId, newId(), 'x', '%00']) {
    const path = `${mine.people}/${id}`;
    assert.equal((await mine.owner.get(path)).status, 404);
    for (const verb of ['', '/remove', '/code'])
      assert.equal((await mine.owner.post(path + verb, { key: newId(), role: 'viewer' })).status, 404);
  }
  assert.equal((await mine.owner.get(theirs.people)).status, 404);
  assert.equal((await theirs.roles())[theirs.member.email], 'technician');
});

test('all of it asks for a sign-in of the last 15 minutes, and a form waits for it (specification: People and their sign-in 7)', async () => {
  const { people, owner, member, roles } = await office();
  const path = `${people}/${member.personId}`;
  const form = { ...fieldsOf((await owner.get(path)).text, path), role: 'viewer' };
  await age(owner);
  const { status, location } = await owner.get(people);
  assert.deepEqual([status, location], [303, `/console/sign-in?${new URLSearchParams({ next: people })}`]);
  const sent = await owner.post(path, form);
  assert.deepEqual([sent.status, sent.location], [303, '/console/sign-in']);
  assert.equal((await roles())[member.email], 'technician');
  assert.match((await owner.get('/console/sign-in/kept')).text, new RegExp(`action="${path}"`));
  assert.match((await owner.get('/console/sign-in')).text, new RegExp(`value="${owner.email}"`));
});

test('more than a page of people', async () => {
  const { people, owner, workshopId } = await office();
  for (let n = 0; n < 51; n++) await signedInPerson(app, [workshopId], 'viewer');
  const { text } = await owner.get(people);
  const next = /href="([^"]*\?after=[^"]*)"/.exec(text)?.[1] ?? assert.fail();
  assert.equal(text.match(/settings\/people\/[\w-]{36}"/g)?.length, 50);
  const rest = (await owner.get(next)).text;
  assert.equal(rest.match(/settings\/people\/[\w-]{36}"/g)?.length, 3);
  assert.doesNotMatch(rest, /Next page/);
});

test('me: name, Undo and keys; another tab overwrites nothing', async () => {
  const { member } = await office();
  const stale = fieldsOf((await member.get('/console/me')).text, '/console/me');
  const saved = await member.submit('/console/me', '/console/me', { name: 'Kim <Lee>', undoSeconds: '60' });
  assert.equal(saved.location, '/console/me?said=saved');
  const { text } = await member.get('/console/me');
  assert.match(text, /value="Kim &lt;Lee&gt;"/);
  assert.match(text, /<option value="60" selected>/);
  assert.doesNotMatch(text, /name="singleKeys" checked/);
  assert.equal((await member.post('/console/me', { ...stale, name: 'Late' })).status, 422);
  assert.equal((await member.submit('/console/me', '/console/me', { name: ' ' })).status, 422);
});

test('me: one ends any of their own sessions, and nobody else’s', async () => {
  const { member, owner } = await office();
  const { text } = await member.get('/console/me');
  assert.match(text, /127\.0\.0\.0\/24/);
  const [, own = ''] = /action="(\/console\/me\/sessions\/[\w-]+\/end)"/.exec(text) ?? [];
  const [, others = ''] =
    /action="(\/console\/me\/sessions\/[\w-]+\/end)"/.exec((await owner.get('/console/me')).text) ?? [];
  await member.post(others);
  assert.equal((await owner.get('/console/me')).status, 200);
  assert.equal((await member.post('/console/me/sessions/x/end')).status, 303);
  await member.post(own);
  assert.match((await member.get('/console/me')).location ?? '', /sign-in/);
});
