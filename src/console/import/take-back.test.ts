/** **Take back import** on the page of its file (specification: Imports). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { baseOf, fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { importOffice, sendFile } from '../../../test/fixtures/sent-files.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, db, workshopId, base, owner, people } = await importOffice();

/** The page of a file that was imported. */
async function imported(content: string): Promise<string> {
  const { to } = await sendFile(app, { owner, base }, content);
  const { status } = await owner.submit(to, to);
  assert.equal(status, 303);
  return to;
}
const named = async (name: string) =>
  (await db.query('SELECT FROM customer WHERE name = $1 AND workshop_id = $2', [name, workshopId])).length;
const takeBack = (to: string) => owner.submit(to, `${to}/take-back`);

test('always: the button takes the import back, once, and the page says what went and what stayed', async () => {
  const to = await imported('Name,Mobile,Rego\nGail Goes,0491570156,G1\nStan Stays,0491570157,S1\n');
  await db.query(`UPDATE customer SET company = 'Since Ltd' WHERE name = 'Stan Stays'`);
  const { text } = await owner.get(to);
  assert.match(text, /<button class="button danger">Take back import<\/button>/);
  assert.match(text, /Until \d+:\d\d/);
  const form = fieldsOf(text, `${to}/take-back`);
  const other = fieldsOf((await owner.get(to)).text, `${to}/take-back`);
  const answers = await Promise.all([form, form, other].map((each) => owner.post(`${to}/take-back`, each)));
  assert.deepEqual(
    [...new Set(answers.map(({ status, location }) => `${status} ${location}`))],
    [`303 ${to}`],
  );
  const done = await owner.get(to);
  for (const words of [
    /Taken back</,
    /Customers gone<\/dt><dd><bdi>1</,
    /Stayed as they are<\/dt><dd><bdi>1</,
  ])
    assert.match(done.text, words);
  assert.doesNotMatch(done.text, /Take back import/);
  assert.deepEqual([await named('Gail Goes'), await named('Stan Stays')], [0, 1]);
  assert.match((await owner.get(`${base}/import`)).text, /<td>Taken back<\/td>/);
  const stayed = (await owner.get(`${to}/stayed`)).text;
  assert.match(stayed, /Stan Stays/);
  assert.match(stayed, /Was changed since/);
  const trail = await db.query<{ actor: string }>(
    `SELECT actor FROM audit_entry WHERE action = 'workshop.importTakenBack' AND workshop_id = $1`,
    [workshopId],
  );
  assert.deepEqual(trail, [{ actor: `person ${owner.personId}` }]);
  // The address of the button again, hours later, does nothing.
  assert.equal((await owner.post(`${to}/take-back`, { ...other, key: `${other['key']}x` })).status, 303);
});

test('always: only an owner who sees phones, signed in within 15 minutes, takes an import of their own workshop back', async () => {
  const to = await imported('Name,Mobile\nRita Role,0491570158\n');
  const form = fieldsOf((await owner.get(to)).text, `${to}/take-back`);
  for (const role of ['adviser', 'technician', 'viewer'] as const)
    assert.equal((await people[role].post(`${to}/take-back`, form)).status, 403, role);
  const blind = await signedInPerson(app, [workshopId], 'owner', { seesPhones: false });
  assert.equal((await blind.post(`${to}/take-back`, form)).status, 403);
  const stranger = await signedInPerson(app, [await linkedWorkshop(app, [], { name: 'Elsewhere' })]);
  assert.equal((await stranger.post(`${to}/take-back`, form)).status, 404);
  const theirBase = await baseOf(app, await linkedWorkshop(app, [], { name: 'Third' }));
  assert.equal((await owner.post(`${theirBase}/import/${to.split('/').at(-1)}/take-back`, form)).status, 404);
  const late = await signedInPerson(app, [workshopId]);
  await db.query(
    `UPDATE session SET signed_in_at = signed_in_at - interval '16 minutes' WHERE person_id = $1`,
    [late.personId],
  );
  const asked = await late.post(`${to}/take-back`, form);
  assert.deepEqual([asked.status, asked.location?.startsWith('/console/sign-in')], [303, true]);
  assert.equal(await named('Rita Role'), 1);
});

test('always: an hour after its last rows it is refused, and the page says so; so is an import of the previous release', async () => {
  const to = await imported('Name,Mobile\nLea Late,0491570159\n');
  const { text } = await owner.get(to);
  const id = to.split('/').at(-1);
  await app.advance(3_601);
  const refused = await owner.post(`${to}/take-back`, fieldsOf(text, `${to}/take-back`));
  assert.equal(refused.status, 422);
  assert.match(refused.text, /made over an hour ago/);
  assert.doesNotMatch(refused.text, /Take back import/);
  await db.query('DELETE FROM import_run WHERE id = $1', [id]);
  const old = await owner.get(to);
  assert.match(old.text, /The import can&#39;t be taken back: the previous release made it/);
  assert.doesNotMatch(old.text, /Take back import/);
  assert.equal(await named('Lea Late'), 1);
});

test('after an erasure at the workshop it can still be taken back, and its page names no file', async () => {
  const to = await imported('Name,Mobile,Colour\nEve Erased,0491571266,x\nOther One,0491572665,y\n');
  const { eraseCustomer } = await import('#operation/erasure/erase-customer.ts');
  const [eve] = await db.query<{ id: string }>(`SELECT id FROM customer WHERE name = 'Eve Erased'`);
  await eraseCustomer({ db, clock: app.clock }, eve?.id ?? '', actors.operator);
  const { text } = await owner.get(to);
  assert.doesNotMatch(text, /system\.csv|Colour/);
  assert.equal((await takeBack(to)).status, 303);
  assert.equal(await named('Other One'), 0);
});

test('while it is being taken back the page says so and fetches itself; the schedule ends it', async () => {
  const rows = Array.from({ length: 250 }, (_, n) => `Slow ${n},\n`).join('');
  const to = await imported(`Name,Mobile\n${rows}`);
  const id = to.split('/').at(-1) ?? '';
  const { advanceTakeBack, beginTakeBack, takeBackImports } = await import(
    '#product/imports/take-back/take-back.ts'
  );
  await beginTakeBack(app.context, { workshopId, importId: id, actor: actors.operator });
  await advanceTakeBack(app.context, workshopId, id, -1);
  assert.match((await owner.get(to)).text, /hx-get="[^"]*import[^"]*".*Is being taken back/s);
  await db.query(`UPDATE import_run SET changed_at = changed_at - interval '6 seconds' WHERE id = $1`, [id]);
  await takeBackImports(app.context);
  assert.match((await owner.get(to)).text, /Customers gone<\/dt><dd><bdi>250</);
});
