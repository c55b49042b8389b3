/** The import in the browser: a file is sent, its dry run is shown, and only then is it imported (specification: Imports 2 and 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { importOffice, sendFile } from '../../../test/fixtures/sent-files.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { app, db, workshopId, base, owner, people } = await importOffice();

const send = (
  content: string | Buffer,
  typed: Readonly<Record<string, string>> = {},
  by = owner.cookie,
  fileName?: string,
) => sendFile(app, { owner, base }, content, { typed, by, ...(fileName === undefined ? {} : { fileName }) });

const countOf = async (table: string) =>
  (await db.query(`SELECT FROM ${table} WHERE workshop_id = $1`, [workshopId])).length;

test('a file is checked, shown, and imported once, however often the button is pressed', async () => {
  const { status, to } = await send(
    'Name,Mobile,Rego,Colour\nPat One,0491570156,P1,red\nPat Two,0491570157,P2,blue\n',
  );
  assert.equal(status, 303);
  assert.equal(await countOf('customer'), 0);
  const { text } = await owner.get(to);
  for (const words of [/Dry run/, /New customers<\/dt><dd><bdi>2</, /Colour/, /system\.csv/, /UTF-8/])
    assert.match(text, words);
  assert.doesNotMatch(text, /<b>system|Pat One|0491/);
  const form = fieldsOf(text, to);
  const answers = await Promise.all([owner.post(to, form), owner.post(to, form), owner.post(to, form)]);
  assert.deepEqual(
    [...new Set(answers.map(({ status: each, location }) => `${each} ${location}`))],
    [`303 ${to}`],
  );
  const done = await owner.get(to);
  assert.match(done.text, /<h2>Imported<\/h2>/);
  assert.equal(await countOf('customer'), 2);
  const trail = await db.query<{ actor: string }>(
    `SELECT actor FROM audit_entry WHERE action = 'workshop.imported' AND workshop_id = $1`,
    [workshopId],
  );
  assert.deepEqual(trail, [{ actor: `person ${owner.personId}` }]);
  const [file] = await db.query(
    'SELECT content IS NULL AS gone, state FROM import_file WHERE workshop_id = $1',
    [workshopId],
  );
  assert.deepEqual(file, { gone: true, state: 'imported' });
  // Without waiting for any background work.
  assert.match((await owner.get(`${base}/find?q=P2`)).text, /Pat Two/);
});

test('always: who does not see phones learns by no file whose number it is (specification: Imports 9)', async () => {
  const { to } = await send('Name,Mobile\nPat Six,0491570196\n');
  const blind = await signedInPerson(app, [workshopId], 'owner', { seesPhones: false });
  const customers = await countOf('customer');
  const { status, text } = await send('Name,Mobile,Rego\nPat,0491570156,SPY1\n', {}, blind.cookie);
  assert.equal(status, 403);
  assert.match(text, /You do not see phones and e-mails, and a file of customers has them/);
  for (const path of [`${base}/import`, to, `${to}/faults`])
    assert.equal((await blind.get(path)).status, 403, path);
  assert.equal((await blind.post(to, fieldsOf((await owner.get(to)).text, to))).status, 403);
  assert.equal(await countOf('customer'), customers);
});

test('faults are shown, the first 200 on the page and all as CSV; the rest is imported by choice alone', async () => {
  const rows = Array.from({ length: 250 }, (_, n) => `Row ${n},=1+${n}\n`).join('');
  const { to } = await send(`Name,"Mobile, =phone"\n${rows}`);
  assert.match((await owner.get(to)).text, /No row can be imported|Rows with faults/);
  const mixed = await send(`Name,Mobile\n${rows}Fine,0491570158\n`);
  const page = (await owner.get(mixed.to)).text;
  assert.match(page, /250 faults, of which these are the first 200/);
  const csv = await owner.get(`${mixed.to}/faults`);
  assert.equal(csv.text.split('\r\n').length, 252);
  assert.match(csv.headers.get('content-disposition') ?? '', /attachment/);
  assert.match(csv.text, /^2,Mobile,"?must be a valid phone number/m);
  const form = fieldsOf(page, mixed.to);
  const refused = await owner.post(mixed.to, form);
  assert.equal(refused.status, 422);
  const { status } = await owner.post(mixed.to, { ...fieldsOf(refused.text, mixed.to), skipFaulty: 'on' });
  assert.equal(status, 303);
  assert.equal((await db.query(`SELECT FROM customer WHERE name = 'Fine'`)).length, 1);
});

test('what is no such file, too large, or not theirs to send is refused', async () => {
  const was = await countOf('import_file');
  const nothing = await send(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 8]));
  assert.equal(nothing.status, 422);
  assert.match(nothing.text, /no text file/);
  assert.equal((await send('')).status, 422);
  assert.equal((await send('Name\nA\n', { key: 'short' })).status, 422);
  assert.equal((await send(Buffer.alloc(5 * 1024 * 1024 + 64 * 1024, 'Name\n'))).status, 413);
  assert.equal((await send('Name\nA\n', {}, people.adviser.cookie)).status, 403);
  const stranger = await signedInPerson(app, [await linkedWorkshop(app, [], { name: 'Elsewhere' })]);
  assert.equal((await send('Name\nA\n', {}, stranger.cookie)).status, 404);
  const nobody = await send('Name\nA\n', {}, '');
  assert.deepEqual([nobody.status, nobody.to], [303, '/console/sign-in']);
  const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
  const many = await fetch(`${app.url}${base}/import`, {
    ...{ method: 'POST', body: `${part.repeat(100)}--x--\r\n` },
    headers: {
      cookie: owner.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'multipart/form-data; boundary=x',
    },
  });
  assert.equal(many.status, 400);
  const elsewhere = await fetch(`${app.url}${base}/bookings/new`, {
    ...{ method: 'POST', body: new FormData() },
    headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
  });
  assert.equal(elsewhere.status, 415);
  assert.equal(await countOf('import_file'), was);
});

test('a file that waits can be dropped, is one of three, and goes when somebody is erased', async () => {
  const dropped = await send('Name\nDropped\n');
  const { location } = await owner.submit(dropped.to, `${dropped.to}/drop`);
  assert.match(location ?? '', /said=dropped/);
  assert.equal((await owner.get(dropped.to)).status, 404);
  for (let n = 0; n < 5; n++) await send(`Name\nWaits ${n}\n`);
  const waiting = () =>
    db.query(`SELECT FROM import_file WHERE state = 'checked' AND workshop_id = $1`, [workshopId]);
  assert.equal((await waiting()).length, 3);
  const [pat] = await db.query<{ id: string }>(`SELECT id FROM customer WHERE name = 'Pat One'`);
  await eraseCustomer({ db, clock: app.clock }, pat?.id ?? '', actors.operator);
  assert.equal((await waiting()).length, 0);
  // Nobody who was erased comes back with the same file.
  const again = await send('Name,Mobile,Rego,Colour\nPat One,0491570156,P1,red\n');
  assert.match((await owner.get(again.to)).text, /Left alone: imported before<\/dt><dd><bdi>1</);
});

test('an import whose process has gone is taken on by the schedule, where it stood', async () => {
  const rows = Array.from({ length: 700 }, (_, n) => `Schedule ${n},\n`).join('');
  const { to } = await send(`Name,Mobile\n${rows}`);
  const id = to.split('/').at(-1) ?? '';
  const { advanceImport, advanceImports } = await import('#product/imports/files/advance.ts');
  const { beginImport } = await import('#product/imports/files/stage.ts');
  await beginImport(app.context, { workshopId, id, skipFaulty: false, actor: actors.operator });
  await advanceImport(app.context, workshopId, id, -1);
  const made = async () => (await db.query(`SELECT FROM customer WHERE name LIKE 'Schedule %'`)).length;
  assert.equal(await made(), 300);
  assert.match((await owner.get(to)).text, /300 of 700 rows are done/);
  await advanceImports(app.context);
  assert.equal(await made(), 300, 'somebody has just taken it further');
  await db.query(`UPDATE import_file SET changed_at = changed_at - interval '6 seconds' WHERE id = $1`, [id]);
  await Promise.all([advanceImports(app.context), advanceImports(app.context)]);
  assert.equal(await made(), 700);
  assert.match((await owner.get(to)).text, /<h2>Imported<\/h2>/);
  // By its end open pages hear of what was made.
  const ends = await db.query<{ rows: string }>(
    `SELECT after ->> 'rows' AS rows FROM audit_entry WHERE action = 'workshop.importEnded' AND workshop_id = $1`,
    [workshopId],
  );
  assert.equal(ends.filter(({ rows }) => rows === '700').length, 1);
});

test('what no column of the database can hold is taken out of names, or is a fault of its row, and never ends an import', async () => {
  const marked = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const shown = async (sent: { readonly status: number; readonly to: string }) => {
    assert.equal(sent.status, 303);
    return (await owner.get(sent.to)).text;
  };
  assert.match(await shown(await send('Name\nAnn\n', {}, owner.cookie, 'a\0b.csv')), /<h1><bdi>a b\.csv</);
  assert.match(await shown(await send(marked('Name,Sha\0pe\nAnn,1\n'))), /Sha pe/);
  // A pair of surrogates is not cut in two.
  assert.match(await shown(await send(`Name,${'x'.repeat(59)}😀y\nAnn,1\n`)), /x😀</);
  const rows = 'Ann,2026-01-02 10:00,Oil\0\nBob,2026-01-02 10:00,Oil\n';
  const services = await send(marked(`Name,Date,Services\n${rows}`), { kind: 'bookings' });
  const text = await shown(services);
  assert.match(text, /must be at most 20 services/);
  const { status } = await owner.post(services.to, { ...fieldsOf(text, services.to), skipFaulty: 'on' });
  assert.equal(status, 303);
  assert.match((await owner.get(services.to)).text, /<h2>Imported<\/h2>/);
  const long = await send(`First name,Last name\n${'n'.repeat(200)},${'m'.repeat(200)}\n`);
  assert.match(await shown(long), /must have at most 255 characters together with the first name/);
});

test('while three files of a workshop are being checked a further one is refused, with when to send it again', async () => {
  const { inTurn } = await import('#product/imports/files/in-turn.ts');
  const { to } = await send('Name,Mobile\nAnn,1\n');
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = Array.from({ length: 3 }, () => inTurn(workshopId, () => promise));
  const refused = await send('Name\nAnn\n');
  assert.equal(refused.status, 422);
  assert.match(refused.text, /try again in a minute/);
  const list = await owner.get(`${to}/faults`);
  assert.deepEqual([list.status, list.headers.get('retry-after')], [429, '60']);
  // Others may come, up to eight in all.
  held.push(...Array.from({ length: 5 }, (_, n) => inTurn(`other ${n % 2}`, () => promise)));
  await assert.rejects(
    inTurn('third', () => promise),
    { status: 429 },
  );
  resolve();
  await Promise.all(held);
  assert.equal((await send('Name\nAnn\n')).status, 303);
  assert.equal((await owner.get(`${to}/faults`)).status, 200);
});
