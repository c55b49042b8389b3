/** The SQL of POST /bookings as a pgbench script: the statement that the API runs, over one booking whose values are made in place. */

import { columnOf, sqlType } from '#platform/db/parameters.ts';
import { createColumns, createText } from '#product/bookings/store.ts';

/** Customers that the load is spread over, in the API's requests and in the script. */
export const customers = 20_000;

type Columns = typeof createColumns;
type Name = keyof Columns;
/** Those that have no value of their own here are null, so all others need one. */
type NeededName = { [N in Name]: Columns[N] extends `${string} null` ? never : N }[Name];
type Expressions = Readonly<Record<NeededName, string> & Partial<Record<Name, string>>>;

const bookingTime = '2030-03-02T22:30:00Z';

export function createScript(partnerId: string, workshopId: string, uuid: string): string {
  const n = '(:n)::int';
  const values: Expressions = {
    partnerId: `'${partnerId}'::uuid`,
    workshopId: `'${workshopId}'::uuid`,
    bookingId: uuid,
    newCustomerId: uuid,
    newCarId: uuid,
    eventId: uuid,
    code: `md5(random()::text)`,
    date: `timestamptz '${bookingTime}'`,
    now: `now()`,
    services: `'[]'::jsonb`,
    serviceMinutes: `'{}'::integer[]`,
    serviceCategoryDerived: 'false',
    occupiedFrom: `timestamptz '${bookingTime}'`,
    occupiedUntil: `timestamptz '${bookingTime}' + interval '30 minutes'`,
    countedServices: `'{}'::uuid[]`,
    countedCategories: `'{}'::text[]`,
    customerName: `'Sam Taylor'::text`,
    customerFirstName: `'Sam'::text`,
    customerLastName: `'Taylor'::text`,
    customerEmail: `'sam' || ${n} || '@customer.example'`,
    customerPhone: `'+614' || (10000000 + ${n})`,
    notes: `'Squeaks when braking'::text`,
    jobNotes: `'{}'::text[]`,
    productNotes: `'{}'::text[]`,
    carRego: `'R' || ${n}`,
    carMake: `'Toyota'::text`,
    notifyCustomer: 'true',
    notifyWorkshop: 'true',
    actor: `'ptl_key_' || md5('')`,
    requestId: `gen_random_uuid()::text`,
  };
  const columns = Object.entries(createColumns).map(
    ([name, type]) =>
      `${(values as Partial<Record<string, string>>)[name] ?? `NULL::${sqlType(type)}`} AS ${columnOf(name)}`,
  );
  const text = createText(`input AS MATERIALIZED (SELECT ${columns.join(', ')}, 1 AS ordinal)`);
  return `\\set n random(1, ${customers})\n${pgbenchText(text)};\n`;
}

/** One line, without comments, and without what pgbench would take for a variable, inside a literal too. */
export function pgbenchText(text: string): string {
  return text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('HH24:MI:SS', 'HH24":"MI":"SS');
}

/** The same booking as a request body. */
export function createBody(workshopId: string, n: number): object {
  return {
    workshopId,
    carRego: `R${n}`,
    carMake: 'Toyota',
    bookingTime,
    customerName: 'Sam Taylor',
    customerPhone: `+614${10_000_000 + n}`,
    customerEmail: `sam${n}@customer.example`,
    notes: 'Squeaks when braking',
  };
}
