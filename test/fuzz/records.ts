/** Records of a partner for every other kind of id: quotes, calls, reminders, webhooks with deliveries, automations, blasts. */

import assert from 'node:assert/strict';
import fc, { type Arbitrary } from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { createAutomation } from '#product/campaigns/automations/create.ts';
import { createBlast } from '#product/campaigns/blasts/create.ts';
import type { TestApp } from '../harness/app.ts';
import { bookingBody, type SignedInPartner } from '../harness/world.ts';

const each = 8;
/** Each can be triggered, or deleted, once. */
const many = 60;

/** By the name of the id in a path. */
export async function otherRecords(
  app: TestApp,
  partner: SignedInPartner,
  workshopId: string,
  templateId: string,
): Promise<Readonly<Record<string, Arbitrary<string>>>> {
  const { db, clock } = app.context;
  const { workshopId: _, ...booking } = bookingBody(workshopId);
  const { carRego, customerName, customerPhone, customerEmail } = booking;

  async function make(path: string, key: string, body: object, count = each): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const answer = await partner.call('POST', path, body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      ids.push(answer.body[key].id);
    }
    return ids;
  }

  const person = { workshopId, carRego, customerName, customerPhone, customerEmail };
  const quotes = await make('/quotes', 'quote', { ...person, services: [{ title: 'Brakes' }] });
  const call = {
    workshopId,
    callerPhone: customerPhone,
    calledAt: '2026-03-02T22:30:00Z',
    outcome: 'missed',
  };
  const calls = await make('/leads/calls', 'callLead', call);
  const due = { workshopId, customerPhone, sendAt: '2039-03-02T22:30:00Z' };
  const reminders = await make('/reminders/services', 'serviceReminder', due, many);

  const endpoint = { url: 'https://partner.example/pitlane', actions: ['bookingCreate'] };
  const webhooks = await make('/webhooks', 'webhook', endpoint, each);
  await partner.call('POST', '/bookings', bookingBody(workshopId, { customerPhone: '0491 570 199' }));
  await app.drain();
  const deliveries = await db.query<{ id: string; webhookId: string }>(
    'SELECT id, webhook_id FROM webhook_delivery',
  );
  assert.ok(deliveries.length >= each);

  const text = { workshop: workshopId, template: templateId };
  const automations: string[] = [];
  for (let n = 0; n < each; n++) {
    const made = await createAutomation(
      { db, clock },
      { ...text, name: `Automation ${n}`, trigger: 'manual' },
      actors.operator,
    );
    automations.push(made.id);
  }
  const blasts: string[] = [];
  for (let n = 0; n < many; n++) {
    blasts.push((await createBlast({ db, clock }, { ...text, name: `Blast ${n}` }, actors.operator)).id);
  }
  return {
    quoteId: fc.constantFrom(...quotes),
    callId: fc.constantFrom(...calls),
    serviceId: fc.constantFrom(...reminders),
    webhookId: fc.constantFrom(...webhooks),
    deliveryId: fc.constantFrom(...deliveries.map(({ id }) => id)),
    automationId: fc.constantFrom(...automations),
    blastId: fc.constantFrom(...blasts),
  };
}
