/** Long because it covers every way to book and every refusal. */

/** Booking on the page; the page itself: test/pages/book.test.ts. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { bookingWorld, eventsOf } from '../../../../test/fixtures/booking-api.ts';
import { demoSetup } from '../../../operation/demo/setup.ts';

const { app, partner, workshopId } = await bookingWorld({ config: { trustProxy: true } });
const { db, clock } = app.context;
const setup = demoSetup(0);
await db.transaction((tx) =>
  writeSetup(tx, workshopId, { ...setup, settings: { ...setup.settings, bays: 1 } }, clock.now()),
);
const [service] = (await partner.call('GET', `/workshops/${workshopId}/services`)).body.services;

beforeEach(() => db.query('TRUNCATE attempt, page_use'));

async function linkTo(prefill: Record<string, string> = {}): Promise<URL> {
  const query = new URLSearchParams(prefill);
  return new URL((await partner.call('GET', `/workshops/${workshopId}/booking-url?${query}`)).body.url);
}

/** Free times of the service, the next ones first. */
async function freeTimes(): Promise<string[]> {
  const path = `/workshops/${workshopId}/availabilities?catalogId=${service._id}`;
  const { days } = (await partner.call('GET', path)).body;
  return days.flatMap((day: { slots: { time: string }[] }) => day.slots.map(({ time }) => time));
}

const person = {
  customerName: 'Kim Lee',
  customerPhone: '0491 570 006',
  customerEmail: 'kim@mail.example',
  carRego: '1ab 2cd',
};

async function send(link: URL, form: Record<string, string>, from = '192.0.2.1') {
  const k = link.searchParams.get('k') ?? '';
  const response = await fetch(`${app.url}${link.pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
    body: new URLSearchParams({ k, service: service._id, formId: 'f1', ...person, ...form }),
  });
  return {
    status: response.status,
    location: response.headers.get('location'),
    text: await response.text(),
  };
}

const bookings = async () => (await partner.call('GET', '/bookings')).body.bookings;
const count = async () => (await bookings()).length;

test('a booking belongs to the partner of the link, and is announced like its own', async () => {
  const [time = ''] = await freeTimes();
  const link = await linkTo({ externalId: 'ORDER-7' });
  const sent = await send(link, { time, notes: 'Squeaks' });
  assert.equal(sent.status, 303, sent.text);
  assert.match(sent.location ?? '', /^\/b\/[0-9A-Z]{10}\?done=booked$/);
  const [booking] = await bookings();
  assert.deepEqual(
    [booking.date, booking.externalId, booking.serviceCategory, booking.notes, booking.services.length],
    [time, 'ORDER-7', 'service', 'Squeaks', 1],
  );
  assert.deepEqual([booking.services[0].title, booking.services[0].cost], ['Logbook service', 249]);
  const [event] = await eventsOf(app, booking.id);
  assert.deepEqual(
    [event?.kind, event?.partnerId, event?.payload.notifyCustomer, event?.payload.notifyWorkshop],
    ['booking.created', partner.partnerId, true, true],
  );
});

test('a form that is sent twice, also at once, makes one booking (specification: Booking page 15)', async () => {
  const [time = ''] = await freeTimes();
  const link = await linkTo();
  const before = await count();
  const answers = await Promise.all([1, 2, 3].map(() => send(link, { time, formId: 'twice' })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303, 303],
  );
  assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
  assert.equal(await count(), before + 1);
});

test('every bad field is named at its place, what was typed stays, and nothing is booked (specification: Booking page 16)', async () => {
  const [time = ''] = await freeTimes();
  const before = await count();
  const { status, text } = await send(await linkTo(), {
    time,
    ...{ customerName: '', customerPhone: '<b>12', customerEmail: 'kim', carRego: '' },
  });
  assert.equal(status, 400);
  for (const name of ['customerName', 'customerPhone', 'customerEmail', 'carRego']) {
    assert.match(text, new RegExp(`id="${name}-error"`));
    assert.match(text, new RegExp(`href="#${name}"`));
  }
  assert.ok(text.includes('value="&lt;b&gt;12"'));
  const empty = await send(await linkTo(), { time, customerPhone: '', customerEmail: '' });
  assert.equal(empty.status, 400);
  for (const wanted of ['Enter an e-mail address, such as', 'Enter a phone number, such as 0\\d'])
    assert.match(empty.text, new RegExp(wanted));
  // The summary lists them in the order of the form, and has the focus.
  assert.match(text, /<title>Error: /);
  const summary =
    /<div class="notice bad" role="alert" tabindex="-1" autofocus>.*?<\/div>/s.exec(text)?.[0] ?? '';
  const order = [...summary.matchAll(/href="#(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual(order, ['customerName', 'customerPhone', 'customerEmail', 'carRego']);
  assert.equal(await count(), before);
});

test('no link comes in by the registration or the name: both are named, and nothing is booked (specification: Regos 5 and 6)', async () => {
  const [time = ''] = await freeTimes();
  const before = await count();
  const link = await linkTo();
  const texts = [
    'https://evil.example/pay',
    'evil.example',
    'Pay at ｅｖｉｌ．ｃｏｍ',
    'evil\u200b.com',
    'www.x',
  ];
  for (const text of texts) {
    const refused = await send(link, { time, carRego: text, customerName: text });
    assert.equal(refused.status, 400, text);
    for (const name of ['carRego', 'customerName'])
      assert.match(refused.text, new RegExp(`id="${name}-error"`), text);
  }
  for (const carRego of ['ABC1234567890', 'AB/12', 'AB_12'])
    assert.match((await send(link, { time, carRego })).text, /A registration has letters, digits/);
  for (const carRego of ['EVIL.COM', 'AB.CD.12', 'evil.co-1'])
    assert.match(
      (await send(link, { time, carRego })).text,
      /without dots: with them it reads like the address/,
    );
  assert.equal(await count(), before);
  const usual = await send(link, {
    time,
    carRego: 'Ö-ABC 12345',
    customerName: 'J.R. O’Neil-Smith',
    formId: 'ok',
  });
  assert.equal(usual.status, 303, usual.text);
});

test('the page enforces what is free, also where the workshop does not (specification: Booking page 6)', async () => {
  const times = await freeTimes();
  const [time = ''] = times;
  const link = await linkTo();
  assert.equal((await send(link, { time, formId: 'a' })).status, 303);
  const before = await count();
  const [next = ''] = await freeTimes();
  const night = `${time.slice(0, 10)}T14:07:00.000Z`;
  for (const taken of [time, night, '2020-03-02T22:30:00.000Z']) {
    const { status, text } = await send(link, { time: taken, formId: 'b', customerPhone: '0491570110' });
    assert.equal(status, 409, taken);
    assert.match(text, /That time is not free any more/);
    assert.match(text, /class="time"/);
    if (taken === time) assert.ok(text.includes(encodeURIComponent(next)), 'the next free time is a link');
  }
  assert.equal(await count(), before);
});

test('of forty customers who want the last place at once, one gets it, and the others see what is free', async () => {
  const link = await linkTo();
  const [time = ''] = await freeTimes();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      send(link, { time, formId: `${n}`, customerPhone: `04915702${10 + n}` }, `192.0.2.${n}`),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 39);
});

test('a form that a program fills in books nothing (specification: Booking page 15)', async () => {
  const [time = ''] = await freeTimes();
  const before = await count();
  const { status } = await send(await linkTo(), { time, website: 'https://spam.example' });
  assert.equal(status, 200);
  assert.equal(await count(), before);
});

test('a known phone and an unknown one get the same answer (specification: Booking page 16)', async () => {
  const [one = '', , , , , , , , two = ''] = await freeTimes();
  const link = await linkTo();
  const known = await send(link, { time: one, formId: 'known' });
  const unknown = await send(link, { time: two, formId: 'unknown', customerPhone: '0491570157' });
  const shape = ({ status, location, text }: typeof known) => [status, location?.length, text];
  assert.deepEqual(shape(known), shape(unknown));
});

test('the details of the link are filled in, and stay out of every address', async () => {
  const link = await linkTo({
    name: 'Sam O’Neil',
    phone: '+61491570313',
    email: 's@mail.example',
    rego: '9ZZ',
  });
  const [time = ''] = await freeTimes();
  link.searchParams.set('service', service._id);
  link.searchParams.set('time', time);
  const { body } = await app.request('GET', `${link.pathname}${link.search}`);
  for (const value of ['Sam O’Neil', '0491 570 313', 's@mail.example', '9ZZ']) {
    assert.ok(body.includes(`value="${value}"`), value);
  }
  // Long enough that no sealed text or id contains them by chance.
  const details = /O(?:’|%E2%80%99)Neil|491\D*570\D*313|mail\.example|rego=/;
  for (const [, href = ''] of body.matchAll(/href="([^"]+)"/g)) assert.doesNotMatch(href, details);
});

test('a reminder’s page that is open books again after its code was used, without the code', async () => {
  const phone = { customerPhone: '0491 570 737', customerName: 'Kim Lee' };
  const { body } = await partner.call('POST', '/reminders/services', { workshopId, ...phone });
  const { code, id } = body.serviceReminder;
  const opened = await fetch(`${app.url}/r/${code}`, { redirect: 'manual' });
  const link = new URL(`${opened.headers.get('location')}`, app.url);
  const before = await count();
  const [first = ''] = (await freeTimes()).slice(4);
  const sent = [await send(link, { ...phone, formId: 'once', time: first })];
  const [second = ''] = await freeTimes();
  for (let n = 0; n < 2; n++) sent.push(await send(link, { ...phone, formId: 'again', time: second }));
  assert.deepEqual(
    sent.map(({ status }) => status),
    [303, 303, 303],
    sent[1]?.text ?? '',
  );
  assert.notEqual(sent[1]?.location, sent[0]?.location);
  assert.equal(sent[2]?.location, sent[1]?.location);
  assert.equal(await count(), before + 2);
  const { serviceReminder } = (await partner.call('GET', `/reminders/services/${id}`)).body;
  const booked = (await bookings()).find(({ date }: { date: string }) => date === first);
  assert.deepEqual([serviceReminder.status, serviceReminder.newBookingId], ['booked', booked.id]);
});

test('forms compile nothing once the first was read, however many come', async () => {
  const link = await linkTo();
  const wrong = { time: (await freeTimes())[0] ?? '', customerEmail: 'nobody' };
  assert.equal((await send(link, wrong)).status, 400);
  const { Function: usual } = globalThis;
  let compiled = 0;
  // Ajv compiles with this constructor.
  globalThis.Function = new Proxy(usual, {
    construct(target, args, newTarget) {
      compiled++;
      return Reflect.construct(target, args, newTarget);
    },
  });
  try {
    for (let n = 0; n < 5; n++) assert.equal((await send(link, wrong)).status, 400);
  } finally {
    globalThis.Function = usual;
  }
  assert.equal(compiled, 0);
});
