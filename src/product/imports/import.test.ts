/**
 * Imports of files: what they create, that the dry run changes nothing and predicts the import, and every fault (specification:
 * Imports 1, 2, 3, 5 and 6).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { customersFile, exampleFile, importWorld } from '../../../test/fixtures/imports.ts';
import { mergeCustomers } from '../customers/merge/merge.ts';
import { findAsTyped } from '../customers/search/find.ts';
import type { ImportKind } from './columns.ts';

const { app, workshopId, dryRun, run, rowsOfAllTables } = await importWorld();
const { context } = app;
const { db, clock } = context;

test('the examples of the guide are imported, and nobody is notified', async () => {
  const was = await rowsOfAllTables();
  const first = await dryRun('customers', await exampleFile('customers'));
  assert.deepEqual(await rowsOfAllTables(), was, 'the dry run changed something');
  assert.deepEqual(first.faults, []);
  const customers = await run('customers', await exampleFile('customers'));
  const expected = { rows: 4, faulty: 0, leftAlone: 0, bookingsMade: 0 };
  assert.deepEqual(customers.made, { ...expected, customersMade: 3, customersJoined: 1, carsMade: 4 });
  assert.deepEqual(customers.dry, customers.made);

  const bookings = await run('bookings', await exampleFile('bookings'));
  assert.deepEqual(bookings.faults, []);
  assert.deepEqual(bookings.dry, bookings.made);
  assert.deepEqual(bookings.made, {
    ...{ rows: 4, faulty: 0, leftAlone: 0, bookingsMade: 4 },
    // A walk-in without a phone never matches another one.
    ...{ customersMade: 1, customersJoined: 3, carsMade: 1 },
  });
  await app.drain();
  const now = await rowsOfAllTables();
  for (const table of [
    'event',
    'message',
    'queued_message',
    'webhook_delivery',
    'partner_event',
    'automation_run',
  ])
    assert.equal(now[table], was[table], table);
  assert.deepEqual([app.sms.sent, app.email.sent], [[], []]);

  const { customers: found } = await findAsTyped(db, {
    ...{ workshopId, q: 'ABC 123', limit: 5, seesPhones: true, now: clock.now() },
  });
  assert.deepEqual(
    found.map(({ name }) => name),
    ['Sam Taylor'],
  );
  const rows = await db.query<Record<string, unknown>>(
    `SELECT status, occupied_from IS NOT NULL AS has_place, held_to, anyway_reason, notes, partner_id FROM booking
      WHERE workshop_id = $1 ORDER BY date`,
    [workshopId],
  );
  const own = { heldTo: null, partnerId: null };
  const past = { ...own, hasPlace: false, anywayReason: null };
  assert.deepEqual(rows, [
    { ...past, status: 'completed', notes: 'Squeaks\nwhen braking' },
    { ...past, status: 'completed', notes: null },
    { ...past, status: 'cancelled', notes: null },
    { ...own, status: 'confirmed', hasPlace: true, anywayReason: 'Imported', notes: 'Has a tow bar' },
  ]);
  assert.deepEqual((await examine(context, { repair: false })).findings, []);
  const trail = await db.query<{ actor: string; action: string; after: object }>(
    `SELECT actor, action, after FROM audit_entry WHERE action LIKE 'workshop.import%' AND workshop_id = $1
      ORDER BY after->>'kind' DESC, action DESC`,
    [workshopId],
  );
  assert.deepEqual(
    trail.map(({ actor, action, after }) => [actor, action, after]),
    [
      ['operator', 'workshop.imported', { kind: 'customers', ...customers.dry }],
      ['operator', 'workshop.importEnded', { kind: 'customers', ...customers.made }],
      ['operator', 'workshop.imported', { kind: 'bookings', ...bookings.dry }],
      ['operator', 'workshop.importEnded', { kind: 'bookings', ...bookings.made }],
    ],
  );
  const again = await run('bookings', await exampleFile('bookings'));
  assert.deepEqual([again.made.leftAlone, again.made.bookingsMade], [4, 0]);
});

test('every fault is named by its line and column, without the value, and the other rows are imported', async () => {
  const content = [
    'Date,Time,Name,Mobile,E-mail,Year,Registration,Status,Opted out,Colour',
    '2024-03-03,8:30,Fine Row,0491570158,,2020,FINE1,,,',
    '03/04/2024,8:30,X,12345,no-mail,20,OK1,maybe,perhaps,',
    '2024-10-06,2:30,X,,,,,,,',
    '2024-04-07,2:30,X,,,,,,,',
    '2024-04-07,2:30 second,X,,,,,,,',
    '2024-03-03,8:30,,,,,,,,',
    '2099-03-03,,X,,,,,,,',
    '2024-02-30,8:30,X,,,,,,,',
    '2024-02-03,8,X,,,,,,,',
    'too,few',
    '2024-03-03,8:30,"X',
  ].join('\r\n');
  const { faults, made, dry } = await run('bookings', content);
  assert.deepEqual(
    faults.map(({ line, column }) => [line, column]),
    [
      ...['Date', 'Mobile', 'E-mail', 'Year', 'Status', 'Opted out'].map((column) => [3, column]),
      ...[
        [4, 'Time'],
        [5, 'Time'],
        [7, ''],
        [8, 'Date'],
        [9, 'Date'],
        [10, 'Time'],
        [11, ''],
        [12, ''],
      ],
    ],
  );
  assert.doesNotMatch(JSON.stringify(faults), /12345|no-mail|maybe|perhaps/);
  assert.match(JSON.stringify(faults), /can be two dates.*skipped.*comes twice/s);
  assert.deepEqual([made.rows, made.faulty, made.bookingsMade], [11, 9, 2]);
  assert.deepEqual(made, dry);
});

test('dates are read in the chosen order, and the two orders differ', async () => {
  const file = (name: string) => `Date & time;Customer\n3/4/2024 9:30 am;${name}\n`;
  await run('bookings', file('Day first'), { order: 'dmy' });
  await run('bookings', file('Month first'), { order: 'mdy' });
  const rows = await db.query<{ contactName: string; date: Date }>(
    `SELECT contact_name, date FROM booking WHERE contact_name LIKE '% first' ORDER BY date`,
  );
  assert.deepEqual(
    rows.map(({ contactName, date }) => [contactName, date.toISOString()]),
    [
      ['Month first', '2024-03-03T22:30:00.000Z'],
      ['Day first', '2024-04-02T22:30:00.000Z'],
    ],
  );
});

test('who did not come is marked so, in the booking and on the customer, and stands in no list of work that was done', async () => {
  const { made, dry } = await run(
    'bookings',
    'Start,Client,Client Phone,Status\n2024-03-04 9:30 AM,Norah Noshow,0491570313,NO_SHOW\n2024-03-05 9:30 AM,Norah Noshow,0491570313,Completed\n',
  );
  assert.deepEqual([made.bookingsMade, dry], [2, made]);
  const rows = await db.query(
    `SELECT status, attendance.state, actor FROM booking LEFT JOIN attendance ON booking_id = booking.id
      WHERE contact_phone = '+61491570313' ORDER BY date`,
  );
  assert.deepEqual(rows, [
    { status: 'confirmed', state: 'didNotCome', actor: 'schedule' },
    { status: 'completed', state: null, actor: null },
  ]);
  assert.deepEqual((await examine(context, { repair: false })).findings, []);
});

test('a known customer keeps known values, gets missing ones, and is never opted in', async () => {
  const phone = '0491570159';
  await run('customers', customersFile({ name: '', phone, rego: 'KEEP1', optedOut: 'yes' }));
  await run('customers', `Name,Phone,E-mail,Tags\nLater Name,${phone},later@example.com,b\n`);
  await run('customers', `Name,Phone,E-mail,Tags,Opted out\nOther,+61491570159,other@example.com,a,no\n`);
  const [row] = await db.query(
    `SELECT name, first_name, email, tags, opted_out_at IS NOT NULL AS opted_out, details_from FROM customer
      WHERE workshop_id = $1 AND phone = '+61491570159'`,
    [workshopId],
  );
  assert.deepEqual(row, {
    ...{
      name: 'Later Name',
      firstName: 'Later',
      email: 'later@example.com',
      tags: ['a', 'b'],
      optedOut: true,
    },
    detailsFrom: ['00000000-0000-0000-0000-000000000000'],
  });
});

test('by the number of a merged customer, the kept one gets missing values; bookings stay with the number', async () => {
  const [first, second] = ['+61491571266', '+61491572665'];
  await run('customers', customersFile({ name: '', phone: first }, { name: '', phone: second }));
  const customers = await db.query<{ id: string; phone: string }>(
    'SELECT id, phone FROM customer WHERE phone = ANY ($1::text[]) ORDER BY id',
    [[first, second]],
  );
  const [kept = assert.fail(), gone = assert.fail()] = customers;
  await mergeCustomers(context, {
    ...{ workshopId, actor: actors.operator },
    both: [{ customerId: kept.id }, { customerId: gone.id }],
  });
  const { made, dry } = await run(
    'bookings',
    `Date-time,Name,Phone,E-mail,Tags,Opted out,Rego\n2024-03-03 08:30,Gwen Gone,${gone.phone},gwen@x.example,a,yes,GON1\n2024-03-04 08:30,Kit Kept,${kept.phone},,b,,GON1\n`,
  );
  assert.deepEqual(dry, made);
  assert.deepEqual([made.customersMade, made.customersJoined, made.bookingsMade], [0, 2, 2]);
  const rows = await db.query(
    `SELECT id, name, email, tags, opted_out_at IS NOT NULL AS opted_out,
            (SELECT count(*)::integer FROM booking WHERE customer_id = customer.id) AS bookings
       FROM customer WHERE id = ANY ($1::uuid[]) ORDER BY id`,
    [[kept.id, gone.id]],
  );
  assert.deepEqual(rows, [
    { id: kept.id, name: 'Kit Kept', email: 'gwen@x.example', tags: ['a', 'b'], optedOut: true, bookings: 1 },
    { id: gone.id, name: gone.phone, email: null, tags: [], optedOut: true, bookings: 1 },
  ]);
  const sought = { workshopId, q: 'GON1', limit: 5, seesPhones: true, now: clock.now() };
  assert.deepEqual(
    (await findAsTyped(db, sought)).customers.map(({ customerId, name }) => [customerId, name]),
    [[kept.id, 'Kit Kept']],
  );
});

test('an unreadable file is refused in plain words', async () => {
  const refused = (content: string | Buffer, kind: ImportKind = 'customers') => dryRun(kind, content);
  await assert.rejects(refused(''), /is empty/);
  await assert.rejects(refused('a,b\n1,2\n'), /neither a column Mobile nor a column Name/);
  await assert.rejects(refused('Name,Mobile\nA,0491570156\n', 'bookings'), /no column Date/);
  await assert.rejects(refused('Name,Rego,Plate\nA,1,2\n'), /mean the same/);
  await assert.rejects(refused(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 8])), /no text file/);
  await assert.rejects(refused(Buffer.from([...Buffer.from('Name\n'), 0x81, 0xff])), /no text file/);
});
