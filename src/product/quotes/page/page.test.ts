/**
 * /q/{code} over HTTP: accepting makes one booking, declining none; codes, links that are off, and which personal data it shows.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newCode } from '#base/values/code.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { importWorkshop } from '#product/availability/set-up/import.ts';
import { setPartnerStatus } from '#product/partners/status.ts';
import { setLink } from '#product/workshops/link.ts';
import { quoteEvents, quoteWorld } from '../../../../test/fixtures/quote-api.ts';
import { freeTimes, pricedQuote } from '../../../../test/fixtures/quote-pages.ts';
import { secondApp } from '../../../../test/fixtures/second-app.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { acceptQuote } from '../accept.ts';

const world = await quoteWorld();
const { app, partner, ask, read } = world;
const { db, clock } = app.context;

interface Shown {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

async function open(
  path: string,
  form?: Readonly<Record<string, string>>,
  headers = {},
  url = app.url,
): Promise<Shown> {
  const response = await fetch(`${url}${path}`, {
    redirect: 'manual',
    headers,
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

const bookingsOf = async (customerId: string) =>
  (await db.query('SELECT FROM booking WHERE customer_id = $1', [customerId])).length;

test('accepted with a free time: a booking of the partner with these services, in the commit of the acceptance (specification: Quotes 6; Booking page 9)', async () => {
  const quote = await pricedQuote(world, {
    customerPhone: '0491570330',
    notes: 'Squeaks',
    externalId: 'LEAD-9',
    carVin: 'VIN9',
    carMake: 'Toyota',
    carModel: 'Corolla',
  });
  const [time = ''] = await freeTimes(world, 3);
  const { status, location } = await open(`/q/${quote.code}/accept`, { time });
  assert.deepEqual([status, location], [303, `/q/${quote.code}`]);
  const accepted = await read(quote.id);
  assert.equal(accepted.status, 'accepted');
  const { body } = await partner.call('GET', `/bookings/${accepted.bookingId}`);
  const { booking } = body;
  assert.deepEqual(
    [booking.date, booking.services, booking.customer, booking.car, booking.notes, booking.externalId],
    [time, quote.services, quote.customer, quote.car, 'Squeaks', 'LEAD-9'],
  );
  const events = await quoteEvents(app, quote.id);
  assert.deepEqual(events.at(-1)?.payload, {
    quote: accepted,
    booking,
    notifyCustomer: false,
    notifyWorkshop: true,
  });
  const [made] = await quoteEvents(app, booking.id);
  assert.deepEqual(
    [made?.kind, made?.payload['notifyCustomer'], made?.payload['notifyWorkshop']],
    ['booking.created', true, false],
  );
  const page = await open(`/q/${quote.code}`);
  assert.match(page.text, /<dt>Car<\/dt><dd>(?:<bdi>)?Toyota Corolla \(/);
  assert.match(page.text, /You have accepted this quote/);
  assert.match(page.text, /href="\/b\/[0-9A-Z]{10}"/);
  for (const path of ['accept', 'decline']) {
    assert.equal((await open(`/q/${quote.code}/${path}`)).location, `/q/${quote.code}`);
    assert.equal((await open(`/q/${quote.code}/${path}`, { time })).location, `/q/${quote.code}`);
  }
  assert.equal(await bookingsOf(quote.customerId), 1);
});

test('two tabs at once, on two processes: one booking', async () => {
  const other = await secondApp(app);
  const times = await freeTimes(world, 4);
  for (let round = 0; round < 4; round++) {
    const quote = await pricedQuote(world, { customerPhone: `049157034${round}` });
    const answers = await Promise.all(
      [0, 1, 2, 3].map((n) => {
        const time = times[round * 4 + n] ?? '';
        return open(`/q/${quote.code}/accept`, { time }, {}, n % 2 ? app.url : other.url);
      }),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303]);
    assert.equal(await bookingsOf(quote.customerId), 1);
    const kinds = (await quoteEvents(app, quote.id)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['quote.requested', 'quote.quoted', 'quote.accepted']);
  }
});

test('two quotes for the last place: one is accepted, the other page shows other times and nothing is booked', async () => {
  const small = await linkedWorkshop(app, [partner]);
  const one = await pricedQuote(world, { workshopId: small, customerPhone: '0491570350' });
  const two = await pricedQuote(world, { workshopId: small, customerPhone: '0491570351' });
  const [time = ''] = await freeTimes({ ...world, workshopId: small }, 3);
  const answers = await Promise.all([one, two].map(({ code }) => open(`/q/${code}/accept`, { time })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409]);
  const refused = answers.find(({ status }) => status === 409);
  assert.match(refused?.text ?? '', /That time is not free any more/);
  assert.equal((await bookingsOf(one.customerId)) + (await bookingsOf(two.customerId)), 1);
});

test('a time that is past, closed or none is not booked', async () => {
  const quote = await pricedQuote(world, { customerPhone: '0491570352' });
  for (const time of ['', 'x', '2020-01-06T00:00:00Z', '2030-03-03T00:00:00Z', '2030-03-04T15:00:00Z']) {
    const { status, text } = await open(`/q/${quote.code}/accept`, { time });
    assert.deepEqual([status, /Please choose another/.test(text)], [409, true], time);
  }
  assert.equal((await read(quote.id)).status, 'quoted');
  assert.equal(await bookingsOf(quote.customerId), 0);
});

test('a service of the catalogue is booked as it was quoted, also when it is no longer offered', async () => {
  const own = await linkedWorkshop(app, [partner]);
  const service = {
    catalogCode: 'brakes',
    title: 'Brakes',
    category: 'repair',
    cost: 199,
    durationMinutes: 120,
  };
  const setUp = (services: object[]) =>
    importWorkshop({ db, clock }, JSON.stringify({ workshopId: own, services }), actors.operator);
  await setUp([service]);
  const quote = await pricedQuote(world, {
    workshopId: own,
    customerPhone: '0491570353',
    services: [{ catalogCode: 'brakes' }],
  });
  assert.deepEqual([quote.services[0]?.source, quote.services[0]?.title], ['catalog', 'Brakes']);
  await setUp([]);
  const [time = ''] = await freeTimes({ ...world, workshopId: own }, 3);
  assert.equal((await open(`/q/${quote.code}/accept`, { time })).status, 303);
  const { bookingId } = await read(quote.id);
  const [row] = await db.query<{ minutes: number }>(
    'SELECT extract(epoch FROM occupied_until - occupied_from)::int / 60 AS minutes FROM booking WHERE id = $1',
    [bookingId],
  );
  assert.equal(row?.minutes, 120);
});

test('declined after it is asked once more; a request, a declined and an ended quote have nothing to answer (specification: Quotes 6)', async () => {
  const quote = await pricedQuote(world, { customerPhone: '0491570354' });
  assert.match((await open(`/q/${quote.code}/decline`)).text, /Decline this quote\?/);
  assert.equal((await read(quote.id)).status, 'quoted');
  assert.equal((await open(`/q/${quote.code}/decline`, {})).status, 303);
  assert.equal((await read(quote.id)).status, 'declined');
  assert.match((await open(`/q/${quote.code}`)).text, /This quote was declined/);
  const asked = await ask();
  assert.match((await open(`/q/${asked.code}`)).text, /The workshop has your request/);
  assert.equal((await open(`/q/${asked.code}/decline`, {})).location, `/q/${asked.code}`);
  assert.equal((await read(asked.id)).status, 'requested');
});

test('the page names nobody, and codes are read as people type them', async () => {
  const quote = await pricedQuote(world, {
    ...{ customerName: 'Kim Lee', customerEmail: 'kim@mail.example', customerPhone: '0491570355' },
    ...{ customerCompany: 'Leeco', notes: 'Ring Kim', carVin: 'VINKIM' },
  });
  const [time = ''] = await freeTimes(world, 3);
  const typed = `${quote.code.slice(0, 5)}-${quote.code.slice(5)}`.toLowerCase();
  for (const path of ['', '/accept', `/accept?time=${encodeURIComponent(time)}`, '/decline']) {
    const { status, text } = await open(`/q/${typed}${path}`);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /kim|lee|570355|vinkim/i, path);
  }
});

test('a link that is off, a suspended partner: the quote is shown, and answering is refused with the phone of the workshop', async () => {
  const own = await linkedWorkshop(app, [partner], { phone: '0355509876' });
  const quote = await pricedQuote(world, { workshopId: own, customerPhone: '0491570356' });
  const [time = ''] = await freeTimes({ ...world, workshopId: own }, 3);
  const off = async () => {
    const page = await open(`/q/${quote.code}`);
    assert.deepEqual([page.status, /Accept and choose/.test(page.text)], [200, false]);
    for (const [path, form] of [['accept'], ['decline'], ['accept', { time }], ['decline', {}]] as const) {
      const { status, text } = await open(`/q/${quote.code}/${path}`, form);
      assert.deepEqual([status, text.includes('+61355509876')], [403, true], path);
    }
    // Also when the link is switched off after the page has checked it.
    const accepted = acceptQuote(app.context, quote.id, time, actors.customerByLink('r'));
    await assert.rejects(accepted, { errorCode: '000004' });
  };
  const link = { partnerId: partner.partnerId, workshopId: own };
  await setLink({ db, clock }, { ...link, active: false }, actors.operator);
  await off();
  await setLink({ db, clock }, { ...link, active: true }, actors.operator);
  await setPartnerStatus({ db, clock }, partner.partnerId, 'suspended', actors.operator);
  await off();
  await setPartnerStatus({ db, clock }, partner.partnerId, 'active', actors.operator);
  assert.equal((await read(quote.id)).status, 'quoted');
});

test('an erased customer’s page is gone; a form of another site is refused', async () => {
  const quote = await pricedQuote(world, { customerPhone: '0491570357' });
  const elsewhere = await open(`/q/${quote.code}/decline`, {}, { 'sec-fetch-site': 'cross-site' });
  assert.equal(elsewhere.status, 403);
  assert.equal((await read(quote.id)).status, 'quoted');
  await eraseCustomer({ db, clock }, quote.customerId, actors.operator);
  assert.equal((await open(`/q/${quote.code}`)).status, 404);
});

test('guesses are bounded: ten wrong codes an hour from an address, then 429; the right one is always answered', async () => {
  const quote = await pricedQuote(world, { customerPhone: '0491570359' });
  await db.query('DELETE FROM attempt');
  const nobodys = await open('/q/%00');
  assert.equal(nobodys.status, 404);
  assert.match(nobodys.text, /phone number is in that message[\s\S]*href="\/b"[^>]*>Find your booking</);
  for (let n = 0; n < 10; n++) assert.equal((await open(`/q/${newCode(10)}`)).status, 404);
  const { status, text } = await open(`/q/${newCode(10)}`);
  assert.deepEqual([status, /Too many/.test(text)], [429, true]);
  assert.equal((await open(`/q/${quote.code}`)).status, 200);
});

test('a quote whose time is over can be neither accepted nor declined, before the sweep too', async () => {
  const quote = await pricedQuote(world, { customerPhone: '0491570358' });
  await db.query('DELETE FROM attempt');
  const [time = ''] = await freeTimes(world, 16);
  app.advance(14 * 86_400 + 1);
  assert.match((await open(`/q/${quote.code}`)).text, /This quote has ended/);
  assert.equal((await open(`/q/${quote.code}/accept`)).location, `/q/${quote.code}`);
  assert.equal((await open(`/q/${quote.code}/accept`, { time })).location, `/q/${quote.code}`);
  assert.equal(await bookingsOf(quote.customerId), 0);
});
