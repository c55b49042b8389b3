/** Limits on texts by staff: how many an hour over all entry points, and to which numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import { signedAddress } from '#platform/gateways/email/signed-address.ts';
import { setAttendance } from '#product/bookings/staff/attendance.ts';
import { markReady } from '#product/bookings/staff/ready.ts';
import { sendAgain } from '#product/messaging/inbox/again/again.ts';
import { scheduleText } from '#product/messaging/inbox/later/schedule.ts';
import { MailRefused, receiveMail } from '#product/messaging/inbox/mail/receive.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { priceQuote } from '#product/quotes/price.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { changeWith, failing } from '../../../../test/harness/change-with.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import type { Ground } from './ground.ts';
import { sendOwnMessage } from './send.ts';

const { app, partner, workshopId, book } = await messagingWorld({
  config: { staffSmsPerWorkshop: 70, inboundMailDomain: 'reply.pitlane.example' },
});
const { answer } = inboundWorld(app);
const { context } = app;
const { db } = context;

const tooMany = (error: unknown) => error instanceof Problem && error.status === 429;
const person = () => actors.person(newId(), 'r-1');

/** A new customer each time, because each one gets at most five texts a second. */
async function booked() {
  const phone = newPhone();
  const id = await book(phone, { skipNotification: true });
  const { body } = await partner.call('GET', `/bookings/${id}`);
  return { id, phone, customerId: String(body.booking.customerId) };
}

const textTo = (customerId: string, actor = person(), ground: Ground = {}) =>
  sendOwnMessage(context, {
    ...{ workshopId, to: { customerId }, bookingId: null, content: { text: 'Hello' }, actor, ground },
  });

/** Sets the used quota, as if `count` texts had been sent within the hour. */
async function used(policy: string, of: string, count: number) {
  const { createHash } = await import('node:crypto');
  const source = createHash('sha256').update([policy, of].join(' ')).digest();
  await db.query(
    `INSERT INTO attempt (source, attempts, expires_at)
     VALUES ($1, ARRAY(SELECT clock_timestamp() - interval '1 minute' FROM generate_series(1, $2)), clock_timestamp() + interval '1 hour')
     ON CONFLICT (source) DO UPDATE SET attempts = excluded.attempts`,
    [source, count],
  );
}

test('a person sends 60 an hour, by message, reply and custom text of a ready car together; the rest of the workshop is not affected (specification: The front desk 3 and 14)', async () => {
  const actor = person();
  const { customerId, id } = await booked();
  await used('staff-sms-person', actor.personId, 57);
  const { conversationId } = await textTo(customerId, actor);
  await reply(context, conversationId, 'At five', actor);
  const ready = { workshopId, bookingId: id, actor, tellCustomer: true };
  await markReady(context, { ...ready, text: 'Ring the bell' });
  const stored = async () =>
    (await db.query('SELECT id FROM message WHERE customer_id = $1', [customerId])).length;
  const before = await stored();
  await assert.rejects(textTo(customerId, actor), tooMany);
  await assert.rejects(reply(context, conversationId, 'At six', actor), tooMany);
  await setAttendance(context, { workshopId, bookingId: id, state: 'here', actor });
  await assert.rejects(markReady(context, { ...ready, again: true, text: 'Now' }), tooMany);
  assert.equal(await stored(), before);
  // The business clock does not end the hour.
  app.advance(3 * 3_600);
  await assert.rejects(textTo(customerId, actor), tooMany);
  // The notice with the workshop's standard text does not count for the person.
  assert.notEqual((await markReady(context, { ...ready, again: true })).eventId, null);
  await reply(context, conversationId, 'By another', person());
});

test('a resent text counts, and a scheduled text counts when it is sent (specification: The front desk 14)', async () => {
  const actor = person();
  const { customerId } = await booked();
  const { conversationId, messageId } = await textTo(customerId, actor);
  await app.drain();
  await db.query(`UPDATE message SET state = 'undelivered' WHERE id = $1`, [messageId]);
  await used('staff-sms-person', actor.personId, 60);
  const again = { workshopId, conversationId, messageId, mayArriveTwice: false };
  await assert.rejects(sendAgain(context, { ...again, actor }), tooMany);
  const dueAt = new Date(context.clock.now().getTime() + 60_000);
  const of = { workshopId, to: { conversationId }, text: 'Later', dueAt, seen: messageId };
  await scheduleText(context, { ...of, actor });
  await sendAgain(context, { ...again, actor: person() });
});

test('a price with a notice to the customer counts, and is refused beyond the 60; without a notice it is allowed (specification: Quotes 8)', async () => {
  const actor = person();
  const asked = {
    workshopId,
    customerName: 'Ava',
    customerEmail: 'ava@mail.example',
    customerPhone: newPhone(),
    carRego: 'ABC123',
  };
  const { body } = await partner.call('POST', '/quotes', { ...asked, services: [{ title: 'Brakes' }] });
  const quoteId = String(body.quote.id);
  const price = (notify: boolean) =>
    priceQuote(context, { quoteId, lines: ['Pads:1:10'], validDays: '14', message: 'x', actor, notify });
  await used('staff-sms-person', actor.personId, 59);
  await price(true);
  await assert.rejects(price(true), tooMany);
  assert.equal((await price(false)).status, 'quoted');
  assert.deepEqual(await db.query('SELECT version FROM quote WHERE id = $1', [quoteId]), [{ version: 3 }]);
});

test('a workshop sends as many as its setting allows, whoever sends them; a text that is not sent does not count (specification: The front desk 3 and 14)', async () => {
  const { customerId } = await booked();
  await used('staff-sms-workshop', workshopId, 68);
  const { conversationId } = await textTo(customerId);
  const replied = (its: typeof context) => reply(its, conversationId, 'x', person());
  await assert.rejects(changeWith(context, replied, failing('undone')), /undone/);
  await reply(context, conversationId, 'Seventieth', actors.operator);
  await assert.rejects(reply(context, conversationId, 'Too many', actors.operator), tooMany);
  await assert.rejects(textTo(customerId), tooMany);
  const races = await Promise.allSettled(
    Array.from({ length: 4 }, async () => textTo((await booked()).customerId)),
  );
  assert.ok(races.every(({ status }) => status === 'rejected'));
  await used('staff-sms-workshop', workshopId, 66);
  const some = await Promise.allSettled(
    Array.from({ length: 8 }, async () => textTo((await booked()).customerId)),
  );
  assert.equal(some.filter(({ status }) => status === 'fulfilled').length, 4);
  await used('staff-sms-workshop', workshopId, 0);
});

test('a number of another country: only when the customer has written or booked from it, or an owner allows it (specification: The front desk 3 and 15)', async () => {
  const abroad = (n: number) => `+6421123${400 + n}`;
  const to = (phone: string, ground: Ground = { reason: 'They rang us' }) =>
    sendOwnMessage(context, {
      ...{ workshopId, to: { phone }, bookingId: null, content: { text: 'Hello' }, actor: person(), ground },
    });
  await assert.rejects(to(abroad(1)), /allowAbroad: is needed: the number is of another country/);
  const allowed = await to(abroad(1), { reason: 'They rang us', allowAbroad: true });
  // From now on anybody may text it.
  await textTo(allowed.customerId);
  const [bookedFrom] = await Promise.all([book(abroad(2), { skipNotification: true })]);
  const { body } = await partner.call('GET', `/bookings/${bookedFrom}`);
  await textTo(body.booking.customerId);
  await answer(abroad(1), 'Hi');
  await db.query('UPDATE texting_ground SET abroad_allowed = false');
  await textTo(allowed.customerId);
});

test('the first text to a number without a booking needs a reason; later texts and answers do not (specification: The front desk 3 and 15)', async () => {
  const phone = newPhone();
  const to = (ground?: Ground) =>
    sendOwnMessage(context, {
      ...{ workshopId, to: { phone }, bookingId: null, content: { text: 'Hello' }, actor: person() },
      ...(ground && { ground }),
    });
  await assert.rejects(to(), /reason: is needed/);
  for (const reason of ['', 'ab', ' x ', 'x'.repeat(256)])
    await assert.rejects(to({ reason }), /reason: must have 3 to 255/);
  await to({ reason: 'Found a phone in a loan car' });
  await to();
  const [kept] = await db.query('SELECT reason FROM texting_ground WHERE phone = $1', [phone]);
  assert.deepEqual(kept, { reason: 'Found a phone in a loan car' });
});

test('a reply by e-mail counts for its author, who gets the reason when it is not sent (specification: The front desk 14)', async () => {
  const [desk, smsSender] = ['desk@garage.example', '+61488892001'];
  const its = await linkedWorkshop(app, [partner], { email: desk, smsSender });
  const phone = newPhone();
  await answer(phone, 'When?', { to: smsSender });
  const [row] = await db.query<{ id: string }>('SELECT id FROM conversation WHERE workshop_id = $1', [its]);
  const { id = '' } = row ?? {};
  const now = context.clock.machineNow();
  const to = signedAddress(context.sealing, { use: 'reply', id, domain: 'reply.pitlane.example', now });
  const write = (n: number) =>
    receiveMail(context, {
      ...{ to, sender: null },
      raw: Buffer.from(`From: ${desk}\r\nTo: x\r\nMessage-ID: <${n}@garage.example>\r\n\r\nAt ${n}`),
    });
  await used('staff-sms-person', desk, 59);
  assert.equal((await write(1)).state, 'queued');
  // The same e-mail again does not count.
  assert.equal((await write(1)).state, 'repeated');
  await assert.rejects(write(2), (error) => error instanceof MailRefused && /at most 60/.test(error.message));
});
