/** When the role may not create pg_trgm: the migration succeeds, words match by prefix, and doctor reports it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { examine } from '#operation/doctor/examine.ts';
import { migrate } from '#platform/db/migrate.ts';
import { createWorkshop } from '#product/workshops/create.ts';
import { testClock } from '../../../../test/harness/clock.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { insertCustomer } from '../store.ts';
import { findAsTyped } from './find.ts';
import { sweepSearch } from './keep.ts';

const { db } = await createTestDatabase();
const clock = testClock();
const [name] = await db.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
const may = (verb: 'REVOKE' | 'GRANT') =>
  db.pool.query(`${verb} CREATE ON DATABASE ${name?.name} ${verb === 'GRANT' ? 'TO' : 'FROM'} CURRENT_USER`);

test('prefixes match without the extension, and substrings once doctor could create it', async () => {
  await db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await migrate(db, undefined, '0052_customer_version.sql');
  await may('REVOKE');
  await migrate(db);

  const settings = {
    name: 'W',
    country: 'AU',
    timezone: 'Australia/Perth',
    phone: '0355501234',
    email: 'a@b.example',
  };
  const { workshopId } = await createWorkshop(db, clock, settings, actors.operator);
  const person = { name: 'Sam Taylor', firstName: 'Sam', lastName: 'Taylor', email: 'it@mail.example' };
  await insertCustomer(db, { id: newId(), workshopId, ...person, phone: '+61491570006' }, clock.now());
  await sweepSearch({ db });
  const found = async (q: string) =>
    (await findAsTyped(db, { workshopId, q, limit: 20, seesPhones: true, now: clock.now() })).length;
  const counts = async () => [
    await found('tay sam'),
    await found('570 006'),
    await found('aylor'),
    await found('mail'),
  ];
  assert.deepEqual(await counts(), [1, 1, 0, 0]);
  const examined = await examine({ db, clock }, { repair: true });
  assert.deepEqual([examined.search, examined.found], [{ isFilled: true, findsParts: false }, 0]);

  await may('GRANT');
  assert.equal((await examine({ db, clock }, { repair: false })).search.findsParts, false);
  assert.equal((await examine({ db, clock }, { repair: true })).search.findsParts, true);
  assert.deepEqual(await counts(), [1, 1, 1, 1]);
});
