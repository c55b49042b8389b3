/**
 * What a partner may see of a customer, for everything that shows one (templates, service reminders, automations); and whether it
 * may know of them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness/app.ts';
import {
  bookingBody,
  linkedWorkshop,
  type SignedInPartner,
  signedInPartner,
} from '../../../../test/harness/world.ts';
import { type CustomerSeen, customerSeen, hasDealtWith } from './store.ts';

const app = await startTestApp();
const { db } = app.context;
const [one, two, stranger] = [
  await signedInPartner(app),
  await signedInPartner(app),
  await signedInPartner(app),
];
const workshopId = await linkedWorkshop(app, [one, two, stranger]);
const phone = '+61491570156';

async function book(by: SignedInPartner, customerName: string, company?: string): Promise<string> {
  const details = { customerName, customerPhone: phone, customerEmail: `${customerName}@x.example` };
  const body = { ...details, ...(company && { customerCompany: company }), skipNotification: true };
  const answer = await by.call('POST', '/bookings', bookingBody(workshopId, body));
  assert.equal(answer.status, 201);
  return answer.body.booking.customerId;
}

async function seenBy(customerId: string, partner: SignedInPartner | null) {
  const [row] = await db.query<{ customer: CustomerSeen; known: boolean }>(
    `SELECT ${customerSeen('k', '$2::uuid')} AS customer, ${hasDealtWith('k.id', '$2::uuid')} AS known FROM customer k WHERE k.id = $1`,
    [customerId, partner?.partnerId ?? null],
  );
  assert.ok(row);
  return row;
}

const whole = (name: string, company: string | null) => ({
  ...{ name, firstName: name, lastName: null, email: `${name}@x.example`, phone, company },
});

test('its own latest booking’s details; only the phone if others sent the details; the workshop sees its row', async () => {
  const id = await book(one, 'Ann', 'Fleet One');
  assert.deepEqual(await seenBy(id, one), { customer: whole('Ann', 'Fleet One'), known: true });
  assert.deepEqual(await seenBy(id, two), { customer: { phone }, known: false });
  await book(two, 'Bea');
  // The row has Bea's name now, and the company that the first partner sent.
  assert.deepEqual((await seenBy(id, null)).customer, whole('Bea', 'Fleet One'));
  assert.deepEqual((await seenBy(id, one)).customer, whole('Ann', 'Fleet One'));
  assert.deepEqual(await seenBy(id, two), { customer: whole('Bea', null), known: true });
  assert.deepEqual(await seenBy(id, stranger), { customer: { phone }, known: false });
  await book(one, 'Cleo');
  assert.equal((await seenBy(id, one)).customer.name, 'Cleo');
});

test('without an own booking: the row, if no other partner sent details of it; without a customer nothing', async () => {
  const id = await book(one, 'Dee', 'Fleet One');
  await db.query('UPDATE booking SET partner_id = NULL WHERE customer_id = $1', [id]);
  const sentBy = (...partners: SignedInPartner[]) =>
    db.query('UPDATE customer SET details_from = $2 WHERE id = $1', [
      ...[id, partners.map(({ partnerId }) => partnerId)],
    ]);
  await sentBy(two);
  assert.deepEqual(await seenBy(id, two), { customer: whole('Dee', 'Fleet One'), known: false });
  assert.deepEqual((await seenBy(id, one)).customer, { phone });
  await sentBy(one, two);
  assert.deepEqual((await seenBy(id, two)).customer, { phone });
  await sentBy();
  assert.equal((await seenBy(id, stranger)).customer.name, 'Dee');
  const nobody = `SELECT ${customerSeen('k', '$1::uuid')} AS customer FROM (SELECT 1) AS one LEFT JOIN customer k ON false`;
  assert.deepEqual(await db.query(nobody, [one.partnerId]), [{ customer: null }]);
});
