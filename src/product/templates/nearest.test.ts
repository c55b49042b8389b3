import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateFields } from './fields.ts';
import { nearestPlaceholder } from './nearest.ts';
import { sampleVariables } from './sample.ts';

test('the nearest placeholder is the intended one (specification: Templates 3)', () => {
  const meant = {
    'customer.fristName': 'customer.firstName',
    'customer.first_name': 'customer.firstName',
    'custmer.firstName': 'customer.firstName',
    'CUSTOMER.FIRSTNAME': 'customer.firstName',
    firstName: 'customer.firstName',
    name: 'customer.name',
    rego: 'car.rego',
    'vehicle.rego': 'car.rego',
    'customer.rego': 'car.rego',
    'booking.bookingCode': 'booking.code',
    'booking.datetime': 'booking.dateTime',
    'workshop.phoneNumber': 'workshop.phone',
    customer: 'customer.name',
    'customer.name.size': 'customer.name',
  };
  for (const [written, path] of Object.entries(meant))
    assert.equal(nearestPlaceholder(written), path, written);
});

test('every text has a nearest one, however odd or long', () => {
  for (const odd of ['', '.', '..', 'constructor', 'x'.repeat(10_000), '日本']) {
    const [root = '', field = ''] = nearestPlaceholder(odd).split('.');
    const fields: readonly string[] = templateFields[root as keyof typeof templateFields];
    assert.ok(fields.includes(field), odd);
  }
});

test('every placeholder except those of the workshop has a sample', () => {
  const { workshop: _, ...roots } = templateFields;
  for (const [root, fields] of Object.entries(roots)) {
    const samples: Readonly<Record<string, string>> = sampleVariables[root as keyof typeof roots];
    assert.deepEqual(Object.keys(samples).sort(), [...fields].sort());
    for (const sample of Object.values(samples)) assert.notEqual(sample, '');
  }
});
