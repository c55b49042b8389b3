/** Answers to quotes count under the limits of pages. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Quote } from '#product/quotes/schema.ts';
import { quoteWorld } from '../../../../test/fixtures/quote-api.ts';
import { freeTimes, pricedQuote } from '../../../../test/fixtures/quote-pages.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';

const world = await quoteWorld({ config: { pageSmsPerWorkshop: 6 } });
const { app, partner, read } = world;
const { db } = app.context;

beforeEach(() => db.query('TRUNCATE page_use'));

async function post(path: string, form: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${app.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });
  const location = response.headers.get('location');
  return { status: response.status, location, text: await response.text() };
}

/** Sets the count within the hour of everything of that kind that was counted before. */
const use = (kind: string, uses: number) =>
  db.query(`UPDATE page_use SET uses = array_fill(clock_timestamp(), ARRAY[$2::int]) WHERE kind = $1`, [
    kind,
    uses,
  ]);

async function outcomes(workshopId: string, audience: string): Promise<string[]> {
  await app.drain();
  const rows = await db.query<{ outcome: string }>(
    `SELECT kind || ' ' || channel || ' ' || coalesce(reason, state) AS outcome FROM message
      WHERE workshop_id = $1 AND audience = $2 ORDER BY 1`,
    [workshopId, audience],
  );
  return rows.map(({ outcome }) => outcome);
}

test('accepting past the bound of the customer: the booking is made, its notices fail, the workshop is told', async () => {
  const customerPhone = '0491570360';
  const workshopId = await linkedWorkshop(app, [partner]);
  const [first, second] = [
    await pricedQuote(world, { customerPhone }),
    await pricedQuote(world, { workshopId, customerPhone }),
  ];
  const times = await freeTimes(world, 3);
  assert.equal((await post(`/q/${first.code}/accept`, { time: times[0] ?? '' })).status, 303);
  await use('phone', 5);
  await use('email', 5);
  const [time = ''] = await freeTimes({ ...world, workshopId }, 3);
  assert.equal((await post(`/q/${second.code}/accept`, { time })).status, 303);
  const { status, bookingId } = await read(second.id);
  assert.deepEqual([status, bookingId === null], ['accepted', false]);
  const told = await outcomes(workshopId, 'customer');
  assert.deepEqual(
    told.filter((each) => each.startsWith('bookingNotice')),
    ['bookingNotice email pageCeiling', 'bookingNotice sms pageCeiling'],
  );
  assert.deepEqual(await outcomes(workshopId, 'workshop'), [
    'quoteNotice email accepted',
    'quoteNotice sms accepted',
  ]);
});

test('declining past the workshop’s SMS of the hour is told by e-mail; past the changes of an address it is 429', async () => {
  const workshopId = await linkedWorkshop(app, [partner]);
  const quotes: Quote[] = [];
  for (let n = 0; n < 3; n++)
    quotes.push(await pricedQuote(world, { workshopId, customerPhone: `049157037${n}` }));
  const decline = (n: number) => post(`/q/${quotes[n]?.code}/decline`);
  assert.equal((await decline(0)).status, 303);
  await use('workshop', 6);
  assert.equal((await decline(1)).status, 303);
  assert.deepEqual(await outcomes(workshopId, 'workshop'), [
    'quoteNotice email accepted',
    'quoteNotice email accepted',
    'quoteNotice sms accepted',
    'quoteNotice sms pageCeiling',
  ]);
  // Answered before: nothing changes, and nothing counts.
  await use('addressAtWorkshop', 20);
  assert.equal((await decline(1)).status, 303);
  const [time = ''] = await freeTimes({ ...world, workshopId }, 3);
  for (const refused of [await decline(2), await post(`/q/${quotes[2]?.code}/accept`, { time })]) {
    assert.equal(refused.status, 429);
    assert.match(refused.text, /many bookings and changes from here/);
  }
  assert.equal((await read(quotes[2]?.id ?? '')).status, 'quoted');
});

test('one that is over is asked for again once a day, of which the workshop gets a notice; a rate is kept', async () => {
  const workshopId = await linkedWorkshop(app, [partner]);
  const services = [{ title: 'Brake pads', category: 'repair' }, { catalogCode: 'x' }];
  const quote = await pricedQuote(world, { workshopId, services, notes: 'Squeaks', externalId: 'Q-7' });
  const again = () => post(`/q/${quote.code}/again`);
  assert.equal((await again()).location, `/q/${quote.code}`, 'it is not over yet');
  await post(`/q/${quote.code}/decline`);
  await outcomes(workshopId, 'workshop');
  const shown = await (await fetch(`${app.url}/q/${quote.code}`)).text();
  assert.match(
    shown,
    /action="\/q\/[0-9A-Z]{10}\/again"[\s\S]*Ask for a new quote[\s\S]*Book a time without a quote/,
  );

  await use('addressAtWorkshop', 20);
  assert.equal((await again()).status, 429);
  await db.query('TRUNCATE page_use');
  const answers = await Promise.all([again(), again(), again()]);
  const [path] = new Set(answers.map(({ location }) => location));
  assert.deepEqual(
    new Set(answers.map(({ location, status }) => `${status} ${location}`)),
    new Set([`303 ${path}`]),
  );
  const { body } = await partner.call('GET', `/quotes?workshopId=${workshopId}`);
  assert.equal(body.quotes.length, 2);
  const [fresh] = body.quotes;
  const wanted = ({ services: its, notes, externalId, customer, car }: Quote) => [
    ...[its, notes, externalId, customer.id, customer.email, car.id],
  ];
  assert.deepEqual([path, fresh.status], [`/q/${fresh.code}`, 'requested']);
  assert.deepEqual(wanted(fresh), wanted(quote));
  assert.deepEqual((await outcomes(workshopId, 'workshop')).length, 4, 'of the decline and of the request');
  await db.query('UPDATE link SET active = false WHERE workshop_id = $1', [workshopId]);
  const closed = await (await fetch(`${app.url}/q/${quote.code}`)).text();
  assert.doesNotMatch(closed, /Ask for a new quote/);
});
