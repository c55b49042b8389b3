/** The subject of a dead letter, for each kind of work. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { phoneIn } from '#base/values/phone.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { reply } from '#product/messaging/inbox/reply.ts';
import { enqueueInboxDigests } from '#product/notifications/inbox-digests/enqueue.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import { subjectOf } from './store.ts';

const { app, workshopId, send, book } = await messagingWorld();
const { answer } = inboundWorld(app);
const { context, sms } = app;
const { db, clock } = context;
const refused = { state: 'refused', permanent: true, reason: 'refused', detail: 'No.' } as const;

/** The subject of the newest letter, which is of this job. */
async function subject(job: string) {
  const [letter] = await listDeadLetters(db);
  assert.equal(letter?.job, job);
  assert.ok(letter, `no letter of ${job}`);
  return subjectOf(db, letter.payload);
}

test('a notice of a booking: the recipient, the channel and the booking', async () => {
  expectErrors(/"detail":"No\."/);
  const phone = newPhone();
  sms.always(phone, refused);
  const bookingId = await book(phone);
  await app.drain();
  const found = await subject('send');
  const { workshop, booking, text, conversationId, ...rest } = found ?? {};
  assert.match(text ?? '', new RegExp(`booking ${booking}`));
  assert.match(conversationId ?? '', /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    kind: 'bookingNotice',
    event: 'booking.created',
    audience: 'customer',
    channel: 'sms',
    recipient: phone,
    bookingId,
  });
  assert.match(`${workshop} ${booking}`, /^Harbour Motors \w{8}$/);
});

test('a reply: the conversation that inbox show takes, and its text', async () => {
  expectErrors(/"detail":"No\."/);
  const phone = newPhone();
  const { conversationId } = (await send({ phone })).sms;
  sms.always(phone, refused);
  await reply(context, conversationId, 'At 5 pm.', actors.operator);
  await app.drain();
  const workshop = 'Harbour Motors';
  const about = { kind: 'reply', audience: 'customer', channel: 'sms' };
  const expected = { workshop, ...about, recipient: phone, conversationId, text: 'At 5 pm.' };
  assert.deepEqual(await subject('send'), expected);
});

test('an inbox digest: the workshop and the recipient', async () => {
  expectErrors(/"detail":"No\."/);
  const [phone, desk] = [newPhone(), newPhone()];
  await setWorkshop(
    { db, clock },
    workshopId,
    { inboxNotices: 'sms', notifyPhones: [desk] },
    actors.operator,
  );
  await send({ phone });
  await answer(phone, 'Yes');
  sms.always(desk, refused);
  await enqueueInboxDigests(context);
  await app.drain();
  const about = { kind: 'inboxDigest', audience: 'workshop', channel: 'sms', recipient: desk };
  const text = `Harbour Motors: 1 new answer from ${phoneIn('AU', phone)}.`;
  const expected = { workshop: 'Harbour Motors', ...about, text };
  assert.deepEqual(await subject('send'), expected);
});

test('an unmatched inbound SMS: its text', async () => {
  const [from, to] = [newPhone(), '+61488899999'];
  await answer(from, 'Who is this?', { to });
  assert.deepEqual(await subject('placeInbound'), { from, to, text: 'Who is this?' });
});

test('null, when the subject was deleted or the payload has another form', async () => {
  for (const payload of [{ messageId: newId() }, { messageId: 'x' }, { eventId: newId() }, {}]) {
    assert.equal(await subjectOf(db, payload), null);
  }
});
