/** A customer with ten thousand bookings and as many messages: read a page at a time, by indexes; with cars, calls, and what each role sees. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Queryable } from '#platform/db/database.ts';
import { listBookingsOf } from '#product/bookings/staff/store.ts';
import { findRows } from '#product/customers/merged/store.ts';
import { assertLittleRead } from '../../../../test/fixtures/explained.ts';
import { baseOf, peopleOf } from '../../../../test/fixtures/office.ts';
import { staffWorld } from '../../../../test/fixtures/walk-ins.ts';
import { listSaid } from '../../said/store.ts';
import { countHeld, listCalls, listCarHistory } from './store.ts';

const { app, partner, workshopId, known, newPhone } = await staffWorld();
const { context } = app;
const { db } = context;
const base = await baseOf(app, workshopId);
const { owner, technician, viewer } = await peopleOf(app, workshopId);
const size = 10_000;
const phone = newPhone();
let customerId = '';
let page = '';

before(async () => {
  const booking = await known(phone, { customerName: 'Fleet', carRego: 'FLT100', carMake: 'Toyota' });
  customerId = booking.customerId;
  page = `${base}/customers/${customerId}`;
  // Three at a time have one date, so that pages end between them; every fifth is another customer's.
  await known(newPhone(), { customerName: 'Other' });
  const others = `(SELECT id FROM booking WHERE customer_id <> $1 ORDER BY id DESC LIMIT 1)`;
  const columns = `partner_id, workshop_id, customer_id, car_id, contact_name, contact_email, contact_phone`;
  await db.query(
    `INSERT INTO booking (id, code, date, status, ${columns}, created_at, updated_at)
     SELECT gen_random_uuid(), 'H' || n, timestamptz '2020-01-01' + make_interval(hours => n / 3), CASE n % 2 WHEN 0 THEN 'completed' ELSE 'cancelled' END,
            ${columns}, now(), now()
       FROM generate_series(1, $2::integer) AS n
       JOIN booking model ON model.id = CASE WHEN n % 5 = 0 THEN ${others} ELSE (SELECT id FROM booking WHERE customer_id = $1) END`,
    [customerId, size * 1.25],
  );
  await db.query(
    `INSERT INTO attendance (booking_id, state, actor, at)
     SELECT id, 'didNotCome', 'operator', now() FROM booking WHERE code IN ('H12497', 'H12498', 'H12500')`,
  );
  await db.query(
    `WITH talk AS (INSERT INTO conversation (id, workshop_id, customer_id, created_at)
       SELECT gen_random_uuid(), $1, $3, now() RETURNING id, customer_id)
     INSERT INTO message (id, workshop_id, conversation_id, customer_id, direction, recipient, body, encoding, segments, state, kind, created_at, updated_at)
     SELECT gen_random_uuid(), $1, talk.id, talk.customer_id, 'outbound', '', 'Text ' || n, 'gsm7', 1,
            CASE n % 2 WHEN 0 THEN 'delivered' ELSE 'accepted' END, 'reply', now(), now()
       FROM talk, generate_series(1, $2::integer) AS n`,
    [workshopId, size, customerId],
  );
  await db.query(
    `INSERT INTO call_lead (id, partner_id, workshop_id, caller_phone, called_at, outcome, was_missed, created_at, updated_at)
     SELECT gen_random_uuid(), $2, $1, '+614000' || n, now(), 'missed', true, now(), now() FROM generate_series(1, 2000) AS n`,
    [workshopId, partner.partnerId],
  );
  await db.query('VACUUM ANALYZE booking, message, attendance, car, customer, call_lead');
});

/** The statements of `work`, which is done too. */
async function asked(work: (db: Queryable) => Promise<unknown>) {
  const statements: { text: string; values: unknown[] }[] = [];
  const spy = {
    query: (text: string, values: unknown[] = []) => {
      statements.push({ text, values });
      return db.query(text, values);
    },
  } as Queryable;
  await work(spy);
  return statements;
}

test('pages of bookings meet, newest first, and none is left out', async () => {
  const found: { id: string; date: string }[] = [];
  for (let before: string | null = null; ; before = found.at(-1)?.id ?? null) {
    const some = await listBookingsOf(db, workshopId, { customerId, before, limit: 1_000 });
    found.push(...some);
    if (some.length < 1_000) break;
  }
  assert.equal(found.length, size + 1);
  assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
  const dates = found.map(({ date }) => date);
  assert.deepEqual(dates, dates.toSorted().toReversed());
});

test('a page reads its own rows alone, by the indexes of the customer', async () => {
  const limit = 26;
  const [last] = (await listBookingsOf(db, workshopId, { customerId, limit })).slice(-1);
  for (const before of [null, last?.id ?? assert.fail()]) {
    for (const statement of await asked((to) =>
      listBookingsOf(to, workshopId, { customerId, before, limit }),
    ))
      await assertLittleRead(db, statement, {
        table: 'booking',
        index: 'booking_customer',
        rowsAtMost: limit + 1,
      });
    const said = { customerId, before: before && (await lastSaid()) };
    for (const statement of await asked((to) => listSaid(to, workshopId, said)))
      await assertLittleRead(db, statement, { table: 'message', index: 'message_customer', rowsAtMost: 51 });
  }
});
const lastSaid = async () =>
  (await listSaid(db, workshopId, { customerId, before: null })).at(-1)?.id ?? null;

test('what is counted of a customer, their cars and calls are read by the indexes of the customer', async () => {
  // Of one among all these rows.
  const { customerId: one } = await known(newPhone(), { customerName: 'One' });
  const of = await findRows(db, workshopId, one);
  const now = new Date();
  for (const [work, table, index] of [
    [(to: Queryable) => countHeld(to, of), 'booking', 'booking_customer'],
    [(to: Queryable) => countHeld(to, of), 'message', 'message_customer'],
    [(to: Queryable) => countHeld(to, of), 'call_lead', 'call_lead_customer'],
    [(to: Queryable) => listCarHistory(to, { rows: of, now, limit: 50 }), 'booking', 'booking_customer'],
    [(to: Queryable) => listCalls(to, of, 10), 'call_lead', 'call_lead_customer'],
  ] as const)
    for (const statement of await asked(work))
      await assertLittleRead(db, statement, { table, index, rowsAtMost: 5 });
});

test('what is held is counted, and each car has its bookings and when it was last seen', async () => {
  const of = await findRows(db, workshopId, customerId);
  assert.deepEqual(await countHeld(db, of), {
    ...{ bookings: size + 1, notCome: 2, quotes: 0, reminders: 0, calls: 0, cars: 1, messages: size },
  });
  const [car] = await listCarHistory(db, { rows: of, now: new Date('2026-01-01'), limit: 50 });
  assert.deepEqual([car?.rego, car?.bookings], ['FLT100', size + 1]);
  assert.deepEqual(car?.lastSeenAt, new Date('2020-06-22T14:00:00Z'));
  assert.equal((await countHeld(db, { ...of, workshopId: customerId })).bookings, 0);
});

test('the page shows the newest with marks, states and whose each is, and leads to the older ones', async () => {
  const { status, text } = await owner.get(page);
  assert.equal(status, 200);
  for (const part of ['Bookings (10001)', 'Said and sent (10000)', 'Cars (1)', 'Did not come 2 times.'])
    assert.ok(text.includes(part), part);
  assert.match(text, /last seen Tue 23 Jun 2020/);
  assert.match(text, /Did not come<\/span>/);
  assert.match(text, /Example Fleet/);
  assert.match(text, /SMS, [^<]*, delivered/);
  const rows = (html: string) => [...html.matchAll(/bookings\/([\da-f-]{36})"/g)].map(([, id]) => id);
  const texts = (html: string) => [...html.matchAll(/<p class="message">([^<]*)/g)].map(([, body]) => body);
  const link = (html: string, label: string) =>
    new RegExp(`href="([^"]*)">${label}`).exec(html)?.[1]?.replaceAll('&amp;', '&').split('#')[0] ??
    assert.fail(label);
  assert.equal(rows(text).length, 25);
  assert.equal(texts(text).length, 50);
  const older = (await owner.get(link(text, 'Older bookings'))).text;
  assert.equal(new Set([...rows(text), ...rows(older)]).size, 50);
  assert.deepEqual(texts(older), texts(text));
  const both = (await owner.get(link(older, 'Older messages'))).text;
  assert.deepEqual(rows(both), rows(older));
  assert.equal(new Set([...texts(text), ...texts(both)]).size, 100);
  assert.equal((await owner.get(`${page}?bookingsBefore=x&messagesBefore='`)).status, 200);
});

test('quotes, calls and reminders stand there, with links to their pages, for whoever may see them', async () => {
  const make = async (path: string, body: object) => {
    const made = await partner.call('POST', path, { workshopId, ...body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
  };
  const customer = { customerPhone: phone, customerName: 'Fleet', customerEmail: 'f@fleet.example' };
  await make('/quotes', { ...customer, carRego: 'FLT100', services: [{ title: 'Brakes' }] });
  await make('/leads/calls', { callerPhone: phone, calledAt: new Date().toISOString(), outcome: 'missed' });
  await make('/reminders/services', { customerPhone: phone, customerName: 'Fleet', carRego: 'FLT100' });
  const places = ['quotes', 'reminders', 'calls'];
  for (const [who, shown, hidden, led] of [
    [owner, ['Quotes (1)', 'Calls (1)', 'Reminders (1)', 'missed, Example Fleet'], [], places],
    [technician, [], ['Quotes (', 'Calls (', 'Reminders ('], []],
    [viewer, ['Quotes (1)', 'Calls (1)'], ['Reminders ('], ['quotes', 'calls']],
  ] as const) {
    const { text } = await who.get(page);
    const links = [...text.matchAll(/href="([^"]*\/(quotes|calls|reminders)\/[\da-f-]{36})"/g)];
    assert.deepEqual(
      links.map(([, , place]) => place),
      led,
      who.name,
    );
    for (const [, link = ''] of links)
      assert.equal((await who.get(link)).status, 200, `${who.name}: ${link}`);
    for (const part of shown) assert.ok(text.includes(part), `${who.name}: ${part}`);
    for (const part of hidden) assert.ok(!text.includes(part), `${who.name}: ${part}`);
  }
});
