/** Columns that are matched by hand on the page of a file, and remembered for the next of its form (specification: Imports). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFile, replaceReport } from '#product/imports/files/store.ts';
import { formsAtMost } from '#product/imports/matched/store.ts';
import { baseOf, fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { importOffice, sendFile } from '../../../test/fixtures/sent-files.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, db, workshopId, base, owner, people } = await importOffice();

const send = (content: string, kind = 'customers', by?: string) =>
  sendFile(app, { owner, base }, content, { typed: { kind }, ...(by === undefined ? {} : { by }) });
/** What the page has chosen, by the name of its field. */
const chosen = (text: string) =>
  Object.fromEntries(
    text
      .split('<select ')
      .slice(1)
      .map((part) => [
        /name="([^"]*)"/.exec(part)?.[1] ?? '',
        /value="([^"]*)" selected/.exec(part)?.[1] ?? '',
      ]),
  );
const customer = async (name: string) =>
  (
    await db.query<Record<string, unknown>>(
      `SELECT phone, email, suburb, (SELECT string_agg(rego, ',') FROM car WHERE customer_id = customer.id) AS regos
         FROM customer WHERE name = $1 AND workshop_id = $2`,
      [name, workshopId],
    )
  )[0];
const file = 'Wer,Nummer,Wagen,Farbe\nMia Match,0491570156,MM1AB,rot\nNoah Next,0491570157,NN2AB,blau\n';

test('headings that are not known are asked with guesses and first values; the choice is imported, and is there for the next file (specification: Imports 21)', async () => {
  const { status, to } = await send(file);
  assert.equal(status, 303);
  assert.match(to, /\/columns$/);
  const { text } = await owner.get(to);
  for (const words of [
    /The first line names neither a column Mobile nor a column Name/,
    /Nummer/,
    /Such as 0491570156 · 0491570157/,
  ])
    assert.match(text, words);
  assert.deepEqual(chosen(text), { column1: '', column2: 'phone', column3: 'rego', column4: '' });
  const ofFile = to.replace(/\/columns$/, '');
  assert.match((await owner.get(ofFile)).text, /Which column is what\?/);
  const answer = await owner.submit(to, to, {
    column1: 'name',
    column2: 'phone',
    column3: 'rego',
    column4: '',
  });
  assert.deepEqual([answer.status, answer.location], [303, ofFile]);
  const dry = (await owner.get(ofFile)).text;
  for (const words of [
    /New customers<\/dt><dd><bdi>2</,
    /as matched by hand/,
    /Columns that are not read<\/dt><dd><bdi>Farbe/,
  ])
    assert.match(dry, words);
  assert.equal((await owner.submit(ofFile, ofFile)).status, 303);
  assert.deepEqual(await customer('Mia Match'), {
    ...{ phone: '+61491570156', email: null, suburb: null, regos: 'MM1AB' },
  });
  // The next file of that form, in other case: it is not asked again.
  const next = await send('WER,Nummer,wagen,Farbe\nOla Once,0491570158,OO3AB,x\n');
  assert.doesNotMatch(next.to, /columns$/);
  const remembered = (await owner.get(next.to)).text;
  assert.match(remembered, /as matched by hand/);
  // It can be chosen again, and what is chosen then is kept.
  const again = `${next.to}/columns`;
  assert.deepEqual(chosen((await owner.get(again)).text), {
    ...{ column1: 'name', column2: 'phone', column3: 'rego', column4: '' },
  });
  await owner.submit(again, again, { column1: 'name', column2: 'phone', column3: '', column4: 'suburb' });
  await owner.submit(next.to, next.to);
  assert.deepEqual(await customer('Ola Once'), {
    ...{ phone: '+61491570158', email: null, suburb: 'x', regos: null },
  });
});

test('two columns of one field, an unknown field, and no field that is needed are refused at the field; nothing changes (specification: Imports 21)', async () => {
  const { to } = await send('Eins,Zwei\nA,0491570159\n');
  const was = await db.query(
    'SELECT matched, file_content FROM import_file WHERE workshop_id = $1 ORDER BY id',
    [workshopId],
  );
  const fault = async (typed: Readonly<Record<string, string>>, words: RegExp) => {
    const { status, text } = await owner.submit(to, to, typed);
    assert.equal(status, 422);
    assert.match(text, words);
    return text;
  };
  const twice = await fault(
    { column1: 'name', column2: 'name' },
    /id="column2-error">is Name too, as &quot;Eins&quot; is/,
  );
  assert.deepEqual(chosen(twice), { column1: 'name', column2: 'name' }, 'what was chosen is kept');
  await fault({ column1: 'colour', column2: 'phone' }, /id="column1-error">must be one of the choices/);
  await fault({ column1: '__proto__', column2: 'phone' }, /id="column1-error">/);
  await fault({ column1: 'date', column2: 'phone' }, /id="column1-error">/);
  await fault({ column2: 'phone' }, /id="column1-error">must be one of the choices/);
  await fault(
    { column1: '', column2: 'email' },
    /href="#columns">Columns must have one that is Mobile or Name/,
  );
  assert.deepEqual(
    await db.query('SELECT matched, file_content FROM import_file WHERE workshop_id = $1 ORDER BY id', [
      workshopId,
    ]),
    was,
  );
  // Bookings need a date, and whom they are for.
  const bookings = await send('Eins,Zwei\n2026-01-02 10:00,Ann\n', 'bookings');
  const refused = await owner.submit(bookings.to, bookings.to, { column1: '', column2: 'name' });
  assert.match(refused.text, /Columns must have one that is Date/);
  const done = await owner.submit(bookings.to, bookings.to, { column1: 'dateTime', column2: 'name' });
  assert.match((await owner.get(done.location ?? '')).text, /New bookings<\/dt><dd><bdi>1</);
});

test('a file with columns that are not matched is not imported, also by its address; nor matched once it is begun or dropped', async () => {
  const { to } = await send('Links,Rechts\nA,0491571266\n');
  const ofFile = to.replace(/\/columns$/, '');
  const form = fieldsOf((await owner.get(to)).text, to);
  const refused = await owner.post(ofFile, { key: `${form['key']}x`, skipFaulty: 'on' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /columns have to be matched first/);
  assert.equal((await owner.get(`${ofFile}/faults`)).status, 200);
  const columns = { column1: 'name', column2: 'phone' };
  await owner.post(to, { ...form, ...columns });
  assert.equal((await owner.submit(ofFile, ofFile)).status, 303);
  assert.equal((await owner.get(to)).status, 404);
  const late = await owner.post(to, { ...columns, key: `${form['key']}y` });
  assert.equal(late.status, 404);
  const [row] = await db.query(
    'SELECT content IS NULL AND file_content IS NULL AS gone, state FROM import_file WHERE id = $1',
    [ofFile.split('/').at(-1)],
  );
  assert.deepEqual(row, { gone: true, state: 'imported' });
});

test('always: first values are shown to whoever may import alone, and a choice is one workshop’s', async () => {
  const { to } = await send(file);
  const ofFile = to.replace(/\/columns$/, '');
  const columns = `${ofFile}/columns`;
  assert.match((await owner.get(columns)).text, /0491570156/);
  const blind = await signedInPerson(app, [workshopId], 'owner', { seesPhones: false });
  for (const by of [people.adviser, people.technician, people.viewer, blind]) {
    assert.equal((await by.get(columns)).status, 403);
    assert.equal((await by.post(columns, { column1: 'name' })).status, 403);
  }
  const elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
  const stranger = await signedInPerson(app, [elsewhere]);
  assert.equal((await stranger.get(columns)).status, 404);
  const there = { owner: stranger, base: await baseOf(app, elsewhere) };
  assert.equal((await stranger.get(`${there.base}/import/${ofFile.split('/').at(-1)}/columns`)).status, 404);
  // The form is known at the other workshop, and is asked here.
  assert.match((await sendFile(app, there, file)).to, /\/columns$/);
});

test('always: headings and first values become no markup, and names of every object are headings like others', async () => {
  const bad = '<script>alert(1)</script>';
  const { to } = await send(`"${bad}",__proto__,constructor\n"${bad}",toString,0491571491\n`);
  const { text } = await owner.get(to);
  assert.ok(!text.includes(bad));
  assert.match(text, /Such as &lt;script&gt;/);
  const { status, location } = await owner.submit(to, to, { column1: '', column2: 'name', column3: 'phone' });
  assert.equal(status, 303);
  const dry = (await owner.get(location ?? '')).text;
  assert.match(dry, /New customers<\/dt><dd><bdi>1</);
  assert.ok(!dry.includes(bad));
});

test('a process of the previous release imports no file by its own rules; and a column that was chosen to be left out is not asked about', async () => {
  const { to } = await send('Name,Telefon,Phone\nRita Right,0491572665,0491571491\n');
  const columns = `${to}/columns`;
  await owner.submit(columns, columns, { column1: 'name', column2: 'phone', column3: '' });
  // What it reads is `content`.
  const [row] = await db.query('SELECT content FROM import_file WHERE id = $1', [to.split('/').at(-1)]);
  assert.deepEqual(row, { content: null });
  await owner.submit(to, to);
  assert.equal((await customer('Rita Right'))?.['phone'], '+61491572665');
});

test('always: answers to a dry run of other columns than the file has now are refused, and its dry run stays (specification: Imports 22)', async () => {
  const { to } = await send('Name,Ruf\nAnsa One,0491570110\n');
  const id = to.split('/').at(-1) ?? '';
  const was = (await findFile(db, workshopId, id)) ?? assert.fail();
  const columns = `${to}/columns`;
  assert.equal((await owner.submit(columns, columns, { column1: 'name', column2: 'phone' })).status, 303);
  assert.equal(await replaceReport(db, was), false);
  assert.match((await owner.get(to)).text, /as matched by hand/);
  assert.equal(await replaceReport(db, { ...was, matched: ['name', 'phone'] }), true);
});

test('several columns may hold phone numbers: the first that is filled counts', async () => {
  const { to } = await send('Wer,Handy,Festnetz\nSev Eral,,0491570110\n');
  await owner.submit(to, to, { column1: 'name', column2: 'phone', column3: 'phone' });
  const ofFile = to.replace(/\/columns$/, '');
  await owner.submit(ofFile, ofFile);
  assert.equal((await customer('Sev Eral'))?.['phone'], '+61491570110');
});

test('a workshop has fifty forms, the last used ones (specification: Imports 21)', async () => {
  await db.query(
    `INSERT INTO import_form (workshop_id, kind, heads_sha256, matched, used_at)
     SELECT $1, 'customers', sha256(n::text::bytea), '["name"]', '2020-01-01'::timestamptz + make_interval(days => n) FROM generate_series(1, 60) AS n`,
    [workshopId],
  );
  const { to } = await send('Neu,Alt\nA,0491571804\n');
  await owner.submit(to, to, { column1: 'name', column2: 'phone' });
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM import_form WHERE workshop_id = $1',
    [workshopId],
  );
  assert.equal(row?.count, formsAtMost);
  assert.doesNotMatch((await send('Neu,Alt\nB,0491573770\n')).to, /columns$/);
});
