/** What was typed before a session ended waits for the same person. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { signInAt, visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const app = await startTestApp();
const workshopId = await linkedWorkshop(app, []);
const someone = () => signedInPerson(app, [workshopId], 'adviser');

test('what was sent after a session had ended waits for the same person, and is sent by them (specification: People and their sign-in 6)', async () => {
  const kim = await someone();
  const { at } = await signInAt(app, kim.email);
  const end = (email: string) =>
    app.context.db.query(
      'UPDATE session SET ended_at = clock_timestamp() FROM person WHERE person.id = person_id AND person.email = $1',
      [email],
    );
  const typed = {
    ...{ name: 'Kim "K" <Lee>', pin: '407123', newCode: 'R8EX4ESP' },
    undoSeconds: '60',
    ...fieldsOf((await at.get('/console/me')).text, '/console/me'),
  };
  await end(kim.email);
  const sent = await at.post('/console/me', typed);
  assert.deepEqual([sent.status, sent.location], [303, '/console/sign-in']);
  const kept = await app.context.db.query<{ row: string }>('SELECT kept_form::text AS row FROM kept_form');
  assert.equal(kept.length, 1);
  assert.doesNotMatch(kept[0]?.row ?? '', /Lee/);
  // What only looks at a page drops nothing of it.
  const headers = { cookie: `pitlane=${at.cookies['pitlane']}` };
  const looked = await fetch(`${app.url}/console/me`, { method: 'HEAD', redirect: 'manual', headers });
  assert.equal(looked.headers.get('location'), '/console/sign-in?next=%2Fconsole%2Fme');
  const { location } = await signInAt(app, kim.email, '', at);
  assert.equal(location, '/console/sign-in/kept');
  const { text } = await at.get('/console/sign-in/kept');
  assert.match(text, /value="Kim &quot;K&quot; &lt;Lee&gt;"/);
  assert.match(
    text,
    /<dt>Page<\/dt><dd><bdi>\/console\/me<.*<dt>name<\/dt><dd><bdi>Kim &quot;K&quot; &lt;Lee&gt;</s,
  );
  assert.doesNotMatch(text, /407123|R8EX4ESP/);
  const fields = fieldsOf(text, '/console/me');
  assert.equal(
    (await at.post('/console/me', { ...fields, name: typed.name })).location,
    '/console/me?said=saved',
  );
  assert.match((await at.get('/console/me')).text, /&lt;Lee&gt;/);
  await at.post('/console/sign-in/kept');
  assert.equal((await at.get('/console/sign-in/kept')).location, '/console', 'dropped');

  // Somebody else at the same browser gets nothing of it.
  await end(kim.email);
  await at.post('/console/me', typed);
  const other = await signInAt(app, (await someone()).email, '', at);
  assert.equal(other.location, '/console');
  assert.equal((await at.get('/console/sign-in/kept')).location, '/console');
  assert.deepEqual(await app.context.db.query('SELECT FROM kept_form'), []);
});

test('nothing is kept for a cookie that was no session, nor over 32 KB', async () => {
  const stranger = visit(app, {}, { pitlane: 'A'.repeat(43) });
  assert.equal((await stranger.post('/console/me', { name: 'x' })).status, 303);
  const kim = await someone();
  await app.context.db.query('UPDATE session SET ended_at = clock_timestamp() WHERE person_id = $1', [
    kim.personId,
  ]);
  assert.equal((await kim.post('/console/me', { name: 'x'.repeat(40_000) })).status, 413);
  const escaped = '"'.repeat(10_000);
  assert.equal((await kim.post('/console/me', { notes: escaped })).status, 303);
  assert.equal((await kim.post('/console/me', { notes: '\u0001'.repeat(6_000) })).status, 303);
  assert.deepEqual(await app.context.db.query(`SELECT FROM kept_form WHERE length(sealed) > 45000`), []);
});
