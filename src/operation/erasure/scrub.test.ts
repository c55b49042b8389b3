import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scrub } from './scrub.ts';

test('a booking loses its personal details and keeps its shape', () => {
  const booking = {
    id: 'b',
    code: '7K3M9QXW',
    customer: {
      id: 'c',
      name: 'Sam Taylor',
      firstName: 'Sam',
      email: 'sam@mail.example',
      phone: '+61491570006',
      company: null,
    },
    car: { rego: 'ABC123', vin: 'VIN', make: 'Toyota' },
    notes: 'Call Sam',
    jobNotes: ['Sam says it squeaks'],
    services: [{ title: 'Logbook', category: 'service' }],
    date: '2030-01-15T00:00:00.000Z',
  };
  const workshop = { name: 'Carlton Motors', phone: '+61355500101' };
  assert.deepEqual(scrub({ success: true, booking, workshop }), {
    success: true,
    booking: {
      ...booking,
      customer: { id: 'c', name: 'Erased', firstName: null, email: null, phone: null, company: null },
      car: { rego: 'ERASED', vin: null, make: 'Toyota' },
      notes: null,
      jobNotes: [],
    },
    workshop,
  });
});

test('each field that says who someone is, or that holds words about them, is taken out', () => {
  const fields = `name firstName lastName email phone company address postcode suburb customerName customerEmail customerPhone
    customerCompany callerPhone contactName contactEmail contactPhone contactCompany rego vin carRego carVin notes jobNotes
    productNotes cancelReason body message detail recipient recordingUrl`;
  for (const field of fields.split(/\s+/)) {
    assert.doesNotMatch(JSON.stringify(scrub([{ inner: { [field]: 'SECRET' } }])), /SECRET/, field);
  }
});

test('no personal detail stays at any depth, and nothing else changes', () => {
  const detail = fc.constantFrom('name', 'customerEmail', 'phone', 'rego', 'notes', 'body', 'jobNotes');
  const holder = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      fc.dictionary(detail, fc.oneof(fc.constant('SECRET'), fc.constant(['SECRET']))),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.record({ id: fc.constant('KEPT'), inner: tie('node'), name: fc.constant('SECRET') }),
    ),
  })).node;
  const count = (value: unknown, word: string) => JSON.stringify(value).split(word).length;
  fc.assert(
    fc.property(holder, (value) => {
      const after = scrub(value);
      assert.equal(count(after, 'SECRET'), 1);
      assert.equal(count(after, 'KEPT'), count(value, 'KEPT'));
      assert.deepEqual(scrub(after), after);
    }),
  );
});
