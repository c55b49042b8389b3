/** Forms of a talk that somebody sends who may not any more, with another's key, to another talk, or as the other form of the page: nobody is texted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { talkWorld } from '../../../../test/fixtures/answering.ts';
import { signedInPerson } from '../../../../test/fixtures/office.ts';

const { app, base, workshopId, kim, lee, talk, opened, bodies, inDays } = await talkWorld();
const { db } = app.context;

test('twenty at once by two people with one key: one text', async () => {
  const of = await talk();
  const form = { ...(await opened(kim, of)), answer: 'At five' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? kim : lee).post(`${of.path}/answer`, form)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303, 422]));
  assert.deepEqual(await bodies(of), ['At five']);
});

test('a form of one talk sent to another, and a note sent as a text, are refused', async () => {
  const [of, other] = [await talk(), await talk()];
  const form = await opened(kim, of);
  assert.equal((await kim.post(`${other.path}/answer`, { ...form, answer: 'For Ava alone' })).status, 422);
  assert.equal((await kim.post(`${of.path}/answer`, { ...form, note: 'Pays late' })).status, 422);
  assert.equal(
    (await kim.post(`${of.path}/later`, { ...form, note: 'Pays late', ...inDays(1) })).status,
    422,
  );
  const { conversationId } = of;
  assert.equal((await kim.post(`${of.path}/note`, { ...form, note: 'Pays late', answer: 'x' })).status, 303);
  assert.match((await kim.get(`${base}/inbox/${conversationId}`)).text, /Pays late/);
  assert.deepEqual([await bodies(of), await bodies(other)], [[], []]);
});

test('a form that was open when its person was demoted, then removed', async () => {
  const of = await talk();
  const one = await signedInPerson(app, [workshopId], 'adviser');
  const form = await opened(one, of);
  const statuses = (paths: readonly string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const typed = { ...form, key: newId(), answer: 'x', note: 'x', ...inDays(1) };
        return (await one.post(`${of.path}/${path}`, typed)).status;
      }),
    );
  const texting = ['answer', 'preview', 'later', 'later/now', 'later/cancel', 'again'];
  await db.query('UPDATE membership SET may_text = false WHERE person_id = $1', [one.personId]);
  assert.deepEqual(new Set(await statuses(texting)), new Set([403]));
  await db.query('DELETE FROM membership WHERE person_id = $1', [one.personId]);
  assert.deepEqual(new Set(await statuses([...texting, 'note', 'done', 'assign'])), new Set([404]));
  assert.deepEqual(await bodies(of), []);
});
