/**
 * The order of checks: when a request has two faults, the response names the one that is earlier in the list (specification:
 * Messages 8).
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { setFeature } from '#product/partners/features.ts';
import { setLink } from '#product/workshops/link.ts';
import {
  fromTemplate,
  messagingWorld,
  newPhone,
  refusedForNow,
  text,
  useUpRate,
  written,
} from '../../../test/fixtures/messaging.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, partner, workshopId, send, customer, book, template } = await messagingWorld();
const { db, clock } = app.context;
const withoutFeature = await signedInPartner(app, 'Without Messaging');

const unlinked = await linkedWorkshop(app, []);
const linkOff = await linkedWorkshop(app, [partner, withoutFeature], { inboxMessaging: 'off' });
const inboxOff = await linkedWorkshop(app, [partner, withoutFeature], { inboxMessaging: 'off' });
for (const { partnerId } of [partner, withoutFeature]) {
  await setLink({ db, clock }, { partnerId, workshopId: linkOff, active: false }, actors.operator);
}
await setLink(
  { db, clock },
  { partnerId: withoutFeature.partnerId, workshopId, active: true },
  actors.operator,
);
await setFeature(
  { db, clock },
  { partnerId: withoutFeature.partnerId, feature: 'messaging', enabled: false },
  actors.operator,
);

const person = await customer();
const theirBooking = await book(newPhone());
const draft = await template('Hi', { draft: true });
await send({ customerId: person.id, referenceId: 'SENT-BEFORE' });
app.sms.next(refusedForNow);
await send({ customerId: person.id, referenceId: 'FAILED-BEFORE' });
const handedOver = app.sms.to(person.phone).length;

interface Call {
  by: typeof partner;
  headers: Record<string, string>;
  workshopId: string;
  body: Record<string, unknown>;
}

interface Fault {
  readonly what: string;
  readonly step: number;
  /** Status, errorCode and the failing fields. */
  readonly answer: readonly [number, string | undefined, string | undefined];
  readonly put: (call: Call) => unknown;
}

const faults: readonly Fault[] = [
  {
    what: 'token',
    step: 1,
    answer: [401, '010000', undefined],
    put: (call) => Object.assign(call.headers, { authorization: 'Bearer none' }),
  },
  {
    what: 'body shape',
    step: 2,
    answer: [400, '000001', 'bookingId'],
    put: (call) => Object.assign(call.body, { bookingId: 7 }),
  },
  {
    what: 'workshop',
    step: 3,
    answer: [404, '030001', undefined],
    put: (call) => Object.assign(call, { workshopId: unlinked }),
  },
  {
    what: 'feature',
    step: 4,
    answer: [403, '000003', undefined],
    put: (call) => Object.assign(call, { by: withoutFeature }),
  },
  {
    what: 'partner integration',
    step: 5,
    answer: [403, '000004', undefined],
    put: (call) => Object.assign(call, { workshopId: linkOff }),
  },
  {
    what: 'inbox messaging',
    step: 5,
    answer: [403, '000004', undefined],
    put: (call) => Object.assign(call, { workshopId: inboxOff }),
  },
  {
    what: 'phone',
    step: 6,
    answer: [400, '000001', 'phone'],
    put: (call) => Object.assign(call.body, { phone: '12', customerId: null }),
  },
  {
    what: 'customer',
    step: 6,
    answer: [404, '040001', undefined],
    put: (call) => Object.assign(call.body, { customerId: newId() }),
  },
  {
    what: 'booking',
    step: 7,
    answer: [404, '060001', undefined],
    put: (call) => Object.assign(call.body, { bookingId: newId() }),
  },
  {
    what: "another customer's booking",
    step: 7,
    answer: [400, '060001', undefined],
    put: (call) => Object.assign(call.body, { bookingId: theirBooking }),
  },
  {
    what: 'template',
    step: 8,
    answer: [400, '000001', 'channels.sms.templateId'],
    put: (call) => Object.assign(call.body, fromTemplate(draft)),
  },
  {
    what: 'rate',
    step: 9,
    answer: [429, undefined, undefined],
    put: (call) => useUpRate(app, call.workshopId, person.phone),
  },
];

async function answerTo(...put: readonly Fault[]) {
  const call: Call = {
    by: partner,
    headers: {},
    workshopId,
    // Without the refusal it would be attempted again.
    body: { customerId: person.id, ...text('Hi'), referenceId: 'FAILED-BEFORE' },
  };
  // The earlier fault is applied last: when both set the same field, its value stays.
  for (const fault of [...put].reverse()) await fault.put(call);
  const before = await written(app);
  const path = `/workshops/${call.workshopId}/messages`;
  const { status, body } = await call.by.call('POST', path, call.body, { headers: call.headers });
  assert.deepEqual(await written(app), before, 'a refusal wrote something');
  const fields = body.errors?.map(({ field }: { field: string }) => field).join();
  return [status, body.errorCode, fields];
}

for (const first of faults) {
  test(`order: ${first.what} alone`, async () => {
    assert.deepEqual(await answerTo(first), first.answer);
  });
  for (const second of faults.filter(({ step }) => step > first.step)) {
    test(`order: ${first.what} before ${second.what}`, async () => {
      assert.deepEqual(await answerTo(first, second), first.answer);
    });
  }
}

test('order: the rate (429) before referenceId: a replay counts, and is refused beyond the limit', async () => {
  await db.query('DELETE FROM message_rate');
  const body = { customerId: person.id, referenceId: 'SENT-BEFORE' };
  for (let i = 0; i < 5; i++) assert.equal((await send(body)).success, true);
  await useUpRate(app, workshopId, person.phone);
  const path = `/workshops/${workshopId}/messages`;
  assert.equal((await partner.call('POST', path, { ...body, ...text('Hi') })).status, 429);
  assert.equal(app.sms.to(person.phone).length, handedOver);
});
