/** What a partner sends for the job reaches the people who do it, and they keep it up to date (specification: The front desk 8). */
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
    jobNotes: 'Check left hub\r\n\r\nHub replaced',
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
