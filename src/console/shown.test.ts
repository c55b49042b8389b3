/**
 * Every page of the console that shows a customer counts them, or is named here as one that does not (specification: The console). Made from
 * the table of routes: a new page has to be judged here.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { dateAt } from '#base/values/local-day.ts';
import { createAutomation } from '#product/campaigns/automations/create.ts';
import { createBlast } from '#product/campaigns/blasts/create.ts';
import { noCounts } from '#product/imports/counts.ts';
import { priceQuote } from '#product/quotes/price.ts';
import { talksAt } from '../../test/fixtures/conversations.ts';
import { baseOf, type Person, signedInPerson } from '../../test/fixtures/office.ts';
import { sweepWhole } from '../../test/fixtures/search.ts';
import { publishedTemplate } from '../../test/fixtures/templates.ts';
import { startTestApp } from '../../test/harness/app.ts';
import { linkedWorkshop, signedInPartner } from '../../test/harness/world.ts';
import { workshopRoutes } from './routes.ts';

const app = await startTestApp();
const { context } = app;
const { db, clock } = context;
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();
/** At the workshop. */
const dateIn = (days: number) => dateAt(clock.now().getTime() + days * dayMs, 'Australia/Melbourne');

/** Pages that show no customer, by why. */
const showsNobody: Readonly<Record<string, string>> = {
  'numbers, names of partners and people, or texts for all':
    'more report report/csv automations blasts blasts/:id',
  'what the owner has sent in a file': 'import import/:id import/:id/faults import/:id/columns',
  'a form for somebody who need not be known yet': 'customers/new inbox/new',
  'the people of the workshop': 'settings/people settings/people/:id settings/people/:id/code',
  'a picture, whose address stands in its conversation alone': 'inbox/:id/pictures/:attachment',
};
/** Pages that show them without counting: of the present day and week. */
const uncounted = ['today', 'week', 'print'];
const nobodys = new Set(Object.values(showsNobody).flatMap((paths) => paths.split(' ')));

let workshopId = '';
let base = '';
/** Has a booking in three weeks, and one of everything else. */
let far = { name: 'Fay Farraway', customerId: '', bookingId: '' };
/** Has a booking now. */
const near = { name: 'Nora Nearby', customerId: '', bookingId: '' };
let ids: Readonly<Record<string, string>> = {};

before(async () => {
  const partner = await signedInPartner(app);
  workshopId = await linkedWorkshop(app, [partner]);
  base = await baseOf(app, workshopId);
  const talks = talksAt(app, partner, workshopId);
  const made = async (path: string, record: string, body: object) => {
    const answer = await partner.call('POST', path, { workshopId, ...body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return String(answer.body[record].id);
  };
  const nearby = { customerName: near.name, carRego: 'NEAR01', bookingTime: inDays(0) };
  Object.assign(near, await talks.known('+61491570156', nearby));
  const faraway = { customerName: far.name, carRego: 'FAR001' };
  const talk = await talks.known('+61491570157', { ...faraway, bookingTime: inDays(21) });
  far = { ...far, ...talk };
  await talks.heard(talk, 'Hello');
  const customer = { customerName: far.name, customerPhone: talk.phone, customerEmail: 'fay@far.example' };
  const asked = () =>
    made('/quotes', 'quote', { ...customer, carRego: 'FAR001', services: [{ title: 'Brakes' }] });
  ids = {
    ...{ bookings: talk.bookingId, customers: talk.customerId, inbox: talk.conversationId },
    calls: await made('/leads/calls', 'callLead', {
      ...{ callerPhone: talk.phone, customerName: far.name, calledAt: inDays(0), outcome: 'missed' },
    }),
    quotes: await asked(),
    priced: await asked(),
    reminders: await made('/reminders/services', 'serviceReminder', {
      ...{ customerName: far.name, customerPhone: talk.phone, sendAt: inDays(1) },
    }),
  };
  const campaign = {
    ...{ workshop: workshopId, name: 'All' },
    template: await publishedTemplate({ db, clock }, { workshopId, name: 'All', body: 'Hello.' }),
  };
  const automation = await createAutomation(
    { db, clock },
    { ...campaign, trigger: 'manual', quietHours: 'off' },
    actors.operator,
  );
  ids = {
    ...{ ...ids, automations: automation.id },
    blasts: (await createBlast({ db, clock }, campaign, actors.operator)).id,
  };
  const run = { customerId: far.customerId };
  const triggered = await partner.call(
    'POST',
    `/workshops/${workshopId}/automations/${automation.id}/trigger`,
    run,
  );
  assert.equal(triggered.status, 202, JSON.stringify(triggered.body));
  await priceQuote(context, {
    ...{ quoteId: ids['priced'] ?? '', lines: ['Brakes:1:90'], validDays: '14', message: undefined },
    actor: actors.operator,
  });
  await app.drain();
  await sweepWhole(context);
  ids = { ...ids, import: await importWithStayed(far.customerId) };
});

/** An import that was taken back, of which this customer stayed. */
async function importWithStayed(customerId: string): Promise<string> {
  const id = newId();
  await db.query(
    `INSERT INTO import_file (id, workshop_id, actor, kind, file_name, state, report, changed_at)
     VALUES ($1, $2, 'operator', 'customers', 'a.csv', 'imported', $3, clock_timestamp())`,
    [id, workshopId, { counts: noCounts, ignored: [], encoding: 'utf-8', faults: 0, firstFaults: [] }],
  );
  await db.query(
    `INSERT INTO import_run (id, workshop_id, kind, state, rows, began_at, written_at)
     VALUES ($1, $2, 'customers', 'takenBack', 0, now(), now())`,
    [id, workshopId],
  );
  await db.query(
    `INSERT INTO import_change (import_id, kind, record_id, is_made, mark, stays) VALUES ($1, 'customer', $2, true, '1', 'changed')`,
    [id, customerId],
  );
  return id;
}

/** Where a page shows them only for a query. */
const queries: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  find: () => ({ q: 'farraway' }),
  inbox: () => ({ filter: 'all' }),
  'bookings/new': () => ({ like: far.bookingId }),
  'quotes/new': () => ({ call: ids['calls'] ?? '' }),
  'customers/:id/merge': () => ({ with: near.customerId }),
};

function addressOf(path: string): string {
  const id = ids[path === 'quotes/:id/accept' ? 'priced' : (path.split('/')[0] ?? '')] ?? newId();
  const query = new URLSearchParams(queries[path]?.() ?? {});
  return `${base}/${path.replaceAll(/:\w+/g, id)}?${query}`;
}

const countedOf = async ({ personId }: Pick<Person, 'personId'>) => {
  const rows = await db.query<{ customerId: string }>(
    'SELECT customer_id FROM shown_customer WHERE person_id = $1 AND workshop_id = $2',
    [personId, workshopId],
  );
  return new Set(rows.map(({ customerId }) => customerId));
};
const full = (personId: string) =>
  db.query(
    `INSERT INTO shown_customer (person_id, workshop_id, customer_id, at)
     SELECT $1, $2, gen_random_uuid(), clock_timestamp() FROM generate_series(1, 2000)`,
    [personId, workshopId],
  );

/** An export is asked for before it is read. */
async function askExport(kim: Person, path: string): Promise<void> {
  const as = /export\/(\w+)$/.exec(path)?.[1];
  if (as === undefined) return;
  const form = `${base}/customers/${far.customerId}/export`;
  const { status } = await kim.post(form, { as, key: newId() });
  assert.equal(status, 303);
  await db.query('DELETE FROM shown_customer WHERE person_id = $1', [kim.personId]);
}

for (const { path } of workshopRoutes.filter(({ method }) => method === 'GET'))
  test(`${path} ${nobodys.has(path) ? 'shows no customer' : uncounted.includes(path) ? 'counts nobody' : 'counts whom it shows, and shows nobody past the limit'} (specification: The console 23)`, async () => {
    const kim = await signedInPerson(app, [workshopId]);
    await askExport(kim, path);
    const { status, text } = await kim.get(addressOf(path));
    const shows = text.includes(far.name) || text.includes(near.name);
    if (nobodys.has(path)) {
      assert.ok(!shows, 'it shows one');
      return;
    }
    assert.equal(status, 200, text);
    assert.ok(shows, 'it shows nobody here: give it a query, or say why it never does');
    const counted = await countedOf(kim);
    if (uncounted.includes(path)) {
      assert.equal(counted.size, 0);
      return;
    }
    if (text.includes(far.name)) assert.ok(counted.has(far.customerId), 'it does not count whom it shows');
    if (text.includes(near.name)) assert.ok(counted.has(near.customerId), 'it does not count whom it shows');
    // Fetched again, by hand or by itself, it counts nobody twice.
    await kim.get(addressOf(path));
    assert.equal((await countedOf(kim)).size, counted.size);
    await db.query('DELETE FROM shown_customer WHERE person_id = $1', [kim.personId]);
    await full(kim.personId);
    const past = await kim.get(addressOf(path));
    assert.ok(past.status === 429 || past.status === 200);
    assert.ok(!past.text.includes(far.name) && !past.text.includes(near.name));
  });

test('of another day or week, and of its print, they count; of the present ones not, nor a booking of theirs (specification: The console 23)', async () => {
  const kim = await signedInPerson(app, [workshopId]);
  const [today, then] = [dateIn(0), dateIn(21)];
  const present = [
    ...['today', 'week', 'print', `today?date=${today}`, `week?from=${today}`],
    ...[`print?date=${today}`, `print?from=${today}`, `bookings/${near.bookingId}`],
  ];
  await full(kim.personId);
  for (const path of present) assert.equal((await kim.get(`${base}/${path}`)).status, 200, path);
  assert.equal((await countedOf(kim)).size, 2_000);
  const others = ['today?date=', 'week?from=', 'print?date=', 'print?from='].map((path) => `${path}${then}`);
  for (const path of others) {
    assert.equal((await kim.get(`${base}/${path}`)).status, 429, path);
    const ann = await signedInPerson(app, [workshopId]);
    assert.match((await ann.get(`${base}/${path}`)).text, /FAR001/, path);
    assert.deepEqual([...(await countedOf(ann))], [far.customerId], path);
  }
});

test('an owner has ten exports and ten tables of the report a day at a workshop, each kind by itself; then the page says until when (specification: The console 24)', async () => {
  const kim = await signedInPerson(app, [workshopId]);
  const form = `${base}/customers/${far.customerId}/export`;
  const key = newId();
  const exported = (own = newId()) => kim.post(form, { as: 'json', key: own });
  // A form that is sent again is no further export.
  for (let n = 0; n < 3; n++) assert.equal((await exported(key)).status, 303);
  for (let n = 0; n < 9; n++) assert.equal((await exported()).status, 303);
  const refused = await exported();
  assert.equal(refused.status, 422);
  assert.match(
    refused.text,
    /10 exports of customers within a day.*That ends on \w{3} \d+ \w{3} \d{4}, \d+:\d\d/s,
  );
  const entries = await db.query(
    `SELECT FROM audit_entry WHERE action = 'customer.exported' AND actor LIKE '%' || $1`,
    [kim.personId],
  );
  assert.equal(entries.length, 10, 'the refused one is no entry');
  const csv = () => kim.get(`${base}/report/csv`);
  for (let n = 0; n < 10; n++) assert.equal((await csv()).status, 200);
  const past = await csv();
  assert.equal(past.status, 429);
  assert.match(past.text, /10 tables of the report within a day.*That ends on .*Try again in 24 hours/s);
  const seconds = Number(past.headers.get('retry-after'));
  assert.ok(seconds > 86_000 && seconds <= 86_400, `${seconds}`);
  const ann = await signedInPerson(app, [workshopId]);
  assert.equal((await ann.get(`${base}/report/csv`)).status, 200, 'another owner has their own');
});
