/** The customer and booking that a call is linked to (specification: Call leads 2). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { setLink } from '#product/workshops/link.ts';
import { callWorld } from '../../../test/fixtures/call-leads.ts';
import { quoteBody } from '../../../test/fixtures/quote-api.ts';
import type { Answer } from '../../../test/harness/app.ts';
import { signedInPartner } from '../../../test/harness/world.ts';
import { callRecord } from './record.ts';

const { app, partner, workshopId, book, record, readCall, callEvents } = await callWorld();
const { db } = app.context;
const other = await signedInPartner(app, 'Other');
await setLink(
  { db, clock: app.clock },
  { partnerId: other.partnerId, workshopId, active: true },
  actors.operator,
);

let phones = 4000;
/** A phone that no test has used yet. */
const newPhone = () => `+6149157${phones++}`;

test('customerId and bookingId are set in the commit that creates the customer and the booking', async () => {
  const customerPhone = newPhone();
  const before = await record({ callerPhone: customerPhone });
  assert.deepEqual([before.customerId, before.bookingId], [null, null]);
  const first = await book({ customerPhone });
  await book({ customerPhone });
  const now = await readCall(before.id);
  assert.deepEqual([now.customerId, now.bookingId], [first.customerId, first.id]);
  // A call after the booking is not linked to it.
  const after = await record({ callerPhone: customerPhone });
  assert.deepEqual([after.customerId, after.bookingId], [first.customerId, null]);
  await app.drain();
  const events = await callEvents(before.id);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['callLead.created', 'callLead.missed', 'callLead.updated'],
    'the second booking changes nothing of it',
  );
  const last = events.at(-1);
  assert.deepEqual([last?.version, last?.payload.callLead], [2, await readCall(before.id)]);
  assert.deepEqual(last?.payload.callLead.bookingId, first.id);
});

test('a booking more than 30 days later, or by another partner, is not linked to the call', async () => {
  const customerPhone = newPhone();
  const [early, late] = [
    await record({
      callerPhone: customerPhone,
      calledAt: new Date(app.clock.now().getTime() - 30 * 86_400_000 - 1_000).toISOString(),
    }),
    await record({
      callerPhone: customerPhone,
      calledAt: new Date(app.clock.now().getTime() - 30 * 86_400_000 + 60_000).toISOString(),
    }),
  ];
  await book({ customerPhone }, other);
  assert.equal((await readCall(late.id)).bookingId, null);
  const { id } = await book({ customerPhone });
  assert.equal((await readCall(late.id)).bookingId, id);
  assert.equal((await readCall(early.id)).bookingId, null);
});

test('a call does not reveal whether its phone belongs to a customer whom the partner has not dealt with (specification: Call leads 6)', async () => {
  const all = async (id: string, externalId: string) => {
    const [{ payload } = assert.fail()] = (await callEvents(id)).slice(-1);
    const [listed] = (await partner.call('GET', `/leads/calls?externalId=${externalId}`)).body.callLeads;
    return [(await readCall(id)).customerId, listed.customerId, payload.callLead.customerId];
  };
  const dealings: Record<string, (phone: string) => Promise<Answer>> = {
    quote: (customerPhone) => partner.call('POST', '/quotes', quoteBody(workshopId, { customerPhone })),
    message: (phone) =>
      partner.call('POST', `/workshops/${workshopId}/messages`, {
        phone,
        channels: { sms: { message: 'Hi' } },
      }),
    reminder: (customerPhone) =>
      partner.call('POST', '/reminders/services', { workshopId, customerPhone, carRego: 'ABC123' }),
  };
  for (const [externalId, deal] of Object.entries(dealings)) {
    const customerPhone = newPhone();
    const { customerId } = await book({ customerPhone }, other);
    await record({ callerPhone: newPhone(), externalId });
    const { id } = await record({ callerPhone: customerPhone, externalId, source: 'again' }, 200);
    assert.deepEqual(await all(id, externalId), [null, null, null], externalId);
    const { status, body } = await deal(customerPhone);
    assert.ok(status < 300, JSON.stringify(body));
    await record({ callerPhone: customerPhone, externalId, source: 'known' }, 200);
    assert.deepEqual(await all(id, externalId), [customerId, customerId, customerId], externalId);
  }
  // The workshop itself sees the caller.
  const customerPhone = newPhone();
  const { customerId } = await book({ customerPhone }, other);
  const { id } = await record({ callerPhone: customerPhone });
  assert.deepEqual(
    [(await readCall(id)).customerId, (await requireRecord(db, callRecord, id)).customerId],
    [null, customerId],
  );
});
