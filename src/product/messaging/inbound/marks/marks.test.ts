/** Long because one world serves all its cases. What staff have to decide of a customer's text, what is skipped until then, and texts that set nothing waiting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { previewBlast } from '#product/campaigns/blasts/preview.ts';
import { mergeCustomers } from '#product/customers/merge/merge.ts';
import { setOptedOut } from '#product/customers/opt-out.ts';
import { matchSms } from '#product/messaging/inbound/receive.ts';
import { optOutAsked, stopNotMeant } from '#product/messaging/inbox/desk/decide-stop.ts';
import { markDone } from '#product/messaging/inbox/desk/mark.ts';
import { findDesk } from '#product/messaging/inbox/desk/store.ts';
import { sendReminderNow } from '#product/reminders/schedule/send-now.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { schedule } from '#work.ts';
import { automationWorld } from '../../../../../test/fixtures/campaigns.ts';
import { inboundWorld } from '../../../../../test/fixtures/inbound.ts';
import { newPhone } from '../../../../../test/fixtures/messaging.ts';
import { outdated } from '../../../../../test/fixtures/talks.ts';
import { linkedWorkshop } from '../../../../../test/harness/world.ts';

const world = await automationWorld();
const { app, db, clock, context, partner, workshopId, blast, automation, runs, work, read, until } = world;
const { answer, optedOutAt } = inboundWorld(app);
const sender = '+61488880021';
await db.query('UPDATE workshop SET sms_sender = $2 WHERE id = $1', [workshopId, sender]);
const by = actors.operator;

interface Known {
  readonly customerId: string;
  readonly conversationId: string;
  readonly phone: string;
}
/** A customer whom the partner has texted. */
async function known(text = 'Your car is ready.'): Promise<Known> {
  const phone = newPhone();
  const { body } = await partner.call('POST', `/workshops/${workshopId}/messages`, {
    ...{ phone, channels: { sms: { message: text } } },
  });
  assert.equal(body.success, true, JSON.stringify(body));
  const [row] = await db.query<{ id: string }>('SELECT id FROM customer WHERE phone = $1', [phone]);
  return { phone, customerId: row?.id ?? '', conversationId: body.sms.conversationId };
}
const say = (phone: string, text: string, more = {}) => answer(phone, text, { to: sender, ...more });
const deskOf = async ({ conversationId }: Known) =>
  (await findDesk(db, workshopId, conversationId)) ?? assert.fail('there is no conversation');
const which = (talk: Known, version?: number) => ({
  ...{ workshopId, conversationId: talk.conversationId },
  ...(version !== undefined && { seen: version }),
});
const sentTo = ({ phone }: Known) => app.sms.to(phone).map(({ body }) => body);
const entriesOf = async ({ customerId }: Known) =>
  (
    await db.query<{ action: string }>('SELECT action FROM audit_entry WHERE subject_id = $1 ORDER BY id', [
      customerId,
    ])
  ).map(({ action }) => action);
const remind = (talk: Known, more: object = {}) =>
  partner.call('POST', '/reminders/services', { workshopId, customerId: talk.customerId, ...more });

test('always: until staff decide, blasts, automations and reminders are skipped as mayHaveOptedOut, for good (specification: Opting out 8)', async () => {
  const talk = await known();
  const [before, waits] = [await automation(), await remind(talk, { sendAt: '2099-01-01T00:00:00Z' })];
  const scheduled = waits.body.serviceReminder.id;
  await say(talk.phone, 'Stop texting me');
  const asked = await deskOf(talk);
  assert.deepEqual([asked.asksToStop, asked.state, await optedOutAt(talk.phone)], [true, 'waiting', null]);
  const already = sentTo(talk).length;

  const id = await blast();
  const preview = await previewBlast(world.context, id);
  assert.deepEqual([preview.recipients, preview.mayHaveOptedOut, preview.examples.length], [1, 1, 0]);
  await world.trigger(before, { customerId: talk.customerId });
  assert.equal((await partner.call('POST', `${world.blasts}/${id}/trigger`, {})).status, 202);
  await work();
  const skipped = { status: 'skipped', reason: 'mayHaveOptedOut' };
  const [run] = await runs(before);
  assert.deepEqual({ status: run?.status, reason: run?.reason }, skipped);
  const { status, counts } = await read(id);
  assert.deepEqual([status, counts.recipients, counts.skipped, counts.sent], ['completed', 1, 1, 0]);
  const [recipient] = await db.query('SELECT state, reason FROM blast_recipient WHERE blast_id = $1', [id]);
  assert.deepEqual(recipient, { state: 'skipped', reason: 'mayHaveOptedOut' });

  const now = await remind(talk);
  assert.deepEqual(
    [now.body.success, now.body.sms.sent, now.body.sms.reason],
    [false, false, 'mayHaveOptedOut'],
  );
  const asks = { workshopId, reminderId: scheduled, actor: by };
  await assert.rejects(sendReminderNow(context, asks), /may have asked for no more texts/);
  await db.query('UPDATE service_reminder SET due_at = $2 WHERE id = $1', [scheduled, clock.now()]);
  for (const { name, run: due } of schedule) if (name === 'sendDueReminders') await due(context);
  await app.drain();
  const ended = (await partner.call('GET', `/reminders/services/${scheduled}`)).body.serviceReminder;
  assert.equal(ended.status, 'failed');
  assert.equal(sentTo(talk).length, already, 'nothing was sent');
  // Skipped texts are no failures that somebody has to look at, and a text of a partner goes.
  assert.equal((await deskOf(talk)).failed, false);
  const wrote = { customerId: talk.customerId, channels: { sms: { message: 'Really ready.' } } };
  assert.equal((await partner.call('POST', `/workshops/${workshopId}/messages`, wrote)).body.success, true);

  await stopNotMeant(context, which(talk, (await deskOf(talk)).version), by);
  await work();
  assert.equal(sentTo(talk).length, already + 1, 'what was skipped stays so');
  assert.equal((await remind(talk)).body.success, true);
  assert.deepEqual((await entriesOf(talk)).slice(-2), [
    'customer.talkAskedToStop',
    'customer.talkStopNotMeant',
  ]);
});

test('always: what was queued before the customer asked is not handed over', async () => {
  const talk = await known();
  const message = {
    ...({ kind: 'automation', channel: 'sms', audience: 'customer', body: 'Come by!' } as const),
    ...{ workshopId, customerId: talk.customerId, recipient: talk.phone, causeId: newId() },
  };
  const options = { now: clock.now(), actor: by, exemptCountries: [] };
  const [queued] = await db.transaction((tx) => enqueue(tx, [message], options));
  assert.equal(queued?.state, 'queued');
  await say(talk.phone, 'Please stop');
  await app.drain();
  const [row] = await db.query('SELECT state, reason FROM message WHERE id = $1', [queued?.messageId]);
  assert.deepEqual(row, { state: 'failed', reason: 'mayHaveOptedOut' });
});

test('opted out: as by staff, without a confirmation; a repeat changes nothing', async () => {
  const talk = await known();
  await say(talk.phone, 'REMOVE');
  const { version } = await deskOf(talk);
  for (let times = 0; times < 2; times++) await optOutAsked(context, which(talk, version), by);
  await app.drain();
  const desk = await deskOf(talk);
  assert.deepEqual([desk.optedOut, desk.asksToStop, sentTo(talk).length], [true, false, 1]);
  assert.equal((await entriesOf(talk)).filter((action) => action === 'customer.talkStopMeant').length, 1);
  assert.equal((await inboundWorld(app).events('customer.optedOut', talk.phone)).length, 1);
  // Somebody who has opted out asks nothing more.
  await say(talk.phone, 'Stop texting me');
  assert.equal((await deskOf(talk)).asksToStop, false);
});

test('always: two people decide at once, or one after the other differently: one is told', async () => {
  const talk = await known();
  await say(talk.phone, 'unsubscribe me');
  const { version } = await deskOf(talk);
  const both = await Promise.allSettled([
    optOutAsked(context, which(talk, version), by),
    stopNotMeant(context, which(talk, version), by),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const lost = both.find((each) => each.status === 'rejected');
  assert.equal(lost?.reason.errorCode, '000010');
  const { optedOut, asksToStop } = await deskOf(talk);
  assert.deepEqual([optedOut, asksToStop], [both[0]?.status === 'fulfilled', false]);

  const other = await known();
  await say(other.phone, 'ARRET');
  const seen = (await deskOf(other)).version;
  // The customer asks once more: what was decided on was another text.
  await say(other.phone, 'Arrêtez');
  await assert.rejects(stopNotMeant(context, which(other, seen), by), outdated);
  assert.equal((await deskOf(other)).asksToStop, true);
});

test('always: a conversation of another workshop does not exist', async () => {
  const talk = await known();
  await say(talk.phone, 'stop sending me these');
  const elsewhere = { workshopId: await linkedWorkshop(app, [partner]), conversationId: talk.conversationId };
  for (const decide of [optOutAsked, stopNotMeant])
    await assert.rejects(decide(context, elsewhere, by), { errorCode: '040001' });
  assert.equal((await deskOf(talk)).asksToStop, true);
});

test('STOP, an opt-out by anybody, and an erasure end the question; START, an answer and Done do not', async () => {
  for (const end of [
    (talk: Known) => say(talk.phone, 'STOP'),
    (talk: Known) => setOptedOut(context, talk.customerId, true, by),
    (talk: Known) => eraseCustomer(context, talk.customerId, by),
  ]) {
    const talk = await known();
    await say(talk.phone, 'No more texts');
    assert.equal((await deskOf(talk)).asksToStop, true);
    await end(talk);
    assert.equal((await deskOf(talk)).asksToStop, false);
  }
  const talk = await known();
  await say(talk.phone, 'No more texts');
  await say(talk.phone, 'START');
  await markDone(context, which(talk), by);
  const { asksToStop, state } = await deskOf(talk);
  assert.deepEqual([asksToStop, state], [true, 'done']);
});

test('the question goes with a merge, to whoever is kept', async () => {
  const [one, other] = [await known(), await known()];
  await say(other.phone, 'take me off your list');
  const both = [one, other].map(({ customerId }) => ({ customerId })) as [
    { customerId: string },
    { customerId: string },
  ];
  await mergeCustomers(context, { workshopId, both, actor: by });
  assert.equal((await deskOf(one)).asksToStop, true);
  for (const talk of [one, other]) assert.equal((await remind(talk)).body.sms.reason, 'mayHaveOptedOut');
  await optOutAsked(context, which(one), by);
  assert.ok((await optedOutAt(one.phone)) && (await optedOutAt(other.phone)));
});

/** Functions: `campaign_message_changed.sql`, `customer_talk_changed.sql`, `read_talks.sql`, `text_fate.sql`. */
test('always: statements of the previous release, which know of no such question, do right beside it', async () => {
  // The older one is kept.
  const [kept, gone] = [await known(), await known()];
  await say(gone.phone, 'take me off your list');
  // It marks a conversation as done: the question stays.
  await db.query(
    'UPDATE talk SET done_at = clock_timestamp(), version = version + 1 WHERE customer_id = $1',
    [gone.customerId],
  );
  assert.equal((await deskOf(gone)).asksToStop, true);
  // It merges: the mark goes to whom is kept.
  const merge = 'UPDATE customer SET merged_into = $2, phone = phone WHERE id = $1';
  await db.query(merge, [gone.customerId, kept.customerId]);
  assert.equal((await deskOf(kept)).asksToStop, true);
  // It opts out one of the two: that decides.
  await db.query('UPDATE customer SET opted_out_at = clock_timestamp() WHERE id = $1', [gone.customerId]);
  assert.equal((await deskOf(kept)).asksToStop, false);
  // It stores the outcomes that it knows: they mean what they meant.
  const fates = await db.query<{ fate: string }>(
    `SELECT text_fate(state, reason) AS fate FROM (VALUES ('failed', 'optedOut'), ('failed', NULL), ('failed', 'refused'),
        ('failed', 'erased'), ('failed', 'cancelled'), ('undelivered', NULL), ('expired', NULL), ('unknown', NULL), ('accepted', NULL))
        AS its (state, reason)`,
  );
  assert.deepEqual(
    fates.map(({ fate }) => fate),
    ['fine', 'failed', 'failed', 'called off', 'called off', 'failed', 'failed', 'unknown', 'fine'],
  );
  const id = await automation();
  const other = await known();
  await world.trigger(id, { customerId: other.customerId });
  await work();
  const outcome = `UPDATE message SET state = 'failed', reason = $2 WHERE customer_id = $1 AND kind = 'automation'`;
  for (const [reason, status] of [
    ['optedOut', 'skipped'],
    ['refused', 'failed'],
  ] as const) {
    await db.query(
      'DELETE FROM queued_message WHERE message_id IN (SELECT id FROM message WHERE customer_id = $1)',
      [other.customerId],
    );
    await db.query(outcome, [other.customerId, reason]);
    assert.deepEqual(
      (await runs(id)).map((run) => [run.status, run.reason]),
      [[status, reason]],
    );
  }
  // It opts them out: nothing is left to decide.
  await db.query('UPDATE customer SET opted_out_at = clock_timestamp() WHERE id = $1', [kept.customerId]);
  assert.equal((await deskOf(kept)).asksToStop, false);
});

/** A booking of the partner's for that phone, that many hours from now. */
async function book(phone: string, inHours: number): Promise<string> {
  const { body, status } = await partner.call('POST', '/bookings', {
    ...{ workshopId, customerPhone: phone, customerName: 'Sam', customerEmail: 'sam@mail.example' },
    ...{
      carRego: 'ABC123',
      bookingTime: new Date(clock.now().getTime() + inHours * 3_600_000).toISOString(),
    },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.booking.id;
}

test('always: "Cancel" on the day of a booking opts out, and waits for somebody to ask about the booking (specification: Opting out 7)', async () => {
  until(12);
  const talk = await known();
  await book(talk.phone, 30);
  const bookingId = await book(talk.phone, 3);
  await app.drain();
  await say(talk.phone, 'Cancel');
  await app.drain();
  const desk = await deskOf(talk);
  assert.ok(await optedOutAt(talk.phone));
  assert.deepEqual([desk.state, desk.mayHaveMeant?.bookingId], ['waiting', bookingId]);
  assert.match(sentTo(talk).at(-1) ?? '', /you will get no more SMS/);
  assert.ok((await entriesOf(talk)).includes('customer.talkMayHaveMeantBooking'));
  await markDone(context, which(talk, desk.version), by);
  await say(talk.phone, 'Hello?');
  assert.equal((await deskOf(talk)).mayHaveMeant, null, 'that was settled');

  // Other words, another day, a booking that is cancelled: an opt-out as any.
  for (const [word, inHours, status] of [
    ['STOP', 3, 'pending'],
    ['CANCEL', 30, 'pending'],
    ['CANCEL', 3, 'cancelled'],
  ] as const) {
    const other = await known();
    const id = await book(other.phone, inHours);
    await db.query('UPDATE booking SET status = $2 WHERE id = $1', [id, status]);
    await say(other.phone, word);
    const { mayHaveMeant, state, optedOut } = await deskOf(other);
    assert.deepEqual([mayHaveMeant, state, optedOut], [null, 'open', true], `${word} ${inHours} ${status}`);
  }

  // The day is that on which it came in, also of one that is placed later; a button stands for the word.
  for (const [sms, hoursAgo, isMarked] of [
    [{ body: 'Cancel' }, 24, false],
    [{ body: 'No thanks', buttonPayload: 'Cancel' }, 0, true],
  ] as const) {
    const other = await known();
    const id = await book(other.phone, 3);
    const heardAt = new Date(clock.now().getTime() - hoursAgo * 3_600_000);
    const inbound = { ...sms, gatewayId: newId(), from: other.phone, to: sender };
    await db.transaction((tx) => matchSms(tx, 'sandbox', inbound, clock.now(), heardAt));
    const { mayHaveMeant, optedOut } = await deskOf(other);
    assert.deepEqual([mayHaveMeant?.bookingId ?? null, optedOut], [isMarked ? id : null, true], sms.body);
  }
});

test('always: STOP is confirmed within five minutes or not at all (specification: Opting out 3)', async () => {
  const [talk, late] = [await known(), await known()];
  await say(talk.phone, 'STOP');
  const [queued] = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM q.expires_at - q.created_at)::integer AS seconds FROM queued_message q
       JOIN message m ON m.id = q.message_id WHERE m.recipient = $1 AND m.kind = 'confirmation'`,
    [talk.phone],
  );
  assert.equal(queued?.seconds, 300);
  await say(late.phone, 'STOP');
  await db.query(
    `UPDATE queued_message q SET expires_at = clock_timestamp() - interval '1 second' FROM message m
      WHERE m.id = q.message_id AND m.recipient = $1`,
    [late.phone],
  );
  await app.drain();
  assert.deepEqual([sentTo(talk).length, sentTo(late).length], [2, 1]);
  const letters = await db.query(`SELECT FROM dead_letter WHERE job = 'send'`);
  assert.deepEqual(letters, [], 'nobody sends it later');
});

test("a tapback on one of our texts is stored as a reaction, and nothing waits; on another text it is an answer (specification: Customers' answers 7)", async () => {
  const talk = await known('Your car is ready, come by until 5 pm.');
  const before = await deskOf(talk);
  await say(talk.phone, 'Liked “Your car is ready, come by until 5 pm.”');
  await say(talk.phone, 'Removed a like from “Your car is ready, come…”');
  const desk = await deskOf(talk);
  assert.deepEqual([desk.state, desk.version], ['open', before.version]);
  const stored = await db.query(
    `SELECT kind, notice_due FROM message WHERE customer_id = $1 AND direction = 'inbound' ORDER BY id`,
    [talk.customerId],
  );
  assert.deepEqual(stored, Array(2).fill({ kind: 'reaction', noticeDue: false }));
  await say(talk.phone, 'Liked “What somebody else wrote to me”');
  assert.equal((await deskOf(talk)).state, 'waiting');
});

test('HELP and INFO from a number of the US: who texts, where to call and how to stop, once an hour and number (specification: Opting out 9)', async () => {
  const usSender = '+14155550123';
  await linkedWorkshop(app, [partner], {
    name: 'Bay Motors',
    phone: '(415) 555-0199',
    country: 'US',
    smsSender: usSender,
  });
  const phone = '+14155550142';
  const ask = (text: string, more = {}) => answer(phone, text, { to: usSender, ...more });
  const helped = () => app.sms.to(phone).map(({ body }) => body);
  const words = 'Bay Motors: for help call (415) 555-0199. Reply STOP to end.';
  await Promise.all([ask('HELP'), ask('info.'), ask('Help!')]);
  await app.drain();
  assert.deepEqual(helped(), [words]);
  app.advance(3_601);
  await ask('Help');
  await app.drain();
  assert.deepEqual(helped(), [words, words]);
  app.advance(3_601);
  await ask('help me with the tyres');
  await ask('STOP');
  await ask('HELP');
  await app.drain();
  assert.equal(helped().filter((body) => body === words).length, 2, 'not among other words, nor after STOP');
  // In Australia nothing of it is asked for.
  const talk = await known();
  await say(talk.phone, 'HELP');
  await app.drain();
  assert.equal(sentTo(talk).length, 1);
  assert.equal((await deskOf(talk)).state, 'waiting');
});
