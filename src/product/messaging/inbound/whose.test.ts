/**
 * Which workshop and partner an inbound SMS belongs to: the workshop whose SMS was handed over last, and the partner that sent
 * last.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { accepted, messagingWorld, newPhone, refusedForNow } from '../../../../test/fixtures/messaging.ts';
import { bookingBody, linkedWorkshop, signedInPartner } from '../../../../test/harness/world.ts';

const { app, partner, workshopId, customer, book } = await messagingWorld();
const { answer, conversations, events } = inboundWorld(app);
const { db } = app.context;
const other = await linkedWorkshop(app, [partner]);
const sendFrom = (id: string, phone: string) =>
  partner.call('POST', `/workshops/${id}/messages`, { phone, channels: { sms: { message: 'Ready.' } } });

test("the event is for the partner that sent the last message (specification: Customers' answers 9)", async () => {
  const second = await signedInPartner(app, 'Second');
  const place = await linkedWorkshop(app, [partner, second]);
  const phone = newPhone();
  await sendFrom(place, phone);
  await second.call('POST', `/workshops/${place}/messages`, { phone, channels: { sms: { message: 'Hi' } } });
  await answer(phone, 'one');
  await sendFrom(place, phone);
  app.sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  const refused = { phone, channels: { sms: { message: 'Not sent' } } };
  await second.call('POST', `/workshops/${place}/messages`, refused);
  await answer(phone, 'two');
  const found = await events('message.received', phone);
  assert.deepEqual(
    found.map(({ partnerId }) => partnerId),
    [second.partnerId, partner.partnerId],
  );
});

test('the time of the hand-over counts, not that of the message: a notice that was delayed can be the latest', async () => {
  const phone = newPhone();
  await customer({ phone, workshopId: other });
  app.sms.always(phone, refusedForNow);
  await book(phone);
  await app.drain();
  app.sms.always(phone, accepted);
  await sendFrom(other, phone);
  await answer(phone, 'While the notice waits');
  await app.drain({ retries: true });
  await answer(phone, 'STOP');
  const heard = (await conversations(phone)).map(({ workshopId: id, messages }) => [
    id,
    messages.filter(({ direction }) => direction === 'inbound').map(({ body }) => body),
  ]);
  assert.deepEqual(Object.fromEntries(heard), {
    [other]: ['While the notice waits'],
    [workshopId]: ['STOP'],
  });
  assert.deepEqual(
    await db.query(`SELECT workshop_id AS id FROM customer WHERE phone = $1 AND opted_out_at IS NOT NULL`, [
      phone,
    ]),
    [{ id: workshopId }],
  );
});

test("always: a tapback is of the workshop whose text it quotes, also where another has texted since (specification: Customers' answers 7)", async () => {
  const phone = newPhone();
  const text = (id: string, message: string) =>
    partner.call('POST', `/workshops/${id}/messages`, { phone, channels: { sms: { message } } });
  await text(other, 'Your Audi is ready, come by until 5.');
  await text(workshopId, 'See you on Monday at nine.');
  await answer(phone, 'Loved “Your Audi is ready, come by…”');
  await answer(phone, 'Loved “What nobody here has written”');
  const heard = (await conversations(phone)).map(({ workshopId: id, messages }) => [
    id,
    messages.filter(({ direction }) => direction === 'inbound').map(({ body }) => body.slice(0, 14)),
  ]);
  assert.deepEqual(Object.fromEntries(heard), {
    [other]: ['Loved “Your Au'],
    [workshopId]: ['Loved “What no'],
  });
});

test("an inbound SMS stores its partner; a notice in between changes nothing, and partners can read no more than before (specification: Customers' answers 9)", async () => {
  const second = await signedInPartner(app, 'Third');
  const place = await linkedWorkshop(app, [partner, second]);
  const phone = newPhone();
  await second.call('POST', `/workshops/${place}/messages`, { phone, channels: { sms: { message: 'Hi' } } });
  await partner.call('POST', '/bookings', bookingBody(place, { customerPhone: phone }));
  await app.drain();
  await answer(phone, 'Yes');
  const [stored] = await db.query<{ id: string; partnerId: string | null; kind: string }>(
    `SELECT id, partner_id, kind FROM message WHERE recipient = $1 AND direction = 'inbound'`,
    [phone],
  );
  assert.deepEqual([stored?.partnerId, stored?.kind], [second.partnerId, 'inbound']);
  assert.equal((await events('message.received', phone))[0]?.partnerId, second.partnerId);
  const read = await second.call('GET', `/workshops/${place}/messages/${stored?.id}`);
  assert.deepEqual([read.status, read.body.errorCode], [404, '120001']);
  const [notice] = await db.query<{ id: string }>(
    `SELECT id FROM message WHERE recipient = $1 AND kind = 'bookingNotice'`,
    [phone],
  );
  assert.equal((await partner.call('GET', `/workshops/${place}/messages/${notice?.id}`)).status, 404);
  const told = await db.query('SELECT kind FROM event WHERE subject_id = $1', [notice?.id]);
  assert.deepEqual(told, [], 'a notice has no message event');
});
