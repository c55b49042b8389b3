import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startTestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const app = await startTestApp();
const partner = await signedInPartner(app);
const workshopId = await linkedWorkshop(app, [partner]);

function create(changes: Readonly<Record<string, unknown>>): Promise<Answer> {
  return partner.call('POST', '/bookings', bookingBody(workshopId, changes));
}

function errorsOf(answer: Answer): Record<string, string> {
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  assert.equal(answer.body.errorCode, '000001');
  return Object.fromEntries(
    answer.body.errors.map(({ field, message }: { field: string; message: string }) => [field, message]),
  );
}

test('every failing field is named once, with its fault (specification: Errors 2)', async () => {
  const answer = await create({
    carRego: undefined,
    bookingTime: '2026-02-30T10:00:00Z',
    customerPhone: '123',
    customerEmail: 'nobody',
    carYear: '2019',
    skipNotification: 'yes',
    notes: 'x'.repeat(10_001),
    jobNotes: ['fine', 7, 'y'.repeat(2_001)],
    services: [{ title: 'Brakes', cost: 1.234 }, { title: 'Oil', cost: -1 }, 'tyres'],
  });
  const errors = errorsOf(answer);
  assert.deepEqual(Object.keys(errors).sort(), [
    'bookingTime',
    'carRego',
    'carYear',
    'customerEmail',
    'customerPhone',
    'jobNotes[1]',
    'jobNotes[2]',
    'notes',
    'services[0].cost',
    'services[1].cost',
    'services[2]',
    'skipNotification',
  ]);
  assert.equal(errors['carRego'], 'is required');
  assert.equal(errors['carYear'], 'must be an integer');
  assert.match(errors['notes'] ?? '', /at most 10000 characters/);
  assert.match(errors['bookingTime'] ?? '', /RFC 3339/);
  assert.match(answer.body.message, /and 11 more/);
});

test('of many failing fields the first 100 are named (specification: Errors 2)', async () => {
  const services = Array.from({ length: 100 }, () => ({ title: 7, cost: -1 }));
  const errors = (await create({ services })).body.errors;
  assert.equal(errors.length, 100);
  assert.equal(new Set(errors.map(({ field }: { field: string }) => field)).size, 100);
});

test('a list that is too long is named, and not its items; what else is wrong is named too', async () => {
  const errors = errorsOf(
    await create({ jobNotes: Array(50_000).fill(0), services: Array(101).fill(0), carYear: 'x' }),
  );
  assert.deepEqual(errors, {
    services: 'must have at most 100 items',
    jobNotes: 'must have at most 100 items',
    carYear: 'must be an integer',
  });
});

test('`errors` is there on validation errors only (specification: Errors 2)', async () => {
  const unauthorised = await app.request('GET', '/workshops');
  const unknown = await partner.call('GET', '/bookings/none');
  const malformed = await partner.call('POST', '/bookings', '{');
  for (const { body } of [unauthorised, unknown, malformed]) assert.equal('errors' in body, false);
});

test('no value is taken for one of another type (specification: Requests and responses 3)', async () => {
  const wrong: Record<string, readonly unknown[]> = {
    customerName: [7, true, {}, ['Sam'], null],
    carYear: ['2019', 2019.5, true, {}, [2019]],
    tyreQuantities: ['4', 4.5, -1],
    skipNotification: ['true', 1, 0, {}],
    jobNotes: ['brakes', { 0: 'brakes' }, [null], [[]]],
    services: [{}, 'x', [1]],
    notes: [1, false, {}],
  };
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const [name] = Object.keys(errorsOf(await create({ [field]: value })));
      assert.match(name ?? '', new RegExp(`^${field}`), `${field}: ${JSON.stringify(value)}`);
    }
  }
});

test('null means absent where a field is optional (specification: Requests and responses 6)', async () => {
  const fields = [
    'pickupTime',
    'notes',
    'carYear',
    'jobNotes',
    'services',
    'skipNotification',
    'carMake',
    'externalId',
  ];
  const answer = await create(Object.fromEntries(fields.map((field) => [field, null])));
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body.booking.jobNotes, []);
  assert.equal(answer.body.booking.notes, null);
});

test('a message names no value that was sent', async () => {
  const secrets = {
    customerPhone: '0999-bad-phone',
    customerEmail: 'not-an-address-of-sam',
    carYear: 'year-of-sam',
  };
  const { body } = await create(secrets);
  for (const value of Object.values(secrets)) assert.equal(JSON.stringify(body).includes(value), false);
});
