/** A bounced e-mail: its notice is undelivered, and an address that does not exist gets no more e-mails until it is corrected. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { signedAddress } from '#platform/gateways/email/signed-address.ts';
import { requireRecord } from '#platform/records/staff/find.ts';
import { bookingRecord } from '#product/bookings/record.ts';
import { emailAgain } from '#product/customers/email-again.ts';
import { findCustomer } from '#product/customers/store.ts';
import { bounceCounts } from '#product/sending/bounce/store.ts';
import { readUnauthenticated } from '#product/sending/unauthenticated/store.ts';
import { refusedLikeAll } from '#product/sending/unauthenticated/words.ts';
import {
  deliveryReport,
  outOfOffice,
  qmailBounce,
  unknownUser,
} from '../../../../../../test/fixtures/bounces.ts';
import { messagingWorld, newPhone } from '../../../../../../test/fixtures/messaging.ts';
import { drain } from '../../../../../../test/harness/drain.ts';
import { expectErrors } from '../../../../../../test/harness/log.ts';
import { bookingBody, linkedWorkshop } from '../../../../../../test/harness/world.ts';
import { partsAtMost } from '../bounds.ts';
import { receiveMail } from '../receive.ts';

const domain = 'reply.pitlane.example';
const { app, partner } = await messagingWorld({ config: { inboundMailDomain: domain } });
const { context, email } = app;
const { db, clock } = context;
const workshopId = await linkedWorkshop(app, [partner], { email: 'desk@garage.example' });

let number = 0;
const newAddress = () => `Sam${++number}@customer.example`;
/** Makes a booking, sends the notices, and returns the customer's e-mail and the customer. */
async function booked({ to = newAddress(), phone = newPhone() } = {}) {
  const body = bookingBody(workshopId, { customerEmail: to, customerPhone: phone });
  const { body: made } = await partner.call('POST', '/bookings', body);
  await app.drain();
  const [row] = await db.query<{ customerId: string }>('SELECT customer_id FROM booking WHERE id = $1', [
    made.booking.id,
  ]);
  const bounceTo = email.to(to).at(-1)?.envelopeSender ?? '';
  return { to, phone, bookingId: made.booking.id, customerId: row?.customerId ?? '', bounceTo };
}
const receive = (to: string, raw: Buffer) => receiveMail(context, { to, sender: '', raw });
const report = (to: string) => deliveryReport([unknownUser(to)]);
async function notice(to: string) {
  const rows = await db.query<{ state: string; reason: string | null; detail: string | null }>(
    'SELECT state, reason, detail FROM message WHERE recipient = $1 ORDER BY id DESC LIMIT 1',
    [to],
  );
  return rows[0];
}
const isMarked = async (customerId: string) => (await findCustomer(db, customerId))?.emailBouncedAt !== null;
test('a bounce about all e-mails is told to the operator once, not at each e-mail, and marks nobody', async () => {
  const said = '550 5.7.515 Access denied, sending domain motors.example does not meet the required level';
  for (const { to, bounceTo, customerId } of [await booked(), await booked()]) {
    const group = [`Final-Recipient: rfc822; ${to}`, 'Action: failed', 'Status: 5.7.515'];
    await receive(bounceTo, deliveryReport([[...group, `Diagnostic-Code: smtp; ${said}`]]));
    const { state, detail } = (await notice(to)) ?? {};
    assert.deepEqual([state, detail], ['undelivered', refusedLikeAll]);
    assert.equal(await isMarked(customerId), false);
  }
  const { count, detail } = (await readUnauthenticated(db)) ?? {};
  assert.equal(count, 2);
  assert.match(detail ?? '', /^5\.7\.515 .*Access denied/);
});

const undelivered = { state: 'undelivered', why: '550 5.1.1 … Recipient address rejected: User unknown' };

test('each e-mail has its own envelope sender; without a domain, or when switched off, it has none', async () => {
  const [one, two] = [await booked(), await booked()];
  assert.match(one.bounceTo, /^bounce\+[0-9a-f]{56}@reply\.pitlane\.example$/);
  assert.notEqual(one.bounceTo, two.bounceTo);
  for (const changes of [{ inboundMailDomain: null }, { bounces: false }]) {
    const to = newAddress();
    await partner.call(
      'POST',
      '/bookings',
      bookingBody(workshopId, { customerEmail: to, customerPhone: newPhone() }),
    );
    await drain({ ...context, config: { ...context.config, ...changes } });
    assert.deepEqual([email.to(to).length, email.to(to)[0]?.envelopeSender], [1, null]);
  }
});

test('a report makes the notice undelivered, with the reason, and marks the address; it gets no e-mail until it is corrected (specification: Notices 13)', async () => {
  const { to, phone, customerId, bounceTo, bookingId } = await booked();
  assert.equal((await notice(to))?.state, 'accepted');
  assert.equal((await requireRecord(db, bookingRecord, bookingId)).emailBounce, null);
  const why = (await receive(bounceTo.toUpperCase(), report(to))) as typeof undelivered;
  assert.deepEqual(why, undelivered);
  assert.deepEqual(await notice(to), { state: 'undelivered', reason: null, detail: undelivered.why });
  const customer = await findCustomer(db, customerId);
  assert.equal((await requireRecord(db, bookingRecord, bookingId)).emailBounce, undelivered.why);
  assert.ok(customer?.emailBouncedAt);
  assert.equal(customer.emailBounce, undelivered.why);

  await booked({ to: to.toLowerCase(), phone });
  assert.equal(email.to(to.toLowerCase()).length, 0);
  assert.deepEqual(await notice(to.toLowerCase()), {
    ...{ state: 'failed', reason: 'invalidAddress' },
    detail: 'An earlier e-mail to this address came back for good.',
  });
  const letters = await db.query('SELECT FROM dead_letter');
  assert.equal(letters.length, 0);

  const corrected = await booked({ phone });
  assert.deepEqual([email.to(corrected.to).length, await isMarked(customerId)], [1, false]);
  // The old address again: its mark is still known.
  await booked({ to, phone });
  assert.deepEqual([email.to(to).length, await isMarked(customerId)], [1, true]);
});

test('always: a repeated bounce changes nothing, even after staff confirm that the address works', async () => {
  const { to, phone, customerId, bounceTo } = await booked();
  const all = await Promise.all([receive(bounceTo, report(to)), receive(bounceTo, report(to))]);
  assert.ok(all.some(({ state }) => state === 'undelivered'));
  await emailAgain({ db, clock }, customerId, actors.operator);
  assert.deepEqual(await receive(bounceTo, report(to)), { state: 'dropped', reason: 'settled' });
  assert.equal(await isMarked(customerId), false);
  await booked({ to, phone });
  assert.equal(email.to(to).length, 2);
});

test('a delay, an automatic answer, and an unreadable e-mail change nothing; a later bounce still counts', async () => {
  const { to, customerId, bounceTo } = await booked();
  const waits = deliveryReport([[`Final-Recipient: rfc822; ${to}`, 'Action: delayed', 'Status: 4.4.1']]);
  assert.deepEqual(await receive(bounceTo, waits), { state: 'delayed' });
  assert.deepEqual(await receive(bounceTo, outOfOffice), { state: 'dropped', reason: 'notABounce' });
  const deep = Buffer.concat([report(to), Buffer.from('\n--b'.repeat(partsAtMost + 1))]);
  assert.deepEqual(await receive(bounceTo, deep), { state: 'dropped', reason: 'notRead' });
  assert.deepEqual([(await notice(to))?.state, await isMarked(customerId)], ['accepted', false]);
  assert.equal((await receive(bounceTo, qmailBounce(to))).state, 'undelivered');
  assert.equal(await isMarked(customerId), true);
});

test('forged bounces: nobody can compute the address of another or a later e-mail', async () => {
  const { to, customerId, bounceTo } = await booked();
  const another = await booked();
  const id = newId();
  const digits = (address: string) => address.slice('bounce+'.length).split('@')[0] ?? '';
  for (const address of [
    bounceTo.replace('bounce', 'reply'),
    `bounce+${digits(bounceTo).slice(0, 32)}${digits(another.bounceTo).slice(32)}@${domain}`,
    signedAddress(context.sealing, { use: 'bounce', id, domain, now: clock.machineNow() }),
    signedAddress(context.sealing, { use: 'reply', id, domain, now: clock.machineNow() }).replace(
      'reply',
      'bounce',
    ),
  ]) {
    assert.deepEqual(
      await receive(address, report(to)),
      { state: 'dropped', reason: 'unknownAddress' },
      address,
    );
  }
  const [attempt] = await db.query<{ id: string }>(
    'SELECT a.id FROM message_attempt a JOIN message m ON m.id = a.message_id WHERE m.recipient = $1',
    [to],
  );
  const old = { use: 'bounce', id: attempt?.id ?? '', domain, now: new Date('2020-01-01') } as const;
  assert.equal((await receive(signedAddress(context.sealing, old), report(to))).state, 'dropped');
  assert.deepEqual([(await notice(to))?.state, await isMarked(customerId)], ['accepted', false]);
});

test('only an address that does not exist is marked, and only the one that the report names', async () => {
  for (const raw of [
    deliveryReport([['Action: failed', 'Status: 5.2.2']]),
    deliveryReport([['Action: failed', 'Status: 5.7.1', 'Diagnostic-Code: smtp; 550 5.7.1 blocked']]),
    // The e-mail was forwarded, and the bounce names the other address.
    report('elsewhere@else.example'),
  ]) {
    const { to, customerId, bounceTo } = await booked();
    assert.equal((await receive(bounceTo, raw)).state, 'undelivered');
    assert.deepEqual([(await notice(to))?.state, await isMarked(customerId)], ['undelivered', false]);
  }
});

test('an address that the mail server refuses during the hand-over is marked too', async () => {
  expectErrors(/5\.1\.1 no such person/);
  const to = newAddress();
  const detail = '550 5.1.1 no such person';
  email.always(to, { state: 'refused', permanent: true, reason: 'invalidAddress', detail });
  const { customerId } = await booked({ to });
  assert.deepEqual(await notice(to), {
    ...{ state: 'failed', reason: 'invalidAddress', detail: '550 5.1.1 no such person' },
  });
  assert.equal((await findCustomer(db, customerId))?.emailBounce, '550 5.1.1 no such person');
});

test('a bounce of an e-mail to a workshop marks nobody; an erasure removes the mark, and a later bounce sets none', async () => {
  const before = (await bounceCounts(db)).addresses;
  const [desk] = email.to('desk@garage.example').slice(-1);
  assert.equal(
    (await receive(desk?.envelopeSender ?? '', report('desk@garage.example'))).state,
    'undelivered',
  );
  assert.equal((await bounceCounts(db)).addresses, before);

  const [marked, late] = [await booked(), await booked()];
  await receive(marked.bounceTo, report(marked.to));
  for (const { customerId } of [marked, late])
    await eraseCustomer({ db, clock }, customerId, actors.operator);
  await receive(late.bounceTo, report(late.to));
  const rows = await db.query(
    'SELECT bounced_email, email_bounced_at, email_bounce FROM customer WHERE id = ANY($1::uuid[])',
    [[marked.customerId, late.customerId]],
  );
  const empty = { bouncedEmail: null, emailBouncedAt: null, emailBounce: null };
  assert.deepEqual(rows, [empty, empty]);
});

test('at most 10 bounces an hour are read about one e-mail; all are counted', async () => {
  const { bounceTo } = await booked();
  const count = async (outcome: string) =>
    (await bounceCounts(db)).byOutcome.find((each) => each.outcome === outcome)?.count ?? 0;
  const [before, many] = [await count('notRead'), await count('tooMany')];
  const unread = Buffer.from('\n--b'.repeat(partsAtMost + 1));
  for (let n = 0; n < 10; n++) await receive(bounceTo, unread);
  assert.deepEqual(await receive(bounceTo, unread), { state: 'dropped', reason: 'tooMany' });
  assert.deepEqual([await count('notRead'), await count('tooMany')], [before + 10, many + 1]);
  const { body } = await app.request('GET', '/metrics');
  assert.match(body, new RegExp(`^pitlane_bounces_total\\{outcome="notRead"\\} ${before + 10}$`, 'm'));
  assert.match(body, /^pitlane_bounced_addresses [1-9]/m);
});
