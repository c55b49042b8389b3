/** A phone, registration or e-mail address that is pasted with marks that nobody sees is the one that it looks like, at every edge. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookUpKnown } from '#product/customers/known/look-up.ts';
import { checkFile } from '#product/imports/check.ts';
import { sourceOf } from '#product/imports/source.ts';
import { readEmail } from '#product/people/email-change/change.ts';
import { readSettings } from '#product/workshops/settings.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { bookingWorld } from '../../../test/fixtures/booking-api.ts';

const { app, workshopId, book, change } = await bookingWorld();
const phone = '0491570006';
const plain = { customerPhone: phone, carRego: 'ABC123', customerEmail: 'sam@mail.example' };

test('always: one customer and one car, however they are pasted (specification: Phone numbers 4; Regos 2)', async () => {
  const first = await book(plain);
  for (const pasted of [
    {
      customerPhone: '\u202a+61 491 570 006\u202c',
      carRego: '\u200eabc\u202f123',
      customerEmail: 'sam\u2060@mail.example',
    },
    { customerPhone: 'tel:+61491570006', carRego: 'ABC\u3164123', customerEmail: 'mailto:sam@mail.example' },
    {
      customerPhone: '\u20680491 570 006\u2069',
      carRego: '\u061cABC123',
      customerEmail: '\u202asam@mail.example\u202c',
    },
    {
      customerPhone: '+61\ufe0d491570006',
      carRego: 'A\ufe0dBC123',
      customerEmail: 'MAILTO: sam@mail.example?subject=Hi',
    },
  ]) {
    const made = await book(pasted);
    const { customerId, carId, customer, car } = made;
    assert.deepEqual(
      { customerId, carId, email: customer.email, phone: customer.phone, rego: car.rego },
      {
        ...{ customerId: first.customerId, carId: first.carId, email: plain.customerEmail },
        ...{ phone: '+61491570006', rego: 'ABC123' },
      },
      JSON.stringify(pasted),
    );
    assert.equal((await change(made.id, pasted)).customer.email, plain.customerEmail);
  }
});

test('what staff type or import, a workshop’s settings, and a person’s address', async () => {
  const { db } = app.context;
  const workshop = await requireWorkshop(db, workshopId);
  const [known] = await lookUpKnown(db, workshop, { phone: '\u202atel:0491 570 006\u202c' });
  assert.equal(known?.phone, '+61491570006');
  assert.equal((await lookUpKnown(db, workshop, { rego: '\u2066abc 123\u2069' })).length, 1);

  const file = 'Name,Mobile,Email,Rego\nSam,\u202a0491 570 006\u202c,mailto:sam@mail.example,\u200eABC 123\n';
  const faults: unknown[] = [];
  await checkFile(
    app.context,
    workshop,
    { kind: 'customers', source: sourceOf('a.csv', Buffer.from(file)), order: null },
    { faults: (of) => void faults.push(...of), progress: () => undefined },
  );
  assert.deepEqual(faults, []);

  const settings = readSettings(
    {
      phone: '\u202a03 5550 0100\u202c',
      email: 'mailto:desk@garage.example',
      notifyEmails: ['\u200eboss@garage.example'],
    },
    workshop,
  );
  assert.deepEqual(
    [settings.phone, settings.email, settings.notifyEmails],
    ['+61355500100', 'desk@garage.example', ['boss@garage.example']],
  );
  assert.equal(readEmail('\u202amailto:pat@garage.example\u202c'), 'pat@garage.example');
});
