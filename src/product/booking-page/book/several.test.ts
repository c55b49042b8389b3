/** Several services in one booking: their durations add up, and every limit counts; and booking again from a finished booking. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { writeSetup } from '#product/availability/set-up/import.ts';
import { manageCode } from '#product/bookings/manage-link/codes.ts';
import { bookingWorld } from '../../../../test/fixtures/booking-api.ts';
import { demoSetup } from '../../../operation/demo/setup.ts';

const { app, partner, workshopId } = await bookingWorld({ config: { trustProxy: true } });
const { db, clock } = app.context;
const setup = demoSetup(0);
const services = setup.services.map((service) =>
  service.catalogCode === 'inspection' ? { ...service, dailyLimit: 1 } : service,
);
await db.transaction((tx) => writeSetup(tx, workshopId, { ...setup, services }, clock.now()));
const catalogue: { _id: string; catalogCode: string; title: string }[] = (
  await partner.call('GET', `/workshops/${workshopId}/services`)
).body.services;
const ids = (...codes: string[]) =>
  codes.map((code) => catalogue.find(({ catalogCode }) => catalogCode === code)?._id ?? '').join(',');

beforeEach(() => db.query('TRUNCATE page_use'));

const date = Temporal.PlainDate.from(clock.now().toISOString().slice(0, 10)).add({ days: 40 });
const monday = date.add({ days: (8 - date.dayOfWeek) % 7 }).toString();

async function page(parameters: Record<string, string>): Promise<string> {
  const response = await fetch(`${app.url}/book/harbour-motors?${new URLSearchParams(parameters)}`);
  assert.equal(response.status, 200);
  return response.text();
}

/** The times that the page of that day offers. */
async function times(service: string): Promise<string[]> {
  const text = await page({ service, day: monday });
  return [...text.matchAll(/class="time" href="[^"]*time=([^"&]+)/g)].map(([, time = '']) =>
    decodeURIComponent(time),
  );
}

async function book(service: string, time: string, phone: string) {
  const form = { service, time, formId: phone, customerName: 'Kim Lee', customerPhone: phone };
  const response = await fetch(`${app.url}/book/harbour-motors`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...form, customerEmail: 'kim@mail.example', carRego: '1AB2CD' }),
  });
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    text: await response.text(),
  };
}

test('what is chosen stands in the summary with its sums; one can be added, and each taken away (specification: Booking page 13)', async () => {
  const text = await page({ service: ids('logbook', 'alignment') });
  for (const shown of ['Logbook service', 'Wheel alignment', '2 h 45 min', /\$348(\.00)? – \$519/])
    assert.match(text, new RegExp(shown));
  assert.match(text, /aria-label="Remove Wheel alignment"/);
  const steps = [...text.matchAll(/<li[^>]*><(?:a|span)[^>]*>(\w+)</g)].map(([, label]) => label);
  assert.deepEqual(steps.slice(0, 3), ['Service', 'Time', 'Details']);
  const adding = await page({ service: ids('logbook'), add: '' });
  assert.ok(adding.includes(`service=${encodeURIComponent(ids('logbook', 'alignment'))}`));
  assert.doesNotMatch(adding, /class="row-title">Logbook service/, 'what is chosen is not offered again');
  // Ten at most, each once, and only offered ones.
  const all = catalogue.map(({ _id }) => _id);
  const many = await page({ service: [...all, ...all, 'nonsense'].join(',') });
  assert.equal(many.match(/aria-label="Remove /g)?.length, 10);
  assert.doesNotMatch(many, /Add another service/);
});

test('durations add up: a time is offered when all of them are done by closing, and the booking takes as long (specification: Booking page 13)', async () => {
  const [one, both] = [await times(ids('major')), await times(ids('major', 'brakes-front'))];
  const atLocal = (all: readonly string[]) => all.at(-1)?.slice(11, 16);
  assert.notEqual(atLocal(one), atLocal(both));
  assert.equal(new Date(one.at(-1) ?? 0).getTime() - new Date(both.at(-1) ?? 0).getTime(), 120 * 60_000);
  const made = await book(ids('major', 'brakes-front'), both[0] ?? '', '0491570110');
  assert.equal(made.status, 303, made.text);
  const [row] = await db.query<{ minutes: number; titles: string[] }>(
    `SELECT (extract(epoch FROM occupied_until - occupied_from) / 60)::int AS minutes,
            ARRAY(SELECT jsonb_array_elements(services)->>'title') AS titles FROM booking WHERE contact_phone = '+61491570110'`,
  );
  assert.deepEqual(row, { minutes: 360, titles: ['Major service', 'Front brake pads and rotors'] });
  // A time at which only one of them would be done by closing.
  const late = await book(ids('major', 'brakes-front'), one.at(-1) ?? '', '0491570156');
  assert.equal(late.status, 409);
});

test('every limit counts: a day that is full for one of them is full for all (specification: Booking page 13)', async () => {
  const free = await times(ids('logbook', 'inspection'));
  assert.ok(free.length > 0);
  const before = await times(ids('logbook'));
  const made = await book(ids('logbook', 'inspection'), free[0] ?? '', '0491570157');
  assert.equal(made.status, 303, made.text);
  assert.deepEqual(await times(ids('logbook', 'inspection')), []);
  assert.ok((await times(ids('logbook'))).length > 0 && before.length > 0);
  const refused = await book(ids('oil', 'inspection'), free[3] ?? '', '0491570158');
  assert.equal(refused.status, 409);
  assert.match(refused.text, /<title>Error: [\s\S]*That time is not free any more/);
});

test('one that is over leads to another booking of the same services, without the person', async () => {
  const [time = ''] = (await times(ids('oil', 'rotation'))).slice(-1);
  const { location } = await book(ids('oil', 'rotation'), time, '0491570159');
  const path = location.replace(/\?.*/, '');
  const shown = async () => (await fetch(app.url + path)).text();
  assert.doesNotMatch(await shown(), /Book another time/);
  await db.query(`UPDATE booking SET status = 'cancelled' WHERE contact_phone = '+61491570159'`);
  const again = /class="button primary" href="([^"]+)">Book another time/.exec(await shown())?.[1] ?? '';
  assert.equal(again, `/book/harbour-motors?service=${ids('oil', 'rotation')}`);
  assert.match(await (await fetch(app.url + again)).text(), /aria-label="Remove Rotation and balance"/);

  // A partner's booking leads to the partner's page, which fills in the car, and to the plain one once the link is off.
  const { body } = await partner.call('POST', '/bookings', {
    ...{ workshopId, bookingTime: time, carRego: '9ZZ8YY', customerName: 'Kim Lee' },
    ...{
      customerPhone: '0491570006',
      customerEmail: 'kim@mail.example',
      services: [{ catalogCode: 'rotation' }],
    },
  });
  await partner.call('POST', `/bookings/${body.booking.id}/completed`);
  const link = `/b/${await manageCode(db, body.booking.id)}`;
  const way = async () =>
    /class="button primary" href="([^"]+)">Book again/.exec(
      await (await fetch(app.url + link)).text(),
    )?.[1] ?? '';
  assert.match(await way(), /^\/book\/harbour-motors\?k=[\w-]+&amp;service=[\w-]+$/);
  await db.query('UPDATE link SET active = false');
  assert.match(await way(), /^\/book\/harbour-motors\?service=[\w-]+$/);
  await db.query('UPDATE workshop SET plain_page = false');
  assert.equal(await way(), '');
});
