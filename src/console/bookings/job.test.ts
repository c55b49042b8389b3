/** Long because one app serves all of it. What is sent for the job and the car reaches the people who do it, and they keep it up to date (specification: The front desk 8 and 9). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireRecord } from '#platform/records/staff/find.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { Booking } from '#product/bookings/schema.ts';
import { Car, Customer } from '#product/orders/schema.ts';
import { baseOf, fieldsOf, peopleOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
// Monday 4 March 2030, 8:10 in Melbourne.
app.clock.setAdvance(Math.round((Date.parse('2030-03-03T21:10:00Z') - Date.now()) / 1_000));
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner], { email: 'desk@job.example' });
const { owner, technician, viewer } = await peopleOf(app, workshopId);
const base = await baseOf(app, workshopId);

/** A booking with a value in each field, and the words by which each is found on a page. */
const sent = {
  ...{ carRego: 'JOB111', carMake: 'Mazda', carModel: 'Premacy', carBadge: 'Sportwagon', carYear: 2016 },
  ...{ carVin: 'JMZCP19F801234567', customerName: 'Quinn Job', customerPhone: '0491570156' },
  ...{ customerEmail: 'quinn@job.example', customerCompany: 'Job Haulage', externalId: 'ORDER-77' },
  ...{ serviceCategory: 'tyres', services: [{ title: 'Rotate wheels' }], servicePackageType: 'gold-package' },
  ...{ notes: 'Squeals when cold', jobNotes: ['Check left hub', 'Torque to 110'], tyreQuantities: 937 },
  ...{ productNotes: ['Bridgestone Turanza'], pickupTime: '2030-03-04T05:45:00Z' },
} as const;
const made = await partner.call(
  'POST',
  '/bookings',
  bookingBody(workshopId, { bookingTime: '2030-03-03T22:30:00Z', ...sent }),
);
assert.equal(made.status, 201, JSON.stringify(made.body));
const { id } = made.body.booking;
await app.drain();
const mail = app.email.to('desk@job.example')[0]?.text ?? '';
assert.equal((await partner.call('PUT', `/bookings/${id}`, { interval: 4711 })).status, 200);
const path = `${base}/bookings/${id}`;

const words: Readonly<Record<string, RegExp>> = {
  ...{
    externalId: /ORDER-77/,
    date: /9:30 am|09:30/,
    pickupTime: /4:45 pm|16:45/,
    notes: /Squeals when cold/,
  },
  ...{ serviceCategory: /Tyres (?:&|&amp;) Wheels|tyres/, services: /Rotate wheels/ },
  ...{ servicePackageType: /gold-package/, customerCompany: /Job Haulage/, interval: /4711/ },
  ...{ jobNotes: /Check left hub[\s\S]*Torque to 110/, productNotes: /Bridgestone Turanza/ },
  ...{ tyreQuantities: /937/, status: /To confirm|pending/, code: new RegExp(made.body.booking.code) },
  ...{ 'car.rego': /JOB111/, 'car.year': /2016/, 'car.make': /Mazda/, 'car.model': /Premacy/ },
  ...{ 'car.badge': /Sportwagon/, 'car.vin': /JMZCP19F801234567/, 'customer.name': /Quinn Job/ },
  ...{ 'customer.email': /quinn@job\.example/, 'customer.phone': /0491 570 156/ },
  'customer.company': /Job Haulage/,
};

/** Ids and parts of others, times of the record, and what no partner can send. */
const apart = new Set([
  ...['id', 'carId', 'customerId', 'workshopId', 'createdAt', 'updatedAt', 'cancelReason'],
  ...['car', 'customer', 'car.id', 'car.customerId', 'customer.id', 'customer.workshopId'],
  ...['customer.firstName', 'customer.lastName', 'customer.address', 'customer.postcode', 'customer.suburb'],
]);

const fields = [
  ...Object.keys(Booking.properties),
  ...Object.keys(Car.properties).map((name) => `car.${name}`),
  ...Object.keys(Customer.properties).map((name) => `customer.${name}`),
].filter((name) => !apart.has(name));

/** Those that the text does not show. */
const missingIn = (text: string, left: readonly string[] = []) =>
  fields.filter((name) => !left.includes(name) && !words[name]?.test(text));

test('each field of a booking is on its page, in what is printed, in booking show and in the e-mail to the desk', async () => {
  assert.deepEqual(missingIn((await technician.get(path)).text), []);
  const { people } = bookingRecord;
  const shown = people.details(await requireRecord(app.context.db, bookingRecord, id), {
    time: (at) => at,
    phone: () => '0491 570 156',
    name: (name) => name,
  });
  assert.deepEqual(missingIn(JSON.stringify(shown), ['date', 'pickupTime', 'car.badge']), []);
  // Paper has no room for the code, and what stays on the screen of whoever looks the car up.
  const paper = ['code', 'customer.email', 'car.year', 'car.badge'];
  assert.deepEqual(missingIn((await technician.get(`${base}/print?date=2030-03-04`)).text, paper), []);
  // It was sent when the booking was made, without an interval; that it is to be confirmed is its subject.
  assert.deepEqual(missingIn(mail, ['interval', 'status', 'customer.email']), []);
});

test('the card of Today says that there are notes on the job', async () => {
  assert.match((await technician.get(`${base}/today`)).text, /Has job notes or parts/);
});

test('a technician changes job notes and parts, one a line; a viewer may not; an older form overwrites nothing', async () => {
  const opened = (await technician.get(path)).text;
  const action = `${path}/job`;
  const form = fieldsOf(opened, action);
  assert.match(opened, />\nCheck left hub\nTorque to 110<\/textarea>/);
  const saved = await technician.post(action, {
    ...form,
    jobNotes: 'Check left hub\r\n \t\r\nHub replaced',
    parts: '',
  });
  assert.equal(saved.location, `${path}?done=changed`);
  const { body } = await partner.call('GET', `/bookings/${id}`);
  assert.deepEqual(
    [body.booking.jobNotes, body.booking.productNotes],
    [['Check left hub', 'Hub replaced'], []],
  );
  const stale = await owner.post(action, { ...form, key: 's'.repeat(20), jobNotes: 'Nothing to do' });
  assert.equal(stale.status, 422);
  assert.match(stale.text, /Somebody changed this meanwhile[\s\S]*Nothing to do/);
  assert.equal((await viewer.post(action, { ...form, jobNotes: 'x' })).status, 403);
  assert.doesNotMatch((await viewer.get(path)).text, /name="jobNotes"/);
  const many = await technician.submit(path, action, { jobNotes: 'x\n'.repeat(101) });
  assert.equal(many.status, 422);
  assert.match(many.text, /href="#jobNotes">Job notes /);
});

test('Edit has them too; whoever sees no phones has no field for notes with a phone in them, and they stay', async () => {
  const edit = `${path}/edit`;
  const typed = { jobNotes: 'Ring 0491 570 157 first', parts: 'Pads' };
  assert.equal((await owner.submit(edit, edit, typed)).status, 303);
  const blind = await signedInPerson(app, [workshopId], 'technician', { seesPhones: false });
  const { text } = await blind.get(path);
  assert.doesNotMatch(text, /0491 570 157|name="jobNotes"/);
  const version = /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
  const crafted = { key: 'c'.repeat(20), version, jobNotes: 'Ring …', parts: 'None' };
  assert.equal((await blind.post(`${path}/job`, crafted)).status, 303);
  const { body } = await partner.call('GET', `/bookings/${id}`);
  assert.deepEqual(
    [body.booking.jobNotes, body.booking.productNotes],
    [['Ring 0491 570 157 first'], ['Pads']],
  );
});

const page = `${base}/bookings/new`;
const idOf = ({ status, location, text }: { status: number; location: string | null; text: string }) => {
  assert.equal(status, 303, text);
  return /bookings\/([\da-f-]{36})/.exec(location ?? '')?.[1] ?? assert.fail(location ?? '');
};
const carOf = async (bookingId: string) => {
  const { car } = await requireRecord(app.context.db, bookingRecord, bookingId);
  const [row] = await app.context.db.query('SELECT make, model, year, vin FROM car WHERE id = $1', [car.id]);
  const { make, model, year, vin } = car;
  assert.deepEqual(row, { make, model, year, vin });
  return row;
};
const skoda = { make: 'Skoda', model: 'Octavia', year: '2019', vin: 'TMBJJ7NE8K0123456' };

test('a new booking has the car, the job, the parts and the pick-up; Edit corrects and clears them, the car with its booking', async () => {
  const bookingId = idOf(
    await owner.submit(page, page, {
      ...{ rego: 'NEW200', name: 'Nia New', phone: '0491570313', date: '2030-03-06', time: '10:00' },
      ...{ ...skoda, jobNotes: 'Check left hub\r\n\r\nTorque', parts: 'Pads', pickupTime: '16:30' },
    }),
  );
  const booked = await requireRecord(app.context.db, bookingRecord, bookingId);
  assert.deepEqual(
    [booked.jobNotes, booked.productNotes, booked.pickupTime],
    [['Check left hub', 'Torque'], ['Pads'], '2030-03-06T05:30:00.000Z'],
  );
  assert.deepEqual(await carOf(bookingId), { ...skoda, year: 2019 });
  const edit = `${base}/bookings/${bookingId}/edit`;
  const { text } = await owner.get(edit);
  for (const shown of ['Skoda', 'Octavia', '2019', skoda.vin, '2030-03-06', '16:30'])
    assert.ok(text.includes(`value="${shown}"`), shown);
  const changed = await owner.submit(edit, edit, {
    ...{ make: 'Škoda', year: '2020', vin: '', pickupDate: '2030-03-07', pickupTime: '08:15' },
  });
  assert.equal(changed.status, 303, changed.text);
  assert.deepEqual(await carOf(bookingId), { make: 'Škoda', model: 'Octavia', year: 2020, vin: null });
  const after = await requireRecord(app.context.db, bookingRecord, bookingId);
  assert.equal(after.pickupTime, '2030-03-06T21:15:00.000Z');
  assert.equal((await owner.submit(edit, edit, { pickupDate: '', pickupTime: '' })).status, 303);
  assert.equal((await requireRecord(app.context.db, bookingRecord, bookingId)).pickupTime, null);
  const wrong = await owner.submit(edit, edit, { year: 'old', pickupDate: '2030-03-07' });
  assert.equal(wrong.status, 422);
  const faulty = await owner.submit(edit, edit, { year: '1066' });
  assert.match(faulty.text, /<a href="#year">Year /);
});

test('the API changes no car, as it does not name its details in PUT', async () => {
  const before = (await partner.call('GET', `/bookings/${id}`)).body.booking.car;
  const answer = await partner.call('PUT', `/bookings/${id}`, { carMake: 'X', carYear: 1999, carVin: null });
  assert.deepEqual([answer.status, answer.body.booking.car], [200, before]);
});

test('of several cars of a caller it is asked which, by a button each; what is known fills the rest in, for who may see it', async () => {
  const first = { rego: 'TWIN01', name: 'Tess Twin', phone: '0491570737', date: '2030-03-06' };
  idOf(await owner.submit(page, page, { ...first, time: '11:00', make: 'Kia', model: 'Rio' }));
  idOf(await owner.submit(page, page, { ...first, time: '12:00', ...skoda, rego: 'TWIN02' }));
  const asked = (await owner.get(`${page}?phone=0491+570+737`)).text;
  assert.match(asked, /Which car\?/);
  const [kia = '', other = ''] = ['TWIN01 Kia Rio', 'TWIN02 2019 Skoda Octavia'].map(
    (words) => new RegExp(`name="car" value="([^"]+)" aria-pressed="false">${words}`).exec(asked)?.[1] ?? '',
  );
  assert.ok(kia && other, asked);
  assert.match(asked, /id="rego"[^>]*value=""/);
  const chosen = (await owner.get(`${page}?phone=0491+570+737&rego=TWIN01&make=Kia&car=${other}`)).text;
  for (const value of ['TWIN02', 'Skoda', 'Octavia', '2019', skoda.vin, 'Tess Twin'])
    assert.ok(chosen.includes(`value="${value}"`), value);
  assert.match(chosen, new RegExp(`value="${other}" aria-pressed="true"`));
  // A registration chooses too, and an unknown one is another car.
  assert.match((await owner.get(`${page}?phone=0491570737&rego=twin+01`)).text, /id="make"[^>]*value="Kia"/);
  assert.match((await owner.get(`${page}?phone=0491570737&rego=TWIN09`)).text, /id="make"[^>]*value=""/);
  // So does one of more cars than are offered, as fleets have them.
  for (const n of [3, 4, 5, 6, 7]) {
    const more = { ...first, time: `1${n}:00`, make: `Make${n}`, rego: `TWIN0${n}` };
    idOf(await owner.submit(page, page, more));
  }
  const oldest = (await owner.get(`${page}?phone=0491570737&rego=twin01`)).text;
  assert.match(oldest, /id="make"[^>]*value="Kia"/);
  assert.doesNotMatch(oldest, /is a car that they have not come with/);
  assert.match(
    (await owner.get(`${page}?phone=0491570737&rego=TWIN09`)).text,
    /TWIN09 is a car that they have not come with/,
  );
  const blind = await signedInPerson(app, [workshopId], 'adviser', { seesPhones: false });
  const unseen = (await blind.get(`${page}?phone=0491570737`)).text;
  assert.doesNotMatch(unseen, /Which car|Tess Twin|TWIN0/, 'a number tells them nothing of whose it is');
});

test("always: a customer's car is corrected, with its upcoming bookings if asked; what changed meanwhile is refused, and so is another customer's car", async () => {
  const typed = { rego: 'FIX001', name: 'Fay Fix', phone: '0491571266', date: '2030-03-08', time: '10:00' };
  const bookingId = idOf(await owner.submit(page, page, { ...typed, make: 'Frod' }));
  const { customerId, carId } = await requireRecord(app.context.db, bookingRecord, bookingId);
  const form = `${base}/customers/${customerId}/car?car=${carId}`;
  const to = `${base}/customers/${customerId}/car`;
  assert.match((await owner.get(`${base}/customers/${customerId}`)).text, new RegExp(`/car\\?car=${carId}"`));
  const asked = (await owner.get(form)).text;
  assert.match(asked, /id="make"[^>]*value="Frod"/);
  const stale = fieldsOf(asked, to);
  const rowOf = async () =>
    (await app.context.db.query('SELECT make, model, year, vin FROM car WHERE id = $1', [carId]))[0];
  assert.equal((await owner.submit(form, to, { make: 'Ford' })).status, 303);
  assert.deepEqual(await rowOf(), { make: 'Ford', model: null, year: null, vin: null });
  assert.equal((await requireRecord(app.context.db, bookingRecord, bookingId)).car.make, 'Frod');
  const late = await owner.post(to, { ...stale, make: 'Fiat' });
  assert.deepEqual([late.status, /Somebody changed this meanwhile/.test(late.text)], [422, true]);
  const wrong = await owner.submit(form, to, { year: '1066' });
  assert.deepEqual([wrong.status, /<a href="#year">/.test(wrong.text)], [422, true]);
  const all = { make: 'Ford', model: 'Ranger', year: '2021', alsoUpcoming: 'yes' };
  const whole = await owner.submit(form, to, all);
  assert.equal(whole.status, 303, whole.text);
  assert.deepEqual(await rowOf(), { make: 'Ford', model: 'Ranger', year: 2021, vin: null });
  assert.deepEqual(await carOf(bookingId), await rowOf());
  const theirs = (await partner.call('GET', `/bookings/${id}`)).body.booking;
  assert.equal((await owner.get(`${to}?car=${theirs.carId}`)).status, 404);
  const crafted = { ...fieldsOf((await owner.get(form)).text, to), car: theirs.carId, make: 'X' };
  assert.equal((await owner.post(to, crafted)).status, 404);
  assert.equal((await technician.get(form)).status, 403);
});
