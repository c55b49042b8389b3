/** Long because it has a case for each thing that may happen to a record meanwhile. Taking an import back, record by record (specification: Imports). */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { change } from '#platform/change/change.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { findAsTyped } from '#product/customers/search/find.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { customersFile, importWorld } from '../../../../test/fixtures/imports.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';
import { rowsAtOnce } from '../entries.ts';
import { purgeImports } from '../files/advance.ts';
import { writeSet } from '../write.ts';
import { listStayed } from './noted/store.ts';
import { findRun, listRuns } from './run/store.ts';
import { advanceTakeBack, beginTakeBack, stopTakeBack, takeBackImports } from './take-back.ts';

const { app, run } = await importWorld();
const { context } = app;
const { db, clock } = context;
const actor = actors.operator;
let partner: Awaited<ReturnType<typeof signedInPartner>>;
let at = '';
before(async () => {
  partner = await signedInPartner(app);
  at = await newWorkshop('Take back');
});
const newWorkshop = (name: string) => linkedWorkshop(app, [partner], { name });

const begin = (importId: string, workshopId = at) => beginTakeBack(context, { workshopId, importId, actor });
async function takeBack(importId: string, workshopId = at) {
  await begin(importId, workshopId);
  await advanceTakeBack(context, workshopId, importId);
  return (await findRun(db, workshopId, importId))?.counts;
}
const stayed = async (importId: string, workshopId = at) =>
  (await listStayed(db, workshopId, importId, { after: null, limit: 100 })).map(
    ({ kind, stays, customerName }) => [kind, stays, customerName],
  );
const rowsOf = async (table: string, workshopId = at) =>
  (await db.query(`SELECT FROM ${table} WHERE workshop_id = $1`, [workshopId])).length;
const customer = async (phone: string, workshopId = at) => {
  const [row] = await db.query<Record<string, unknown> & { id: string }>(
    `SELECT id, name, first_name, last_name, email, company, suburb, tags, opted_out_at IS NOT NULL AS opted_out, details_from
       FROM customer WHERE phone = $1 AND workshop_id = $2`,
    [phone, workshopId],
  );
  return row ?? assert.fail(`nobody has ${phone}`);
};
const counts = { bookingsGone: 0, carsGone: 0, customersGone: 0, setBack: 0, stayed: 0 };

test('always: what a file made goes, places with it, nobody is told, and the same file makes it again (specification: Imports 16 and 18)', async () => {
  const workshopId = await newWorkshop('One bay');
  const hours = [{ from: '08:00', to: '17:00' }];
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const setUp = {
    workshopId,
    settings: { enforceAvailability: true, bays: 1 },
    hours: Object.fromEntries(days.map((day) => [day, hours])),
  };
  await importWorkshop({ db, clock }, JSON.stringify(setUp), actor);
  const day = new Date(clock.now().getTime() + 5 * 86_400_000).toISOString().slice(0, 10);
  const free = async () =>
    JSON.stringify(
      (await partner.call('GET', `/workshops/${workshopId}/availabilities?from=${day}&to=${day}`)).body,
    );
  const was = await free();
  const content = `Date,Time,Name,Mobile,Rego\n${day},10:00,Ann Able,0491570156,ANN1\n${day},11:00,Ben Best,0491570157,BEN1\n2024-02-03,9:00,Walk In,,\n`;
  const first = await run('bookings', content, { at: workshopId });
  assert.equal(first.made.bookingsMade, 3);
  assert.notEqual(await free(), was);
  await app.drain();
  const events = await rowsOf('event', workshopId);
  assert.deepEqual(await takeBack(first.importId, workshopId), {
    ...counts,
    ...{ bookingsGone: 3, carsGone: 3, customersGone: 3 },
  });
  assert.deepEqual(await stayed(first.importId, workshopId), []);
  for (const table of ['booking', 'car', 'customer', 'import_row', 'search_term', 'search_customer'])
    assert.equal(await rowsOf(table, workshopId), 0, table);
  assert.equal(await free(), was);
  await app.drain();
  assert.equal(await rowsOf('event', workshopId), events);
  assert.deepEqual([app.sms.sent, app.email.sent], [[], []]);
  const sought = { workshopId, q: 'ann able', limit: 5, seesPhones: true, now: clock.now() };
  assert.deepEqual((await findAsTyped(db, sought)).customers, []);
  assert.deepEqual((await examine(context, { repair: false })).findings, []);
  const again = await run('bookings', content, { at: workshopId });
  assert.deepEqual(again.made, first.made);
});

test('always: the trail has one entry, and a second click does nothing; nor do two at once (specification: Imports 19)', async () => {
  const workshopId = await newWorkshop('Twice');
  const { importId } = await run('customers', customersFile({ name: 'A', rego: 'A1' }), { at: workshopId });
  const kept = await run('customers', customersFile({ name: 'B' }), { at: workshopId });
  await Promise.all([takeBack(importId, workshopId), takeBack(importId, workshopId)]);
  await takeBack(importId, workshopId);
  const entries = await db.query<{ actor: string; after: object }>(
    `SELECT actor, after FROM audit_entry WHERE action = 'workshop.importTakenBack' AND workshop_id = $1`,
    [workshopId],
  );
  const after = { kind: 'customers', isWhole: true, ...counts, carsGone: 1, customersGone: 1 };
  assert.deepEqual(entries, [{ actor: 'operator', after }]);
  // Another file's stay.
  assert.equal(await rowsOf('customer', workshopId), 1);
  assert.equal((await findRun(db, workshopId, kept.importId))?.state, 'written');
});

test('always: what has a message, a booking, a quote or an opt-out, or was changed, stays and is listed (specification: Imports 16)', async () => {
  const workshopId = await newWorkshop('Touched');
  const names = ['Booked', 'Changed', 'Message', 'Opted', 'Quoted', 'Retagged', 'Untouched', 'Noted'];
  const phone = (n: number) => `049157${String(1000 + n)}`;
  const { importId } = await run(
    'customers',
    `Name,Mobile,Rego,Opted out\n${names.map((name, n) => `${name} One,${phone(n)},REG${n},`).join('\n')}\nStopped One,0491571099,,yes\n`,
    { at: workshopId },
  );
  const to = (n: number, name: string) => ({
    ...{ customerPhone: phone(n), customerName: `${name} One`, customerEmail: 'x@x.example' },
  });
  const booked = await partner.call(
    'POST',
    '/bookings',
    bookingBody(workshopId, { ...to(0, 'Booked'), carRego: 'REG0' }),
  );
  assert.equal(booked.status, 201);
  await db.query(
    `UPDATE customer SET email = 'new@x.example' WHERE name = 'Changed One' AND workshop_id = $1`,
    [workshopId],
  );
  const sms = { phone: phone(2), channels: { sms: { message: 'Hello' } } };
  assert.equal((await partner.call('POST', `/workshops/${workshopId}/messages`, sms)).status, 200);
  await setOptedOut({ db, clock }, (await customer('+61491571003', workshopId)).id, true, actor);
  const services = [{ title: 'Brakes' }];
  const quote = { workshopId, ...to(4, 'Quoted'), carRego: 'REG4', services };
  assert.equal((await partner.call('POST', '/quotes', quote)).status, 201);
  await db.query(`UPDATE customer SET tags = '{vip}' WHERE name = 'Retagged One' AND workshop_id = $1`, [
    workshopId,
  ]);
  await db.query(
    `INSERT INTO talk_note (id, workshop_id, customer_id, text, actor, created_at)
     SELECT gen_random_uuid(), workshop_id, id, 'x', 'operator', now() FROM customer WHERE name = 'Noted One' AND workshop_id = $1`,
    [workshopId],
  );
  await db.query(`UPDATE car SET make = 'Ute' WHERE rego = 'REG5' AND workshop_id = $1`, [workshopId]);
  const made = await takeBack(importId, workshopId);
  assert.deepEqual((await stayed(importId, workshopId)).toSorted(), [
    ['car', 'booking', 'Booked One'],
    ['car', 'changed', 'Retagged One'],
    ['car', 'quote', 'Quoted One'],
    ['customer', 'booking', 'Booked One'],
    ['customer', 'changed', 'Changed One'],
    ['customer', 'changed', 'Retagged One'],
    ['customer', 'message', 'Message One'],
    ['customer', 'optedOut', 'Opted One'],
    ['customer', 'optedOut', 'Stopped One'],
    ['customer', 'quote', 'Quoted One'],
    ['customer', 'used', 'Noted One'],
  ]);
  assert.deepEqual(made, { ...counts, carsGone: 5, customersGone: 1, stayed: 11 });
  assert.equal((await customer('+61491571099', workshopId))['optedOut'], true);
  // Another workshop reads none of it.
  assert.deepEqual(await stayed(importId, at), []);
});

test('always: what the file changed in known records is set back only where it still has the file’s value, and opt-outs stay (specification: Imports 17)', async () => {
  const workshopId = await newWorkshop('Set back');
  await run('customers', 'Name,Mobile,Rego\n,0491570156,K1\n,0491570157,K2\nKnown,0491570158,K3\n', {
    at: workshopId,
  });
  const was = await customer('+61491570156', workshopId);
  const { importId, made } = await run(
    'customers',
    [
      'Name,Mobile,Rego,E-mail,Company,Suburb,Tags,Opted out,Make,Model',
      'Una Untouched,0491570156,K1,una@x.example,Una Co,Carlton,a,,Kia,Rio',
      'Cara Changed,0491570157,K2,cara@x.example,Cara Co,Carlton,"a,b",yes,Kia,Rio',
      'Other Name,0491570158,K3,,,,,,,',
    ].join('\n'),
    { at: workshopId },
  );
  assert.equal(made.customersJoined, 3);
  assert.equal((await customer('+61491570156', workshopId))['name'], 'Una Untouched');
  await db.query(
    `UPDATE customer SET email = 'mine@x.example', last_name = 'Mine' WHERE phone = '+61491570157' AND workshop_id = $1`,
    [workshopId],
  );
  await db.query(`UPDATE car SET model = 'Picanto' WHERE rego = 'K2' AND workshop_id = $1`, [workshopId]);
  assert.deepEqual(await takeBack(importId, workshopId), { ...counts, setBack: 4, stayed: 2 });
  assert.deepEqual(await customer('+61491570156', workshopId), was);
  const { id: _, detailsFrom, ...cara } = await customer('+61491570157', workshopId);
  assert.deepEqual(cara, {
    ...{ name: 'Cara Changed', firstName: 'Cara', lastName: 'Mine', email: 'mine@x.example' },
    ...{ company: null, suburb: null, tags: [], optedOut: true },
  });
  assert.equal((detailsFrom as unknown[]).length, 1);
  const cars = await db.query(`SELECT rego, make, model FROM car WHERE workshop_id = $1 ORDER BY rego`, [
    workshopId,
  ]);
  assert.deepEqual(cars, [
    { rego: 'K1', make: null, model: null },
    { rego: 'K2', make: null, model: 'Picanto' },
    { rego: 'K3', make: null, model: null },
  ]);
  assert.deepEqual(await stayed(importId, workshopId), [
    ['car', 'changed', 'Cara Changed'],
    ['customer', 'changed', 'Cara Changed'],
  ]);
  // Imported again, what was set back is filled again.
  const again = await run('customers', 'Name,Mobile,E-mail\nUna Untouched,0491570156,una@x.example\n', {
    at: workshopId,
  });
  assert.equal(again.made.customersJoined, 1);
});

test('always: a number that the file gave is taken away again, but not where somebody was texted at it; marks of who did not come go (specification: Imports 17)', async () => {
  const workshopId = await newWorkshop('Numbers');
  await run('customers', 'Name,Rego\nNora Number,N1\nTess Texted,T1\n', { at: workshopId });
  const numbered = 'Name,Rego,Mobile\nNora Number,N1,0491570156\nTess Texted,T1,0491570157\n';
  const { importId, made } = await run('customers', numbered, { at: workshopId });
  assert.deepEqual([made.customersMade, made.customersJoined], [0, 2]);
  const sms = { phone: '+61491570157', channels: { sms: { message: 'Hello' } } };
  assert.equal((await partner.call('POST', `/workshops/${workshopId}/messages`, sms)).status, 200);
  assert.deepEqual(await takeBack(importId, workshopId), { ...counts, setBack: 1, stayed: 1 });
  assert.deepEqual(await stayed(importId, workshopId), [['customer', 'changed', 'Tess Texted']]);
  const phones = await db.query('SELECT name, phone FROM customer WHERE workshop_id = $1 ORDER BY name', [
    workshopId,
  ]);
  assert.deepEqual(phones, [
    { name: 'Nora Number', phone: null },
    { name: 'Tess Texted', phone: '+61491570157' },
  ]);
  // The mended file gives it again.
  const again = await run('customers', numbered, { at: workshopId });
  assert.deepEqual([again.made.customersMade, again.made.customersJoined], [0, 2]);
  const visits = 'Date,Time,Name,Mobile,Rego,Status\n2024-02-03,9:00,Noel,0491570158,N2,No show\n';
  const missed = await run('bookings', visits, { at: workshopId });
  assert.equal((await db.query('SELECT FROM attendance')).length, 1);
  assert.deepEqual(await takeBack(missed.importId, workshopId), {
    ...counts,
    ...{ bookingsGone: 1, carsGone: 1, customersGone: 1 },
  });
  assert.equal((await db.query('SELECT FROM attendance')).length, 0);
});

test('always: after a file of bookings, the file of customers before it can be taken back too; in the other order whoever is booked stays', async () => {
  const workshopId = await newWorkshop('Two files');
  const people = 'Name,Mobile,Rego\nPat,0491570156,P1\nQuin,0491570157,Q1\n';
  const work =
    'Date,Time,Name,Mobile,Rego,E-mail,Make\n2024-02-03,9:00,Pat,0491570156,P1,pat@x.example,Kia\n';
  const customers = await run('customers', people, { at: workshopId });
  const bookings = await run('bookings', work, { at: workshopId });
  assert.deepEqual(await takeBack(bookings.importId, workshopId), { ...counts, bookingsGone: 1, setBack: 2 });
  assert.deepEqual(await takeBack(customers.importId, workshopId), {
    ...counts,
    carsGone: 2,
    customersGone: 2,
  });
  const second = await run('customers', people, { at: workshopId });
  await run('bookings', work, { at: workshopId });
  await takeBack(second.importId, workshopId);
  assert.deepEqual(await stayed(second.importId, workshopId), [
    ['car', 'booking', 'Pat'],
    ['customer', 'booking', 'Pat'],
  ]);
});

test('always: a booking of a customer who was merged since stays, when the kept one was texted about it', async () => {
  const workshopId = await newWorkshop('Merged since');
  await run('customers', 'Name,Mobile\nKay Kept,0491570156\n', { at: workshopId });
  const visits =
    'Date,Time,Name,Mobile,Rego\n2024-02-03,9:00,Max,0491570157,M1\n2024-02-04,9:00,Max,0491570157,M1\n';
  const { importId } = await run('bookings', visits, { at: workshopId });
  const kept = (await customer('+61491570156', workshopId)).id;
  const gone = (await customer('+61491570157', workshopId)).id;
  await mergeCustomers(context, {
    ...{ workshopId, actor, both: [{ customerId: kept }, { customerId: gone }] },
  });
  const [told] = await db.query<{ id: string }>(
    'SELECT id FROM booking WHERE workshop_id = $1 ORDER BY date LIMIT 1',
    [workshopId],
  );
  await sendOwnMessage(context, {
    ...{
      workshopId,
      to: { customerId: kept },
      bookingId: told?.id ?? null,
      content: { text: 'Done' },
      actor,
      ground: { reason: 'They asked' },
    },
  });
  assert.equal((await takeBack(importId, workshopId))?.bookingsGone, 1);
  assert.deepEqual(
    (await stayed(importId, workshopId)).filter(([kind]) => kind === 'booking').map(([, why]) => why),
    ['message'],
  );
});

test('always: whom another file names too stays with that one, and a car that staff made one with another stays', async () => {
  const workshopId = await newWorkshop('Both files');
  const first = 'Name,Mobile,Rego\nAda,0491570156,AD1\nBob,0491570157,BO1\nCyd,0491570158,CY-1\n';
  const one = await run('customers', first, { at: workshopId });
  const two = await run('customers', 'Mobile,Name,Rego\n0491570156,Ada,AD1\n0491570159,Dee,\n', {
    at: workshopId,
  });
  assert.deepEqual([two.made.customersJoined, two.made.leftAlone], [0, 1], 'the same row is left alone');
  const three = await run(
    'customers',
    'Name,Mobile,Rego,Colour\nAda,0491570156,,red\nBob B,0491570157,BO1,\n',
    { at: workshopId },
  );
  assert.equal(three.made.customersJoined, 2);
  await db.query(`UPDATE car SET same_car = true WHERE rego = 'CY-1' AND workshop_id = $1`, [workshopId]);
  await takeBack(one.importId, workshopId);
  assert.deepEqual(await stayed(one.importId, workshopId), [
    ['car', 'imported', 'Bob'],
    ['car', 'changed', 'Cyd'],
    ['customer', 'imported', 'Ada'],
    ['customer', 'imported', 'Bob'],
    ['customer', 'changed', 'Cyd'],
  ]);
  assert.deepEqual(
    await takeBack(three.importId, workshopId),
    { ...counts },
    'it had made and filled in nothing',
  );
  assert.equal(await rowsOf('customer', workshopId), 4);
});

test('always: it is too late an hour after the last rows, by either clock; then nothing of it is kept (specification: Imports 16 and 20)', async () => {
  const workshopId = await newWorkshop('Late');
  const content = customersFile({ name: 'A', phone: '0491570156' });
  const { importId } = await run('customers', content, { at: workshopId });
  const moved = (times: string) => db.query(`UPDATE import_run SET ${times} WHERE id = $1`, [importId]);
  await moved(`written_at = written_at - interval '61 minutes'`);
  await assert.rejects(begin(importId, workshopId), /made over an hour ago/);
  await moved(
    `written_at = written_at + interval '61 minutes', changed_at = changed_at - interval '61 minutes'`,
  );
  await assert.rejects(begin(importId, workshopId), /made over an hour ago/);
  await purgeImports(context);
  assert.equal((await db.query('SELECT FROM import_change WHERE import_id = $1', [importId])).length, 1);
  const older = (minutes: number) =>
    db.query(
      `UPDATE import_change SET kept_from = kept_from - make_interval(mins => $2) WHERE import_id = $1`,
      [importId, minutes],
    );
  await older(71);
  await purgeImports(context);
  const [first] = await db.query('SELECT FROM import_change WHERE import_id = $1', [importId]);
  assert.ok(first, 'an early record of a long import is kept from its last rows on');
  await moved(`changed_at = changed_at - interval '10 minutes'`);
  await purgeImports(context);
  assert.equal((await db.query('SELECT FROM import_change WHERE import_id = $1', [importId])).length, 0);
  assert.equal(await rowsOf('customer', workshopId), 1);
});

test('an import of another workshop, one that is not, and one of a release before are refused, and nothing changes (specification: Imports 20)', async () => {
  const workshopId = await newWorkshop('Refused');
  const { importId } = await run('customers', customersFile({ name: 'A' }), { at: workshopId });
  await assert.rejects(begin(importId, at), { errorCode: '000002' });
  await assert.rejects(begin('01900000-0000-7000-8000-000000000fff', workshopId), { errorCode: '000002' });
  const file = (state: string, taken: number, id: string) =>
    db.query(
      `INSERT INTO import_file (id, workshop_id, actor, kind, file_name, state, report, taken, changed_at)
       VALUES ($1, $2, 'operator', 'customers', '', $3, '{}', $4, now())`,
      [id, workshopId, state, taken],
    );
  // Some of its rows were written by a process of the previous release.
  await file('imported', 5, importId);
  await assert.rejects(begin(importId, workshopId), /did not note what it made/);
  await db.query(`UPDATE import_file SET state = 'importing' WHERE id = $1`, [importId]);
  await assert.rejects(begin(importId, workshopId), /not imported yet/);
  const [old] = await db.query<{ id: string }>('SELECT gen_random_uuid() AS id');
  await file('imported', 5, old?.id ?? '');
  await assert.rejects(begin(old?.id ?? '', workshopId), /did not note what it made/);
  assert.equal(await rowsOf('customer', workshopId), 1);
});

test('always: a crash in the middle loses nothing: the schedule goes on where it stopped (specification: Imports 19)', async () => {
  const workshopId = await newWorkshop('Crash');
  const rows = Array.from({ length: rowsAtOnce }, (_, n) => ({ name: `N ${n}`, rego: `R${n}` }));
  const { importId } = await run('customers', customersFile(...rows), { at: workshopId });
  await begin(importId, workshopId);
  // The process ends after one piece; the next piece fails before its commit.
  await advanceTakeBack(context, workshopId, importId, -1);
  assert.equal(await rowsOf('car', workshopId), rowsAtOnce - 200);
  await db.pool.query(
    `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$;
     CREATE TRIGGER break_off BEFORE DELETE ON customer FOR EACH STATEMENT EXECUTE FUNCTION break_off()`,
  );
  await assert.rejects(advanceTakeBack(context, workshopId, importId), /broken off/);
  await db.pool.query('DROP TRIGGER break_off ON customer; DROP FUNCTION break_off()');
  // Nothing of it is swept meanwhile, however long that takes.
  await db.query(`UPDATE import_change SET kept_from = '2020-01-01' WHERE import_id = $1`, [importId]);
  await db.query(`UPDATE import_run SET changed_at = '2020-01-01' WHERE id = $1`, [importId]);
  await purgeImports(context);
  await Promise.all([takeBackImports(context), takeBackImports(context)]);
  assert.deepEqual((await findRun(db, workshopId, importId))?.counts, {
    ...counts,
    ...{ carsGone: rowsAtOnce, customersGone: rowsAtOnce },
  });
  for (const table of ['customer', 'car', 'import_row'])
    assert.equal(await rowsOf(table, workshopId), 0, table);
  const entries = await db.query(
    `SELECT FROM audit_entry WHERE action = 'workshop.importTakenBack' AND workshop_id = $1`,
    [workshopId],
  );
  assert.equal(entries.length, 1);
});

test('always: while an import is being taken back no file is imported, which would find its rows there and be lost with them (specification: Imports 22)', async () => {
  const workshopId = await newWorkshop('Sent again');
  const content = customersFile({ name: 'Again', phone: '0491570156' });
  const { importId } = await run('customers', content, { at: workshopId });
  await begin(importId, workshopId);
  await assert.rejects(run('customers', content, { at: workshopId }), /another import is being taken back/);
  await advanceTakeBack(context, workshopId, importId);
  assert.equal((await run('customers', content, { at: workshopId })).made.customersMade, 1);
});

test('an import that breaks off can be taken back, and writes nothing more when it is (specification: Imports 19)', async () => {
  const workshopId = await newWorkshop('Broken off');
  const rows = Array.from({ length: rowsAtOnce + 20 }, (_, n) => ({ name: `N ${n}` }));
  await assert.rejects(run('customers', customersFile(...rows), { at: workshopId, breakAfter: 1 }), /broken/);
  assert.equal(await rowsOf('customer', workshopId), rowsAtOnce);
  const [{ id: importId } = assert.fail()] = await listRuns(db, workshopId, 1);
  await takeBack(importId, workshopId);
  assert.equal(await rowsOf('customer', workshopId), 0);
  const set = { rows: 1, faulty: 1, good: [], faults: [], lacksPhones: false };
  await assert.rejects(
    change(context, ({ tx, now }) => writeSet(tx, { importId, workshopId, kind: 'customers' }, set, now)),
    /is being taken back: nothing more of it is imported/,
  );
});

test('always: a customer who changes their booking meanwhile keeps it, or finds it gone; never half', async () => {
  const workshopId = await newWorkshop('Race');
  for (let round = 0; round < 6; round++) {
    const content = `Date,Time,Name,Mobile,Rego\n2031-02-0${round + 1},10:00,Racer ${round},04915711${10 + round},RC${round}\n`;
    const { importId } = await run('bookings', content, { at: workshopId });
    const [booking] = await db.query<{ id: string; version: number }>(
      'SELECT id, version FROM booking WHERE workshop_id = $1 AND contact_name = $2',
      [workshopId, `Racer ${round}`],
    );
    const path = `/b/${await manageCode(db, booking?.id ?? '')}`;
    const cancel = fetch(`${app.url}${path}/cancel`, {
      ...{ method: 'POST', redirect: 'manual' },
      body: new URLSearchParams({ version: '1', reason: '' }),
    });
    const [answer] = await Promise.all([cancel, takeBack(importId, workshopId)]);
    const [left] = await db.query<{ status: string; customers: number }>(
      `SELECT status, (SELECT count(*)::int FROM customer WHERE id = b.customer_id) AS customers FROM booking b WHERE id = $1`,
      [booking?.id],
    );
    assert.ok(answer.status < 500, String(answer.status));
    if (left === undefined) assert.notEqual(answer.status, 303, 'it was cancelled, and is gone');
    else {
      assert.deepEqual([answer.status, left], [303, { status: 'cancelled', customers: 1 }]);
      assert.deepEqual(
        (await stayed(importId, workshopId)).map(([kind]) => kind),
        ['booking', 'car', 'customer'],
      );
    }
  }
  // In each order: a change that is not committed yet is waited for.
  const { importId } = await run(
    'bookings',
    'Date,Time,Name,Mobile,Rego\n2031-03-01,10:00,Held,0491571150,HLD1\n',
    { at: workshopId },
  );
  let going: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.query(
      `UPDATE booking SET notes = 'mine', version = version + 1 WHERE contact_name = 'Held' AND workshop_id = $1`,
      [workshopId],
    );
    going = takeBack(importId, workshopId);
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await db.query(waits)).length === 0) await new Promise(setImmediate);
  });
  await going;
  assert.deepEqual(
    (await stayed(importId, workshopId)).map(([kind, why]) => [kind, why]),
    [
      ['booking', 'changed'],
      ['car', 'booking'],
      ['customer', 'booking'],
    ],
  );
});

test('always: a partner who books a customer of the file meanwhile has the booking, with a customer and a car', async () => {
  const workshopId = await newWorkshop('Booked meanwhile');
  for (let round = 0; round < 8; round++) {
    const [phone, carRego] = [`04915714${10 + round}`, `BM${round}`];
    const content = customersFile({ name: `Meanwhile ${round}`, phone, rego: carRego });
    const { importId } = await run('customers', content, { at: workshopId });
    const body = bookingBody(workshopId, {
      customerPhone: phone,
      customerName: `Meanwhile ${round}`,
      carRego,
    });
    const [answer] = await Promise.all([
      partner.call('POST', '/bookings', body),
      takeBack(importId, workshopId),
    ]);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const [row] = await db.query<{ name: string; rego: string }>(
      `SELECT k.name, car.rego FROM booking b JOIN customer k ON k.id = b.customer_id JOIN car ON car.id = b.car_id WHERE b.id = $1`,
      [answer.body.booking.id],
    );
    assert.deepEqual(row, { name: `Meanwhile ${round}`, rego: carRego });
  }
});

test('always: nobody who was erased comes back with the file, and what the file said of them is gone at once (specification: Imports 18)', async () => {
  const workshopId = await newWorkshop('Erased');
  const content = 'Name,Mobile,E-mail\nEve,0491570156,eve@x.example\n';
  await run('customers', customersFile({ name: '', phone: '0491570156' }), { at: workshopId });
  const { importId } = await run('customers', content, { at: workshopId });
  const { id } = await customer('+61491570156', workshopId);
  await eraseCustomer({ db, clock }, id, actor);
  const kept = await db.query('SELECT fields FROM import_change WHERE record_id = $1 AND import_id = $2', [
    id,
    importId,
  ]);
  assert.deepEqual(kept, [{ fields: null }]);
  await takeBack(importId, workshopId);
  assert.deepEqual(await stayed(importId, workshopId), [['customer', 'changed', 'Erased']]);
  const { made } = await run('customers', content, { at: workshopId });
  assert.deepEqual([made.leftAlone, made.customersMade], [1, 0]);
});

test('always: every table that refers to a customer, car or booking keeps an imported one, or goes with it', async () => {
  const judged = await readFile(new URL('store.ts', import.meta.url), 'utf8');
  const references = await db.query<{ name: string; of: string; goes: boolean }>(
    `SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS of, confdeltype = 'c' AS goes FROM pg_constraint
      WHERE contype = 'f' AND confrelid IN ('customer'::regclass, 'car'::regclass, 'booking'::regclass)`,
  );
  assert.ok(references.length > 12);
  // A row of the inbox is also of customers who were merged; a link to a booking is made with a notice of it.
  const isJudged = ({ name, of }: { readonly name: string; readonly of: string }) =>
    [`has('${name}', '${name}.${of}_id = r.id`, `'${name}'`, `has('${name} other'`].some((text) =>
      judged.includes(text),
    );
  assert.deepEqual(
    references.filter((each) => !each.goes && !isJudged(each)),
    [],
  );
});

test('given up by the operator, the rest of the import stays and the trail says so', async () => {
  const workshopId = await newWorkshop('Given up');
  const { importId } = await run('customers', customersFile({ name: 'A' }), { at: workshopId });
  await begin(importId, workshopId);
  await db.transaction((tx) => stopTakeBack(tx, importId, clock.now()));
  await takeBack(importId, workshopId);
  assert.equal((await findRun(db, workshopId, importId))?.state, 'stopped');
  assert.equal(await rowsOf('customer', workshopId), 1);
  const [entry] = await db.query<{ whole: string }>(
    `SELECT after ->> 'isWhole' AS whole FROM audit_entry WHERE action = 'workshop.importTakenBack' AND workshop_id = $1`,
    [workshopId],
  );
  assert.equal(entry?.whole, 'false');
});
