/** Imports of files: what they make, that the dry run changes nothing and says what the import does, and that nothing is made twice. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { examine } from '#operation/doctor/examine.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { findAsTyped } from '../customers/search/find.ts';
import { checkFile } from './check.ts';
import type { ImportKind } from './columns.ts';
import type { Counts } from './counts.ts';
import { rowsAtOnce } from './entries.ts';
import { importFile } from './import.ts';
import type { RowFault } from './rows.ts';
import { sourceOf } from './source.ts';
import type { DateOrder } from './when.ts';

const app = await startTestApp();
const { context } = app;
const { db, clock } = context;
const example = (kind: ImportKind) => readFile(new URL(`../../../docs/import/${kind}.csv`, import.meta.url));

let workshopId = '';
let elsewhere = '';
before(async () => {
  workshopId = await linkedWorkshop(app, []);
  elsewhere = await linkedWorkshop(app, [], { name: 'Elsewhere' });
});

interface Ran {
  readonly dry: Counts;
  readonly faults: readonly RowFault[];
  readonly made: Counts;
}

interface Options {
  readonly at?: string;
  readonly order?: DateOrder;
  /** After so many sets it breaks off. */
  readonly breakAfter?: number;
}

async function dryRun(kind: ImportKind, content: string | Buffer, { at = workshopId, order }: Options = {}) {
  const faults: RowFault[] = [];
  const check = { kind, source: sourceOf('a.csv', Buffer.from(content)), order: order ?? null };
  const notes = { faults: (of: readonly RowFault[]) => void faults.push(...of), progress: () => undefined };
  return { check, faults, checked: await checkFile(context, await requireWorkshop(db, at), check, notes) };
}

async function run(kind: ImportKind, content: string | Buffer, options: Options = {}): Promise<Ran> {
  const { check, checked, faults } = await dryRun(kind, content, options);
  let sets = 0;
  const progress = () => {
    if (++sets === options.breakAfter) throw new Error('broken off');
  };
  const workshop = await requireWorkshop(db, options.at ?? workshopId);
  const made = await importFile(context, workshop, check, { checked, actor: actors.operator }, { progress });
  return { dry: checked.counts, faults, made };
}

async function rowsOfAllTables(): Promise<Readonly<Record<string, number>>> {
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await db.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

const customer = (changes: Partial<Record<'name' | 'phone' | 'rego' | 'out', string>> = {}) => {
  const { name = 'A B', phone = '', rego = '', out = '' } = changes;
  return `${name},${phone},${rego},${out}`;
};
const customersFile = (...rows: string[]) => `Name,Mobile,Rego,Opted out\n${rows.join('\n')}\n`;

test('the examples of the guide are imported, and nobody hears of it', async () => {
  const was = await rowsOfAllTables();
  const first = await dryRun('customers', await example('customers'));
  assert.deepEqual(await rowsOfAllTables(), was, 'the dry run changed something');
  assert.deepEqual(first.faults, []);
  const customers = await run('customers', await example('customers'));
  const expected = { rows: 4, faulty: 0, leftAlone: 0, bookingsMade: 0 };
  assert.deepEqual(customers.made, { ...expected, customersMade: 3, customersJoined: 1, carsMade: 4 });
  assert.deepEqual(customers.dry, customers.made);

  const bookings = await run('bookings', await example('bookings'));
  assert.deepEqual(bookings.faults, []);
  assert.deepEqual(bookings.dry, bookings.made);
  assert.deepEqual(bookings.made, {
    ...{ rows: 4, faulty: 0, leftAlone: 0, bookingsMade: 4 },
    // A walk-in without a phone is never taken for another.
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

  const found = await findAsTyped(db, {
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
  const trail = await db.query<{ actor: string; after: object }>(
    `SELECT actor, after FROM audit_entry WHERE action = 'workshop.imported' AND workshop_id = $1 ORDER BY id`,
    [workshopId],
  );
  assert.deepEqual(
    trail.map(({ actor, after }) => [actor, after]),
    [
      ['operator', { kind: 'customers', ...customers.dry }],
      ['operator', { kind: 'bookings', ...bookings.dry }],
    ],
  );
  const again = await run('bookings', await example('bookings'));
  assert.deepEqual([again.made.leftAlone, again.made.bookingsMade], [4, 0]);
});

test('every fault is named by its line and column, without a value, and the other rows are imported', async () => {
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

test('days are read as was said, and both readings differ', async () => {
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

test('a known customer keeps what they have, gets what they lack, and is never opted in', async () => {
  const phone = '0491570159';
  await run('customers', customersFile(customer({ name: '', phone, rego: 'KEEP1', out: 'yes' })));
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

const many = (name: string, of: number) =>
  customersFile(
    ...Array.from({ length: of }, (_, n) =>
      customer({ name: `${name} ${n % 50}`, phone: n % 3 === 0 ? '' : `+6149157${String(1000 + n)}` }),
    ),
  );
const customersOf = async (at: string) =>
  (await db.query(`SELECT FROM customer WHERE workshop_id = $1`, [at])).length;

test('broken off in the middle and run again, or twice at once, nothing is made twice', async () => {
  const at = await linkedWorkshop(app, [], { name: 'Broken off' });
  const content = many('Many', 2 * rowsAtOnce + 50);
  await assert.rejects(run('customers', content, { at, breakAfter: 1 }), /broken off/);
  assert.equal(await customersOf(at), rowsAtOnce);
  const [one, other] = await Promise.all([
    run('customers', content, { at }),
    run('customers', content, { at }),
  ]);
  assert.equal(await customersOf(at), 2 * rowsAtOnce + 50);
  assert.equal(one.made.customersMade + other.made.customersMade, rowsAtOnce + 50);
  assert.equal(one.made.leftAlone + other.made.leftAlone, 3 * rowsAtOnce + 50);
});

test('the same file at another workshop is its own, and joins nobody of the first', async () => {
  const content = customersFile(customer({ phone: '0491570156', name: 'Theirs' }));
  const was = await customersOf(workshopId);
  const { made } = await run('customers', content, { at: elsewhere });
  assert.equal(made.customersMade, 1);
  assert.equal(await customersOf(workshopId), was);
});

test('a booking that is to come takes its place, also where none is free, and the doctor is content', async () => {
  const partner = await signedInPartner(app, 'Asks for times');
  const at = await linkedWorkshop(app, [partner], {
    name: 'Strict',
  } as object);
  const date = new Date(clock.now().getTime() + 9 * 86_400_000);
  while (![2, 3, 4].includes(date.getUTCDay())) date.setTime(date.getTime() + 86_400_000);
  const day = date.toISOString().slice(0, 10);
  const content = `Date,Time,Name\n${day},10:00,One\n${day},10:00,Two\n${day},10:00,Three\n`;
  const { made } = await run('bookings', content, { at });
  assert.equal(made.bookingsMade, 3);
  const { body } = await partner.call('GET', `/workshops/${at}/availabilities?from=${day}&to=${day}`);
  assert.doesNotMatch(JSON.stringify(body), /-\d+,/);
  assert.deepEqual((await examine(context, { repair: false })).findings, []);
});

test('a file that is none is refused in words', async () => {
  const refused = (content: string | Buffer, kind: ImportKind = 'customers') => dryRun(kind, content);
  await assert.rejects(refused(''), /is empty/);
  await assert.rejects(refused('a,b\n1,2\n'), /neither a column Mobile nor a column Name/);
  await assert.rejects(refused('Name,Mobile\nA,0491570156\n', 'bookings'), /no column Date/);
  await assert.rejects(refused('Mobile,Phone\n1,2\n'), /mean the same/);
  await assert.rejects(refused(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 8])), /no text file/);
  await assert.rejects(refused(Buffer.from([...Buffer.from('Name\n'), 0x81, 0xff])), /no text file/);
});
