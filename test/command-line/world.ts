/** A partner, a workshop and a customer to give commands about, in a database of the test file's own. */
import { insertCustomer } from '#customers/store.ts';
import { newId } from '#values/id.ts';
import { createTestDatabase } from '../harness/database.ts';
import { json, runHere } from './run.ts';

const { db, url } = await createTestDatabase();

export { db };

/** What every command is run with. */
export const env = { DATABASE_URL: url };

/** What `workshop create` needs. */
export const workshopOptions = [
  ...['--name', 'Carlton Motors'],
  ...['--phone', '03 5550 0101'],
  ...['--email', 'desk@carlton.example'],
  ...['--country', 'AU'],
  ...['--timezone', 'Australia/Melbourne'],
];

export const { partnerId } = await json(['partner', 'create', '--name', 'Example Fleet'], env, runHere);
export const { workshopId } = await json(
  ['workshop', 'create', ...workshopOptions, '--slug', 'base'],
  env,
  runHere,
);
export const customerId = await newCustomer('+61491570313');

export async function newCustomer(phone: string): Promise<string> {
  const id = newId();
  const names = { name: 'Ava Nguyen', firstName: 'Ava', lastName: 'Nguyen', email: 'ava@mail.example' };
  await insertCustomer(db, { id, workshopId, ...names, phone }, new Date('2030-01-15T00:00:00Z'));
  return id;
}

/** The row of a list whose field is this. */
export const find = (rows: Record<string, unknown>[], key: string, value: string) =>
  rows.find((row) => row[key] === value);
