/** Each filter of each record's lists, and each feed, uses an index, alone and with others, on full and analysed tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { feedParameters } from '#platform/feed/store.ts';
import { findBookingIds } from '#product/bookings/list/store.ts';
import { records } from '#records.ts';
import { insertWorld } from '../../../test/fixtures/booking-events.ts';
import { assertLittleRead } from '../../../test/fixtures/explained.ts';
import type { AnyListed } from '../../../test/fixtures/records.ts';
import { createTestDatabase, withoutTriggers } from '../../../test/harness/database.ts';
import { type FilterValues, feedStatement, listStatement } from './list/store.ts';

const { db, url } = await createTestDatabase({ poolSize: 1 });
const [one, two] = [await insertWorld(db), await insertWorld(db)];
const { partnerId, workshopId } = one;
/** Of each partner: of bookings more than a page of the feed looks at. */
const sizeOf = ({ name }: AnyListed) => (name === 'booking' ? 20_000 : 2_000);

/** Ids in the order of `n`; an instant each 47 minutes: a day has some thirty. */
const id = `overlay(gen_random_uuid()::text PLACING lpad(to_hex(n), 8, '0') FROM 1 FOR 8)::uuid`;
const at = `timestamptz '2028-01-01' + n * interval '47 minutes'`;
/** The first is the state of a hundredth. */
const stateOf = ({ state: { all } }: AnyListed) =>
  `CASE WHEN n % 100 = 0 THEN '${all[0]}' WHEN n % 3 = 0 THEN '${all.at(-1)}' ELSE '${all[1]}' END`;
const contact = `'Sam', 'sam@customer.example', '+61491570006'`;

/** Bookings are those of this number of customers, with a car each: whose a call is, is looked up by the customer, of whom there are many. */
const bookedCustomers = 200;
const nth = (id: string) =>
  `overlay(${id}::text PLACING lpad(to_hex(n % ${bookedCustomers}), 3, '0') FROM 34)::uuid`;

/** Columns of each record beside those that all have, and their values for `n`; `$3` is the customer, `$4` the car. */
const columns: Readonly<Record<AnyListed['name'], readonly [string, string]>> = {
  booking: [
    'code, car_id, date, contact_name, contact_email, contact_phone',
    `$1::text || n, ${nth('$4')}, ${at}, ${contact}`,
  ],
  quote: [
    'code, car_id, contact_name, contact_email, contact_phone, services, service_minutes, total, valid_until',
    `$1::text || n, $4::uuid, ${contact}, '[]', '{}', 1, '2033-01-01'`,
  ],
  serviceReminder: [
    'code, car_id, automatic, customer, due_at',
    `$1::text || n, $4::uuid, false, '{}', ${at}`,
  ],
  callLead: [
    'caller_phone, called_at, was_missed',
    `CASE WHEN $4::uuid IS NULL THEN '' ELSE '' END, ${at}, false`,
  ],
};

/** The customer of most rows; the one of the world has a thousandth. */
const many = newId().replace(/^.{8}/, 'ffffffff');
await withoutTriggers(url, async (rows) => {
  for (const { partnerId: partner, workshopId: workshop, booking } of [one, two]) {
    const [often, caller] = [workshop === workshopId ? many : newId(), newId()];
    for (const [each, phone] of [
      [often, '+61400999999'],
      [caller, '+61400999998'],
    ] as const) {
      await rows.query(
        `INSERT INTO customer (id, workshop_id, name, phone, created_at, updated_at) VALUES ($1, $2, 'Many', $3, $4, $4)`,
        [each, workshop, phone, new Date()],
      );
    }
    await rows.query(
      `INSERT INTO customer (id, workshop_id, name, created_at, updated_at)
       SELECT ${nth('$1')}, $2, 'Many', $3, $3 FROM generate_series(1, ${bookedCustomers}) AS n ON CONFLICT DO NOTHING`,
      [often, workshop, new Date()],
    );
    await rows.query(
      `INSERT INTO car (id, workshop_id, customer_id, rego, created_at, updated_at)
       SELECT id, workshop_id, id, 'MANY', created_at, created_at FROM customer WHERE workshop_id = $1 AND name = 'Many'`,
      [workshop],
    );
    for (const record of records as readonly AnyListed[]) {
      const [more, values] = columns[record.name];
      const insert = (customer: string, car: string, which: string) =>
        rows.query(
          `INSERT INTO ${record.table} (id, partner_id, workshop_id, customer_id, ${record.state.name}, external_id, created_at, updated_at, version, ${more})
         SELECT ${id}, $1::uuid, $2::uuid, ${record.name === 'booking' ? nth('$3') : '$3::uuid'}, ${stateOf(record)}, CASE WHEN n % 10 = 0 THEN 'ORDER-' || n END, ${at}, ${at}, 1, ${values}
           FROM generate_series(1, $5::int) AS n WHERE ${which}`,
          [partner, workshop, customer, car, sizeOf(record)],
        );
      if (record.name === 'booking') await insert(often, often, 'true');
      else {
        // Nobody calls who has thousands of bookings: whom a call is linked to is looked for among them.
        await insert(record.name === 'callLead' ? caller : often, often, 'n % 1000 <> 7');
        await insert(booking.customerId, booking.carId, 'n % 1000 = 7');
      }
    }
  }
});
await db.query('ANALYZE');

const days = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const week = days('2028-02-01', '2028-02-08');
const years = days('2028-01-01', '2030-01-01');
const customerId = one.booking.customerId;

interface Asked {
  readonly filters?: FilterValues;
  /** The state of a hundredth, or one of a third. */
  readonly state?: 'rare' | 'usual';
  readonly index: string;
  readonly rowsAtMost: number;
}

const few = 3;
/** What is read of the index of partner and state, or of workshop, partner and state: a page of each state. */
const page = 300;

/** Of lists in the order of ids; each record's own beside them. */
const byId = (table: string, workshopIndex: string): Asked[] => [
  { index: `${table}_status`, rowsAtMost: page },
  { state: 'rare', index: `${table}_status`, rowsAtMost: 60 },
  { filters: { workshopId }, index: workshopIndex, rowsAtMost: page },
  { filters: { workshopId }, state: 'rare', index: workshopIndex, rowsAtMost: 60 },
  { filters: { externalId: 'ORDER-10' }, index: `${table}_external`, rowsAtMost: 2 },
  { filters: { externalId: 'ORDER-10', workshopId }, index: `${table}_external`, rowsAtMost: 2 },
];
const calls = (index: string): Asked[] => [
  { index, rowsAtMost: page },
  { state: 'rare', index, rowsAtMost: 60 },
  { filters: week, index, rowsAtMost: page },
];

const lists: Readonly<Record<AnyListed['name'], Readonly<Record<'partner' | 'staff', readonly Asked[]>>>> = {
  booking: {
    partner: [
      ...byId('booking', 'booking_workshop_status'),
      { filters: week, index: 'booking_date', rowsAtMost: 300 },
      { filters: { ...week, workshopId }, index: 'booking_date', rowsAtMost: 300 },
      { filters: week, state: 'usual', index: 'booking_date', rowsAtMost: 300 },
      { filters: { from: new Date('2029-09-01') }, index: 'booking_date', rowsAtMost: 2_100 },
      { filters: years, index: 'booking_status', rowsAtMost: 2_100 },
      {
        filters: { ...years, workshopId },
        state: 'usual',
        index: 'booking_workshop_status',
        rowsAtMost: 8_000,
      },
    ],
    // Staff's list is their own, by date.
    staff: [],
  },
  quote: {
    partner: byId('quote', 'quote_workshop_status'),
    staff: [
      { index: 'quote_workshop_status', rowsAtMost: page },
      { filters: { partner: partnerId }, state: 'rare', index: 'quote_workshop_status', rowsAtMost: 60 },
      { filters: { customer: customerId }, index: 'quote_customer', rowsAtMost: few },
    ],
  },
  serviceReminder: {
    partner: [
      ...byId('service_reminder', 'service_reminder_workshop'),
      { filters: { customerId }, index: 'service_reminder_customer', rowsAtMost: few },
    ],
    staff: [
      { index: 'service_reminder_workshop', rowsAtMost: page },
      { filters: { partner: partnerId }, state: 'rare', index: 'service_reminder_workshop', rowsAtMost: 60 },
      { filters: { customer: customerId }, index: 'service_reminder_customer', rowsAtMost: few },
    ],
  },
  callLead: {
    partner: [
      ...calls('call_lead_called'),
      { filters: { workshopId }, index: 'call_lead_workshop_called', rowsAtMost: page },
      {
        filters: { ...week, workshopId },
        state: 'usual',
        index: 'call_lead_workshop_called',
        rowsAtMost: page,
      },
      { filters: { externalId: 'ORDER-10' }, index: 'call_lead_external', rowsAtMost: 2 },
    ],
    staff: [
      ...calls('call_lead_workshop_called'),
      { filters: { ...week, partner: partnerId }, index: 'call_lead_workshop_called', rowsAtMost: page },
    ],
  },
};

for (const record of records as readonly AnyListed[]) {
  const { name, table, state, order } = record;
  for (const side of ['partner', 'staff'] as const) {
    for (const { filters = {}, state: wanted, index, rowsAtMost } of lists[name][side]) {
      const states = wanted && [state.all.at(wanted === 'rare' ? 0 : -1) ?? ''];
      test(`${table}, ${side}: ${[wanted, ...Object.keys(filters)].filter(Boolean).join(', ') || 'all'}: by ${index}`, async () => {
        const [middle] = await db.query<{ id: string; at: string }>(
          `SELECT id, ${order === 'id' ? 'created_at' : order.column}::text AS at FROM ${table} WHERE partner_id = $1 ORDER BY id OFFSET $2 LIMIT 1`,
          [partnerId, sizeOf(record) / 2],
        );
        const position = order === 'id' ? [middle?.id] : [middle?.at, middle?.id];
        for (const after of [null, position]) {
          const request = {
            tenantId: side === 'partner' ? partnerId : workshopId,
            states,
            filters,
            after,
            limit: 51,
          };
          const find = name === 'booking' ? [findBookingIds] : [];
          const statement = listStatement(record, side, request, ...find);
          if (after === null) assert.ok((await db.query(statement.text, statement.values)).length > 0);
          await assertLittleRead(db, statement, { table, index, rowsAtMost });
        }
      });
    }
  }
  if (!record.hasFeed) continue;
  test(`${table}: the feed by ${table}_feed, with any filters, and never more than 10,000 rows a page`, async () => {
    for (const [filters, states] of [
      [{}, undefined],
      [{ workshopId }, undefined],
      [name === 'booking' ? week : { workshopId }, [state.all.at(-1) ?? '']],
    ] as const) {
      const { text, values } = feedStatement(record, { tenantId: partnerId, states, filters });
      for (const position of [null, { epoch: 1, start: null, changedIn: '1', id: newId(), entered: null }]) {
        const statement = { text, values: [...feedParameters([new Date(0), position, 51]), ...values] };
        await assertLittleRead(db, statement, { table, index: `${table}_feed`, rowsAtMost: 10_000 });
      }
    }
  });
}
