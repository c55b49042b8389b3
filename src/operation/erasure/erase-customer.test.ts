import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { listCarsOf } from '#product/customers/cars/store.ts';
import { eraseCustomerRow, findCustomer } from '#product/customers/store.ts';
import { createPartner } from '#product/partners/create.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { setLink } from '#product/workshops/link.ts';
import { records } from '#records.ts';
import { leaveTraces as leaveTracesIn } from '../../../test/fixtures/traces.ts';
import { testClock } from '../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { eraseCustomer } from './erase-customer.ts';

const ofRecords = records.map(({ table }) => table);
const { db } = await createTestDatabase();
const clock = testClock();

let partnerId = '';
let workshopId = '';
before(async () => {
  const settings = {
    name: 'W',
    country: 'AU',
    timezone: 'Australia/Perth',
    phone: '0491570006',
    email: 'a@b.example',
  };
  partnerId = (await createPartner({ db, clock }, 'P', actors.operator)).partnerId;
  workshopId = (await createWorkshop({ db, clock }, settings, actors.operator)).workshopId;
  await setLink({ db, clock }, { partnerId, workshopId, active: true }, actors.operator);
});

const leaveTraces = (mark: string, phone: string) =>
  leaveTracesIn(db, { partnerId, workshopId, at: clock.now() }, mark, phone);

/** Files that wait for their import go with anybody's erasure: nobody knows whom they name. */
const withoutFiles = ({ import_file: _, ...rest }: Record<string, number>) => rest;

/** How many rows of each table hold the word, whatever the column. */
async function rowsHolding(word: string): Promise<Record<string, number>> {
  const tables = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const sql = `SELECT count(*)::int AS count FROM "${name}" AS t WHERE t::text LIKE '%' || $1 || '%'`;
    const { rows } = await db.pool.query<{ count: number }>(sql, [word]);
    if (rows[0]?.count) found[name] = rows[0].count;
  }
  return found;
}

test('no table holds personal details of an erased customer, and no other customer changes (specification: Erasure and retention 1)', async () => {
  const [mine, theirs] = ['MARKMINE', 'MARKTHEIRS'];
  const customerId = await leaveTraces(mine, '+61491570313');
  await leaveTraces(theirs, '+61491570737');
  const othersBefore = {
    marks: withoutFiles(await rowsHolding(theirs)),
    phones: await rowsHolding('+61491570737'),
  };
  const before = await rowsHolding(mine);
  for (const table of ['customer', 'car', ...ofRecords, 'event', 'message', 'message_attempt']) {
    assert.ok(before[table], `the test leaves nothing in ${table}`);
  }
  for (const table of [
    'sandbox_message',
    'idempotency',
    'dead_letter',
    'unplaced_sms',
    'long_sms',
    'message_attachment',
    'audit_entry',
    'import_file',
  ])
    assert.ok(before[table]);

  assert.deepEqual(await eraseCustomer({ db, clock }, customerId.toUpperCase(), actors.operator), {
    customerId,
    bookings: 2,
    quotes: 1,
    messages: 2,
    notifications: 3,
    events: 3,
  });

  assert.deepEqual(await rowsHolding(mine), {});
  assert.deepEqual(await rowsHolding('+61491570313'), {});
  assert.deepEqual(
    { marks: await rowsHolding(theirs), phones: await rowsHolding('+61491570737') },
    othersBefore,
  );
  const erased = await findCustomer(db, customerId);
  assert.deepEqual([erased?.name, erased?.phone, erased?.erasedAt], ['Erased', null, clock.now()]);
  assert.deepEqual(
    (await listCarsOf(db, customerId)).map((car) => car.rego),
    ['ERASED1', 'ERASED2'],
  );
});

test('a queued notice to them is given up, the rows stay, and a booking has a new version', async () => {
  const customerId = await leaveTraces('MARKWAITING', '+61491571266');
  await eraseCustomer({ db, clock }, customerId, actors.operator);
  const notices = await db.query(
    `SELECT n.audience, n.state, n.reason, n.recipient, q.message_id IS NOT NULL AS waits
       FROM message n JOIN booking b ON b.id = n.booking_id LEFT JOIN queued_message q ON q.message_id = n.id
      WHERE b.customer_id = $1 AND n.kind = 'bookingNotice' ORDER BY n.audience`,
    [customerId],
  );
  assert.deepEqual(notices, [
    { audience: 'customer', state: 'failed', reason: 'erased', recipient: '', waits: false },
    { audience: 'workshop', state: 'sending', reason: null, recipient: '+61491570006', waits: true },
  ]);
  const bookings = await db.query<{ version: number; rises: boolean }>(
    `SELECT version, updated_at > created_at AS rises FROM booking WHERE customer_id = $1`,
    [customerId],
  );
  assert.deepEqual(bookings, [
    { version: 2, rises: true },
    { version: 2, rises: true },
  ]);
});

test('the events of a booking are erased also when it belongs to another customer now', async () => {
  const customerId = await leaveTraces('MARKOLD', '+61491572549');
  const otherId = await leaveTraces('MARKNEW', '+61491572665');
  const [car] = await db.query<{ id: string }>('SELECT id FROM car WHERE customer_id = $1', [otherId]);
  await db.query(
    `UPDATE booking SET customer_id = $2, car_id = $3, contact_name = 'N', contact_email = 'N', contact_phone = 'N',
       contact_first_name = NULL, contact_last_name = NULL, contact_company = NULL, car_vin = NULL, notes = NULL, job_notes = '{}', product_notes = '{}', cancel_reason = NULL, anyway_reason = NULL
     WHERE customer_id = $1`,
    [customerId, otherId, car?.id],
  );
  const others = withoutFiles(await rowsHolding('MARKNEW'));
  await eraseCustomer({ db, clock }, customerId, actors.operator);
  assert.deepEqual(await rowsHolding('MARKOLD'), {});
  assert.deepEqual(await rowsHolding('+61491572549'), {});
  assert.deepEqual(await rowsHolding('MARKNEW'), others);
});

test('a customer whose booking and car were an erased person’s before can be erased too', async () => {
  const erasedId = await leaveTraces('MARKFIRST', '+61491575254');
  const customerId = await leaveTraces('MARKNEXT', '+61491575789');
  await eraseCustomer({ db, clock }, erasedId, actors.operator);
  // As an update with a new phone moves the booking and its car.
  const moved = await db.query(
    `WITH car AS (UPDATE car SET customer_id = $2 WHERE customer_id = $1 AND rego = 'ERASED2' RETURNING id)
     UPDATE booking SET customer_id = $2 FROM car WHERE car_id = car.id RETURNING booking.id`,
    [erasedId, customerId],
  );
  assert.ok(moved.length > 0);
  for (let times = 0; times < 2; times++) {
    await eraseCustomer({ db, clock }, customerId, actors.operator);
    assert.deepEqual((await listCarsOf(db, customerId)).map(({ rego }) => rego).sort(), [
      'ERASED2',
      'ERASED3',
      'ERASED4',
    ]);
    assert.deepEqual(await rowsHolding('MARKNEXT'), {});
  }
});

test('erasing again covers what was written since and keeps the first time', async () => {
  const customerId = await leaveTraces('MARKAGAIN', '+61491571491');
  await eraseCustomer({ db, clock }, customerId, actors.operator);
  const first = (await findCustomer(db, customerId))?.erasedAt;
  await db.query(
    `UPDATE booking SET notes = 'MARKAGAIN', contact_phone = '+61491571491' WHERE customer_id = $1`,
    [customerId],
  );
  clock.advance({ hours: 1 });
  await eraseCustomer({ db, clock }, customerId, actors.operator);
  assert.deepEqual(await rowsHolding('MARKAGAIN'), {});
  assert.deepEqual((await findCustomer(db, customerId))?.erasedAt, first);
});

test('a concurrent booking waits, then makes a new customer', async () => {
  const phone = '+61491571804';
  const customerId = await leaveTraces('MARKRACE', phone);
  const arrive = () =>
    db.query<{ id: string }>(
      `INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at) VALUES ($1, $2, 'New', $3, $4, $4)
       ON CONFLICT (workshop_id, phone) DO UPDATE SET name = excluded.name RETURNING id`,
      [newId(), workshopId, phone, clock.now()],
    );
  const waiting = async () => {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await db.query(sql)).length > 0;
  };
  let arrival: ReturnType<typeof arrive> | undefined;
  await db.transaction(async (tx) => {
    await eraseCustomerRow(tx, customerId, clock.now());
    arrival = arrive();
    while (!(await waiting())) await setImmediate();
  });
  const [arrived] = (await arrival) ?? [];
  assert.ok(arrived);
  assert.notEqual(arrived.id, customerId);
  assert.equal((await findCustomer(db, customerId))?.name, 'Erased');
});

test('an unknown customer is named', async () => {
  for (const id of [newId(), 'nobody'])
    await assert.rejects(eraseCustomer({ db, clock }, id, actors.operator), /no customer/);
});
