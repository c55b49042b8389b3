/** A partner, a workshop and a customer to give commands about, in a database of the test file's own. */

import { newId } from '#base/values/id.ts';
import { insertCustomer } from '#product/customers/store.ts';
import { createTestDatabase } from '../harness/database.ts';
import { json } from './run.ts';

/** What `workshop create` needs. */
export const workshopOptions = [
  ...['--name', 'Carlton Motors'],
  ...['--phone', '03 5550 0101'],
  ...['--email', 'desk@carlton.example'],
  ...['--country', 'AU'],
  ...['--timezone', 'Australia/Melbourne'],
];

/** The environment of every command. */
export async function commandWorld() {
  const { db, url } = await createTestDatabase();
  const env = { DATABASE_URL: url };
  const { partnerId } = await json(['partner', 'create', '--name', 'Example Fleet'], env);
  const create = ['workshop', 'create', ...workshopOptions, '--slug', 'base'];
  const { workshopId } = await json(create, env);

  async function newCustomer(phone: string): Promise<string> {
    const id = newId();
    const names = { name: 'Ava Nguyen', firstName: 'Ava', lastName: 'Nguyen', email: 'ava@mail.example' };
    await insertCustomer(db, { id, workshopId, ...names, phone }, new Date('2030-01-15T00:00:00Z'));
    return id;
  }

  const customerId = await newCustomer('+61491570313');
  return { db, env, partnerId, workshopId, customerId, newCustomer };
}

/** The row of a list whose field has this value. */
export const find = (rows: Record<string, unknown>[], key: string, value: string) =>
  rows.find((row) => row[key] === value);
