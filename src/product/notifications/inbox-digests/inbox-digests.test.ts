/** Inbox digests report customers' answers to the workshop by SMS or e-mail, as it chooses. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { phoneIn } from '#base/values/phone.ts';
import { eraseCustomer } from '#operation/erasure/erase-customer.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { setWorkshop } from '#product/workshops/set.ts';
import type { SettingsInput } from '#product/workshops/settings.ts';
import { inboundWorld } from '../../../../test/fixtures/inbound.ts';
import { messagingWorld, newPhone } from '../../../../test/fixtures/messaging.ts';
import { expectErrors } from '../../../../test/harness/log.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { enqueueInboxDigests } from './enqueue.ts';

const { app, partner, customer } = await messagingWorld();
const { answer, conversations } = inboundWorld(app);
const { context, sms, email } = app;
const { db, clock } = context;

/** In the notation that the workshop reads. */
const dialled = (phone: string) => phoneIn('AU', phone);

let number = 0;
/** A workshop with its own addresses that gets digests by the channels it chose. */
async function workshop(settings: SettingsInput = {}) {
  number++;
  const smsSender = `+6148889${1000 + number}`;
  const own = {
    smsSender,
    name: `Garage ${number}`,
    email: `desk${number}@garage.example`,
    phone: newPhone(),
  };
  const id = await linkedWorkshop(app, [partner], { ...own, ...settings });
  return { id, ...own };
}
const tell = async () => {
  await enqueueInboxDigests(context);
  await app.drain();
};
const fiveMinutesLater = (id: string) =>
  db.query(`UPDATE workshop SET answers_told_at = answers_told_at - interval '301 seconds' WHERE id = $1`, [
    id,
  ]);

test('always: by e-mail by default: the sender and the text of each answer', async () => {
  const { smsSender: to, email: desk, phone: desks, id } = await workshop();
  const { phone } = await customer({ workshopId: id, name: 'Ava <b>Nguyen</b>' });
  await answer(phone, 'Yes & <i>please</i>', { to });
  await tell();
  const [sent, ...rest] = email.to(desk);
  assert.deepEqual([sent?.subject, rest], [`1 new answer from Ava <b>Nguyen</b> ${dialled(phone)}`, []]);
  assert.match(sent?.text ?? '', new RegExp(`Ava <b>Nguyen</b> ${dialled(phone)}:\nYes & <i>please</i>\n`));
  assert.match(sent?.html ?? '', /Yes &amp; &lt;i&gt;please&lt;\/i&gt;/);
  assert.doesNotMatch(sent?.html ?? '', /<b>|<i>/);
  assert.deepEqual(sms.to(desks), []);
  await tell();
  assert.equal(email.to(desk).length, 1);
});

for (const [way, bySms, byEmail] of [
  ['email', 0, 1],
  ['sms', 1, 0],
  ['both', 1, 1],
  ['off', 0, 0],
] as const) {
  test(`--inbox-notices ${way}: ${bySms} SMS, ${byEmail} e-mails`, async () => {
    const { smsSender: to, email: desk, phone: desks, name } = await workshop({ inboxNotices: way });
    const phone = newPhone();
    await answer(phone, 'Hello', { to });
    await tell();
    assert.deepEqual([sms.to(desks).length, email.to(desk).length], [bySms, byEmail]);
    if (bySms) {
      const [sent] = sms.to(desks);
      assert.deepEqual([sent?.body, sent?.from], [`${name}: 1 new answer from ${dialled(phone)}.`, to]);
    }
  });
}

test('it goes to the recipients of the workshop’s notices, one message each', async () => {
  const [first, second] = [newPhone(), newPhone()];
  const {
    smsSender: to,
    phone: desks,
    email: desk,
  } = await workshop({
    inboxNotices: 'both',
    notifyPhones: [first, second],
    notifyEmails: ['one@garage.example', 'two@garage.example'],
  });
  await answer(newPhone(), 'Hello', { to });
  await tell();
  assert.deepEqual(
    [first, second, desks].map((phone) => sms.to(phone).length),
    [1, 1, 0],
  );
  const mails = ['one@garage.example', 'two@garage.example', desk].map((address) => email.to(address).length);
  assert.deepEqual(mails, [1, 1, 0]);
});

test('always: at most one in five minutes, which reports all answers since the last: how many, and from whom', async () => {
  const { id, smsSender: to, phone: desks } = await workshop({ inboxNotices: 'sms' });
  await answer(newPhone(), 'first', { to });
  await tell();
  const phones = Array.from({ length: 5 }, () => newPhone());
  for (const phone of phones) for (const text of ['a', 'b']) await answer(phone, text, { to });
  await tell();
  assert.equal(sms.to(desks).length, 1);
  await fiveMinutesLater(id);
  await Promise.all(Array.from({ length: 5 }, tell));
  const [, second, ...rest] = sms.to(desks);
  assert.match(second?.body ?? '', /: 10 new answers from [\d ]+, [\d ]+, [\d ]+ and 2 others\.$/);
  assert.ok(phones.slice(0, 3).every((phone) => second?.body.includes(dialled(phone))));
  assert.deepEqual(rest, []);
  await fiveMinutesLater(id);
  await tell();
  assert.equal(sms.to(desks).length, 2, 'without new answers there is no digest');
});

test('answers that came while digests were switched off are not reported later', async () => {
  const { id, smsSender: to, email: desk } = await workshop({ inboxNotices: 'off' });
  await answer(newPhone(), 'Hello', { to });
  await setWorkshop({ db, clock }, id, { inboxNotices: 'email' }, actors.operator);
  await tell();
  assert.deepEqual(email.to(desk), []);
});

test('always: one workshop does not wait for another', async () => {
  const [one, two] = [await workshop(), await workshop()];
  await answer(newPhone(), 'Hello', { to: one.smsSender });
  await tell();
  await answer(newPhone(), 'Hello', { to: two.smsSender });
  await tell();
  assert.equal(email.to(two.email).length, 1);
});

test('a long e-mail shows the first fifty answers and their total number', async () => {
  const { smsSender: to, email: desk } = await workshop();
  const phone = newPhone();
  for (let i = 0; i < 52; i++) await answer(phone, `text ${i};`, { to });
  await tell();
  const text = email.to(desk)[0]?.text ?? '';
  assert.match(text, /^Garage \d+ has 52 new answers from [\d ]+\. The first 50:/);
  assert.ok(text.includes('text 49;') && !text.includes('text 50;'));
});

test('its outcome is stored: retries, finally a dead letter, and delivery reports', async () => {
  expectErrors(/"detail":"No\."/);
  const { id, smsSender: to, phone: desks } = await workshop({ inboxNotices: 'sms' });
  const state = () =>
    db.query<object>(
      `SELECT state, reason, attempts FROM message WHERE workshop_id = $1 AND kind = 'inboxDigest' ORDER BY id DESC LIMIT 1`,
      [id],
    );
  await answer(newPhone(), 'one', { to });
  sms.next({ state: 'refused', permanent: false, reason: 'temporarilyRefused', detail: 'Later.' });
  await tell();
  assert.deepEqual(await state(), [{ state: 'failed', reason: 'temporarilyRefused', attempts: 1 }]);
  await app.drain({ retries: true });
  assert.deepEqual(await state(), [{ state: 'accepted', reason: null, attempts: 2 }]);
  const reference = sms.to(desks)[1]?.reference ?? '';
  await recordReport({ db, clock }, 'recorded', { reference, state: 'delivered', detail: null });
  assert.deepEqual(await state(), [{ state: 'delivered', reason: null, attempts: 2 }]);

  await fiveMinutesLater(id);
  await answer(newPhone(), 'two', { to });
  sms.next({ state: 'refused', permanent: true, reason: 'refused', detail: 'No.' });
  await tell();
  assert.deepEqual(await state(), [{ state: 'failed', reason: 'refused', attempts: 1 }]);
  assert.ok((await listDeadLetters(db)).some(({ job }) => job === 'send'));
});

test('always: a digest with an unknown outcome is reconciled, and not sent again when the gateway has it', async () => {
  const { id, smsSender: to, phone: desks } = await workshop({ inboxNotices: 'sms' });
  await answer(newPhone(), 'one', { to });
  sms.next((sent) => {
    sms.setLookUp(sent.reference, { state: 'accepted', gatewayId: 'found' });
    return { state: 'unknown', detail: 'No answer.' };
  });
  await tell();
  await app.drain({ retries: true });
  assert.equal(sms.to(desks).length, 1);
  const rows = await db.query(
    `SELECT m.state, a.gateway_id FROM message m JOIN message_attempt a ON a.id = m.attempt_id
      WHERE m.workshop_id = $1 AND m.kind = 'inboxDigest'`,
    [id],
  );
  assert.deepEqual(rows, [{ state: 'accepted', gatewayId: 'found' }]);
});

test('it contains nothing of a person who was erased before it was sent', async () => {
  const { smsSender: to, email: desk } = await workshop();
  const phone = newPhone();
  await answer(phone, 'my secret', { to });
  await enqueueInboxDigests(context);
  await eraseCustomer({ db, clock }, (await conversations(phone))[0]?.customerId ?? '', actors.operator);
  await app.drain();
  const [sent] = email.to(desk);
  assert.equal(sent?.subject, '1 new answer from Erased');
  assert.doesNotMatch(`${sent?.text}${sent?.html}`, new RegExp(`secret|\\${phone}`));
});
