/** A customer who has opted out gets no SMS about a booking, unless the operator declares the country exempt. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { inboundWorld } from '../../../test/fixtures/inbound.ts';
import { accepted, messagingWorld, newPhone, refusedForNow } from '../../../test/fixtures/messaging.ts';
import { startTestApp, type TestApp } from '../../../test/harness/app.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';

const { app, send, customer, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { db, clock } = app.context;

interface Notice {
  readonly channel: string;
  readonly state: string;
  readonly reason: string | null;
  readonly despiteOptOut: boolean;
  readonly segments: number | null;
}

async function noticesTo(place: TestApp, phone: string): Promise<Notice[]> {
  return place.context.db.query<Notice>(
    `SELECT n.channel, n.state, n.reason, n.despite_opt_out, n.segments FROM message n
       JOIN booking b ON b.id = n.booking_id
      WHERE b.contact_phone = $1 AND n.kind = 'bookingNotice' AND n.audience = 'customer' ORDER BY n.id, n.channel`,
    [phone],
  );
}
const smsOf = async (phone: string) =>
  (await noticesTo(app, phone)).filter(({ channel }) => channel === 'sms');
const [sent, optedOut] = [
  { channel: 'sms', state: 'accepted', reason: null, despiteOptOut: false, segments: 1 },
  { channel: 'sms', state: 'failed', reason: 'optedOut', despiteOptOut: false, segments: 1 },
];

test('a customer who has opted out gets the e-mail of a booking, but no SMS', async () => {
  const { id, phone } = await customer();
  await setOptedOut({ db, clock }, id, true, actors.operator);
  const customerEmail = `${id}@mail.example`;
  await book(phone, { customerEmail });
  await app.drain();
  assert.deepEqual([app.sms.to(phone), app.email.to(customerEmail).length], [[], 1]);
  assert.deepEqual(await smsOf(phone), [optedOut]);
  await setOptedOut({ db, clock }, id, false, actors.operator);
  await book(phone, { customerEmail });
  await app.drain();
  assert.deepEqual(await smsOf(phone), [optedOut, sent]);
});

test('STOP during the hand-over of an SMS: this one is sent, the next one is not (specification: Opting out 1)', async () => {
  const { phone } = await customer();
  await book(phone);
  const [begun, outcome] = [Promise.withResolvers<void>(), Promise.withResolvers<SmsOutcome>()];
  app.sms.always(phone, () => {
    begun.resolve();
    return outcome.promise;
  });
  const drained = app.drain();
  await begun.promise;
  await answer(phone, 'STOP');
  outcome.resolve(accepted);
  await drained;
  app.sms.clear();
  await book(phone);
  await app.drain();
  assert.deepEqual(await smsOf(phone), [sent, optedOut]);
});

test('STOP before the retry of a notice: it is not retried', async () => {
  const { phone } = await customer();
  await book(phone);
  app.sms.always(phone, refusedForNow);
  await app.drain();
  await answer(phone, 'STOP');
  app.sms.clear();
  await app.drain({ retries: true });
  const [confirmation, ...more] = app.sms.to(phone);
  assert.match(confirmation?.body ?? '', /no more SMS/);
  assert.deepEqual([more, (await smsOf(phone)).map(({ reason }) => reason)], [[], ['optedOut']]);
});

test('STOP concurrent with notices: the sent ones are recorded as sent, the others as opted out', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => customer()));
  for (const { phone } of people) await book(phone);
  await Promise.all([app.drain(), ...people.map(({ phone }) => answer(phone, 'STOP'))]);
  await app.drain();
  for (const { phone } of people) {
    const [notice] = await smsOf(phone);
    const booked = app.sms.to(phone).filter(({ body }) => body.includes('booking'));
    assert.deepEqual(notice, booked.length === 1 ? sent : optedOut, phone);
    assert.equal((await send({ phone })).sms.reason, 'optedOut');
  }
});

test('when the carrier reports an opt-out, the message fails as opted out, without a dead letter', async () => {
  const { phone } = await customer();
  const first = await send({ phone });
  app.sms.always(phone, {
    state: 'refused',
    permanent: true,
    reason: 'optedOut',
    detail: 'Blocked by STOP.',
  });
  await book(phone);
  await reply(app.context, first.sms.conversationId, 'Ready.', actors.operator);
  await app.drain();
  assert.deepEqual(await db.query('SELECT FROM queued_message'), [], 'nothing waits for a retry');
  // One attempt each, for those in flight when the carrier refused the first: the opt-out stops the rest.
  const attempts = app.sms.to(phone).length;
  assert.ok(attempts === 2 || attempts === 3, `${attempts}`);
  assert.deepEqual((await smsOf(phone))[0], optedOut);
  assert.deepEqual(await listDeadLetters(db), []);
  const { success, sms } = await send({ phone });
  assert.deepEqual([success, sms.reason], [false, 'optedOut']);
  // The opt-out is recorded on the customer: it stays in force when the carrier would accept SMS again.
  app.sms.clear();
  assert.equal((await send({ phone })).sms.reason, 'optedOut');
});

test('in an exempt country notices of bookings are sent despite the opt-out, marked as such, and nothing else is (specification: Opting out 3)', async () => {
  const exempt = await startTestApp({ config: { optOutExemptCountries: ['AU', 'GB'] } });
  const partner = await signedInPartner(exempt);
  const inbound = inboundWorld(exempt);
  const australian = await linkedWorkshop(exempt, [partner]);
  const abroad = await linkedWorkshop(exempt, [partner], { country: 'NZ', phone: '+6493551234' });
  const notices = async (workshopId: string, phone: string) => {
    const message = { phone, channels: { sms: { message: 'Hi' } } };
    const post = () => partner.call('POST', `/workshops/${workshopId}/messages`, message);
    const { conversationId } = (await post()).body.sms;
    // This workshop sends last, so the STOP applies to it.
    await inbound.answer(phone, 'STOP');
    assert.equal((await post()).body.sms.reason, 'optedOut');
    await assert.rejects(reply(exempt.context, conversationId, 'x', actors.operator), /has opted out/);
    await partner.call('POST', '/bookings', bookingBody(workshopId, { customerPhone: phone }));
    await exempt.drain();
    return (await noticesTo(exempt, phone)).filter(({ channel }) => channel === 'sms');
  };
  const [here, there] = [newPhone(), newPhone()];
  assert.deepEqual(await notices(australian, here), [{ ...sent, despiteOptOut: true }]);
  assert.deepEqual(await notices(abroad, there), [optedOut]);
  // The first message, the confirmation, the notice.
  assert.deepEqual([exempt.sms.to(here).length, exempt.sms.to(there).length], [3, 2]);
  await inbound.answer(here, 'START');
  await partner.call('POST', '/bookings', bookingBody(australian, { customerPhone: here }));
  await exempt.drain();
  assert.deepEqual((await noticesTo(exempt, here)).filter(({ channel }) => channel === 'sms').at(-1), sent);
});
