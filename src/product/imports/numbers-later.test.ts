/** A file that is imported without its phone numbers, and again with them, finds the customers that it made (specification: Imports 15). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { type ImportOptions, importWorld, type Ran } from '../../../test/fixtures/imports.ts';
import { until } from '../../../test/harness/wait.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';
import { advanceTakeBack, beginTakeBack } from './take-back/take-back.ts';

const { app, run, customersOf } = await importWorld();
const { db } = app.context;
const fresh = (name: string) => linkedWorkshop(app, [], { name });
/** Imports, and holds that the dry run has said what was made. */
async function made(content: string, options: ImportOptions): Promise<Ran['made']> {
  const ran = await run('customers', content, options);
  assert.deepEqual([ran.dry, ran.faults], [ran.made, []]);
  return ran.made;
}
const csv = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

const rows = ['Kim,Doe,K1,0491570006', 'Sam,Roe,S1,0491570110', 'Kim,Doe,K2,0491570156'];

test('always: no second customer, and no second car, is made when the file comes again with its numbers', async () => {
  const at = await fresh('Numbers later');
  const without = csv('First name,Last name,Rego,Ruf', ...rows);
  const withThem = csv('First name,Last name,Rego,Mobile', ...rows);
  assert.equal((await made(without, { at })).customersMade, 3);
  const again = await made(withThem, { at });
  assert.deepEqual([again.customersMade, again.customersJoined, again.carsMade], [0, 3, 0]);
  const found = await db.query<{ phone: string; rego: string }>(
    `SELECT customer.phone, rego FROM customer JOIN car ON car.customer_id = customer.id
      WHERE customer.workshop_id = $1 ORDER BY rego`,
    [at],
  );
  assert.deepEqual(
    found.map(({ rego, phone }) => [rego, phone]),
    [
      ['K1', '+61491570006'],
      ['K2', '+61491570156'],
      ['S1', '+61491570110'],
    ],
  );
  // Both files again, in any order.
  for (const content of [withThem, without, withThem])
    assert.deepEqual((await made(content, { at })).leftAlone, 3);
  assert.equal(await customersOf(at), 3);
});

test('always: rows with an id of their own are found by it, and a changed row by its name', async () => {
  const at = await fresh('With ids');
  await made(csv('ID,Name,Make', '1,Kim,Mazda', '2,Kim,Ford'), { at });
  const swapped = csv('ID,Name,Make,Mobile', '2,Kim,Ford,0491570110', '1,Kim,Mazda,0491570006');
  const again = await made(swapped, { at });
  assert.deepEqual([again.customersMade, again.customersJoined, again.carsMade], [0, 2, 0]);
  const found = await db.query<{ phone: string; make: string }>(
    `SELECT customer.phone, make FROM customer JOIN car ON car.customer_id = customer.id
      WHERE customer.workshop_id = $1 ORDER BY make`,
    [at],
  );
  assert.deepEqual(
    found.map(({ make, phone }) => [make, phone]),
    [
      ['Ford', '+61491570110'],
      ['Mazda', '+61491570006'],
    ],
  );
  await made(csv('Name', 'Sam'), { at });
  const more = await made(csv('Name,Suburb,Mobile', 'Sam,Carlton,0491570156'), { at });
  assert.deepEqual([more.customersMade, more.customersJoined], [0, 1]);
});

test('always: nobody gets the number of another: not who has another e-mail, nor where the file had a column of numbers', async () => {
  const at = await fresh('Others');
  await made(csv('Name,E-mail', 'Kim,kim@customer.example', 'Sam,'), { at });
  const other = await made(csv('Name,E-mail,Mobile', 'Kim,other@customer.example,0491570006'), { at });
  assert.deepEqual([other.customersMade, other.customersJoined], [1, 0]);
  await made(csv('Name,Mobile', 'Pat,'), { at });
  assert.equal((await made(csv('Name,Mobile,Suburb', 'Pat,0491570156,Carlton'), { at })).customersMade, 1);
  // A number that is known stays with whom it is; the other one is left without.
  const known = await made(csv('Name,E-mail,Mobile', 'Sam,,0491570006'), { at });
  assert.deepEqual([known.customersMade, known.customersJoined], [0, 1]);
  const [sam] = await db.query('SELECT phone FROM customer WHERE name = $1 AND workshop_id = $2', [
    'Sam',
    at,
  ]);
  assert.deepEqual(sam, { phone: null });
  // Nor is anybody of another workshop found.
  const elsewhere = await made(csv('Name,Mobile', 'Sam,0491570110'), { at: await fresh('Elsewhere') });
  assert.equal(elsewhere.customersMade, 1);
});

test('always: nobody gets the number of a namesake with another car or address, nor of whoever has their id in another file', async () => {
  const at = await fresh('Namesakes');
  await made(csv('Name,Rego,Suburb', 'Kim Doe,K1,Carlton', 'Sam Roe,S1,', 'Pat Poe,,Carlton'), { at });
  const others = csv(
    'Name,Rego,Suburb,Mobile',
    ...['Kim Doe,Z1,,0491570006', 'Sam Roe,Z2,Carlton,0491570110', 'Pat Poe,Z3,Fitzroy,0491570156'],
  );
  assert.deepEqual((await made(others, { at })).customersMade, 3);
  await made(csv('ID,Name', '1,Lee Loe', '2,Ash Moe'), { at });
  await made(csv('ID,Name,Mobile', '1,Uma Noe,0491570157', '2,"Moe, Ash",0491570158'), { at });
  const found = await db.query<{ name: string; phone: string | null }>(
    `SELECT name, phone FROM customer WHERE name IN ('Lee Loe', 'Uma Noe', 'Ash Moe') AND workshop_id = $1 ORDER BY name`,
    [at],
  );
  assert.deepEqual(
    found.map(({ name, phone }) => [name, phone]),
    [
      ['Ash Moe', '+61491570158'],
      ['Lee Loe', null],
    ],
  );
});

test('always: a number that a file brought goes with it, unless somebody has used it; and comes again with the file', async () => {
  const at = await fresh('Taken back');
  const first = await run('customers', csv('Name,Rego', 'Kim,K1', 'Sam,S1'), { at });
  const mended = csv('Name,Rego,Mobile', 'Kim,K1,0491570006', 'Sam,S1,0491570110');
  const second = await run('customers', mended, { at });
  const [sam] = await db.query<{ id: string }>(
    `SELECT id FROM customer WHERE phone = '+61491570110' AND workshop_id = $1`,
    [at],
  );
  await db.query(
    `INSERT INTO booking (id, workshop_id, code, customer_id, car_id, status, date, services, created_at, updated_at)
     SELECT $1, $2, 'ABCDEF', $3, (SELECT id FROM car WHERE customer_id = $3), 'completed', now(), '[]', now(), now()`,
    [newId(), at, sam?.id],
  );
  const takeBack = async (importId: string) => {
    await beginTakeBack(app.context, { workshopId: at, importId, actor: actors.operator });
    await advanceTakeBack(app.context, at, importId);
  };
  const phones = async () =>
    (await db.query(`SELECT name, phone FROM customer WHERE workshop_id = $1 ORDER BY name`, [at])).map(
      ({ name, phone }) => [name, phone],
    );
  await takeBack(second.importId);
  assert.deepEqual(await phones(), [
    ['Kim', null],
    ['Sam', '+61491570110'],
  ]);
  assert.deepEqual([(await made(mended, { at })).customersMade, await customersOf(at)], [0, 2]);
  assert.deepEqual((await phones())[0], ['Kim', '+61491570006']);
  await takeBack(first.importId);
  assert.equal(await customersOf(at), 2, 'they have changed since');
});

test('two rows with one number are one customer: the first row’s', async () => {
  const at = await fresh('Two cars');
  await made(csv('Name,Rego', 'Kim,K1', 'Kim,K2'), { at });
  const again = await made(csv('Name,Rego,Mobile', 'Kim,K1,0491570006', 'Kim,K2,0491570006'), { at });
  assert.deepEqual([again.customersMade, again.customersJoined, again.carsMade], [0, 2, 1]);
  const [kim] = await db.query(
    `SELECT count(*)::int AS cars FROM car JOIN customer ON customer.id = car.customer_id
      WHERE phone = '+61491570006' AND customer.workshop_id = $1`,
    [at],
  );
  assert.deepEqual(kim, { cars: 2 });
});

test('always: nobody gets the number of another of their name, who has another car; by an id the car may be another', async () => {
  const at = await fresh('Of one name');
  await made(csv('Name,Rego', 'Kim Doe,AB-1', 'Lee Roe,', 'Sam Roe,S1'), { at });
  const later = csv(
    'Name,Rego,Mobile',
    ...['Kim Doe,ZZ9,0491570006', 'Lee Roe,L1,0491570110', 'Sam Roe,S-1,0491570156'],
  );
  const ran = await made(later, { at });
  assert.deepEqual([ran.customersMade, ran.customersJoined], [1, 2]);
  await made(csv('ID,Name,Rego', '7,Ada Poe,A1'), { at });
  const mended = await made(csv('ID,Name,Rego,Mobile', '7,Ada Poe,A2,0491570157'), { at });
  assert.deepEqual([mended.customersMade, mended.customersJoined], [0, 1]);
  const [kim] = await db.query<{ phone: string | null }>(
    `SELECT phone FROM customer JOIN car ON car.customer_id = customer.id WHERE rego = 'AB-1' AND car.workshop_id = $1`,
    [at],
  );
  assert.equal(kim?.phone, null);
});

test('always: a number that somebody else gets while the file is written stays theirs, and the import goes on', async () => {
  const at = await fresh('Meanwhile');
  await made(csv('Name', 'Kim Doe', 'Sam Roe'), { at });
  const other = await db.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO customer (id, workshop_id, phone, name, created_at, updated_at) VALUES ($1, $2, '+61491570006', 'Kit', now(), now())`,
      [newId(), at],
    );
    const importing = run('customers', csv('Name,Mobile', 'Kim Doe,0491570006', 'Sam Roe,0491570110'), {
      at,
    });
    await until(
      'the import waits for the number',
      async () =>
        (
          await db.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length > 0,
    );
    await other.query('COMMIT');
    const ran = await importing;
    assert.deepEqual([ran.made.customersMade, ran.made.customersJoined], [0, 2]);
  } finally {
    other.release();
  }
  const names = await db.query('SELECT name, phone FROM customer WHERE workshop_id = $1 ORDER BY name', [at]);
  assert.deepEqual(names, [
    { name: 'Kim Doe', phone: null },
    { name: 'Kit', phone: '+61491570006' },
    { name: 'Sam Roe', phone: '+61491570110' },
  ]);
});
