/** What the dry run of a file asks is answered on its page (specification: Imports 13). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { answerQuestions } from '#product/imports/files/answer.ts';
import { matchColumns } from '#product/imports/files/match-columns.ts';
import { findFile } from '#product/imports/files/store.ts';
import { fieldsOf } from '../../../test/fixtures/office.ts';
import { importOffice, sendFile } from '../../../test/fixtures/sent-files.ts';

const { app, db, workshopId, base, owner } = await importOffice();

const send = (content: string, typed: Readonly<Record<string, string>> = {}) =>
  sendFile(app, { base, owner }, content, { typed });
const countOf = async (table: string) =>
  (await db.query(`SELECT FROM ${table} WHERE workshop_id = $1`, [workshopId])).length;

test('what the dry run asks is answered on its page, and nothing is imported before', async () => {
  const was = await countOf('customer');
  const { to } = await send('Customer list,\nName,"Kon<b>takt"\nPat Asked,0491570110\nTotal,1\n');
  const page = (await owner.get(to)).text;
  for (const words of [
    ...[
      /No column holds phone numbers/,
      /<bdi>Kon&lt;b&gt;takt<\/bdi><\/strong> holds phone numbers, and is not read/,
    ],
    ...[/Line 1 stands above the names of the columns/, /Line 4 is the total of the lines above it/],
  ])
    assert.match(page, words);
  assert.doesNotMatch(page, /name="skipFaulty"|>Import<\/button>/);
  assert.equal((await owner.post(to, { ...fieldsOf(page, `${to}/answers`), skipFaulty: 'on' })).status, 422);
  const some = await owner.post(`${to}/answers`, {
    ...fieldsOf(page, `${to}/answers`),
    'accept-unread': 'on',
  });
  assert.equal(some.status, 422);
  assert.match(some.text, /must be chosen for each question/);
  const all = { 'accept-unread': 'on', 'accept-no-phones': 'on' };
  const form = { ...fieldsOf(some.text, `${to}/answers`), ...all };
  const answers = await Promise.all([owner.post(`${to}/answers`, form), owner.post(`${to}/answers`, form)]);
  assert.deepEqual(
    answers.map(({ status, location }) => [status, location]),
    [
      [303, to],
      [303, to],
    ],
  );
  assert.equal(await countOf('customer'), was);
  const answered = (await owner.get(to)).text;
  assert.doesNotMatch(answered, /Questions/);
  assert.equal((await owner.post(to, fieldsOf(answered, to))).status, 303);
  assert.equal(await countOf('customer'), was + 1);
  const late = await owner.post(`${to}/answers`, { ...form, key: 'answers-again-0123456789' });
  assert.equal(late.status, 422);
});

test('years of two digits are taken in the order that leaves no doubt, by one box', async () => {
  const { to } = await send(
    'Date,Time,Name\n03/04/26,09:00:00 AM,Pat Short\n01/31/26,09:00:00 AM,Pat Short\n',
    {
      kind: 'bookings',
    },
  );
  const page = (await owner.get(to)).text;
  assert.match(page, /four digits of the year/);
  const form = { ...fieldsOf(page, `${to}/answers`), 'accept-short-years': 'on' };
  assert.equal((await owner.post(`${to}/answers`, form)).status, 303);
  assert.equal((await owner.post(to, fieldsOf((await owner.get(to)).text, to))).status, 303);
  const rows = await db.query<{ date: Date }>(
    `SELECT date FROM booking WHERE contact_name = 'Pat Short' ORDER BY date`,
  );
  assert.deepEqual(
    rows.map(({ date }) => date.toISOString()),
    ['2026-01-30T22:00:00.000Z', '2026-03-03T22:00:00.000Z'],
  );
});

test('always: the answer to a dry run is no answer to that of other columns, chosen meanwhile', async () => {
  const { to } = await send('Name,Kontakt\nPat Other,0491570110\n');
  const id = to.split('/').at(-1) ?? '';
  const file = (await findFile(db, workshopId, id)) ?? assert.fail();
  const given = (name: string) => (name === 'column1' ? 'name' : '');
  const late: Database = Object.create(db, {
    transaction: {
      value: async (...args: Parameters<Database['transaction']>) => {
        await matchColumns(app.context, file, given);
        return db.transaction(...args);
      },
    },
  });
  const answer = { workshopId, id, actor: actors.operator, accepted: ['no-phones', 'unread'] as const };
  await assert.rejects(
    answerQuestions({ ...app.context, db: late }, answer),
    /has matched the columns of the file meanwhile/,
  );
  const { report, matched } = (await findFile(db, workshopId, id)) ?? assert.fail();
  assert.deepEqual([matched, report.questions?.map(({ kind }) => kind)], [['name', null], ['no-phones']]);
});

test('always: the order of days that an answer gave is not that of another column, chosen afterwards', async () => {
  const { to } = await send('Date,Time,Name,Other\n12/31/25,9:00,Pat Order,3/4/2026\n', { kind: 'bookings' });
  const page = (await owner.get(to)).text;
  const form = { ...fieldsOf(page, `${to}/answers`), 'accept-short-years': 'on' };
  assert.equal((await owner.post(`${to}/answers`, form)).status, 303);
  const columns = { column1: '', column2: 'time', column3: 'name', column4: 'date' };
  assert.equal((await owner.submit(`${to}/columns`, `${to}/columns`, columns)).status, 303);
  assert.match((await owner.get(to)).text, /can be two dates/);
});
