/** E-mails about an account when the mail server is away, refuses them, or the address changes meanwhile. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { discardDeadLetter, retryDeadLetter } from '#dead-letters.ts';
import type { EmailOutcome } from '#platform/gateways/email/gateway.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { askForCode } from '#product/people/codes/ask.ts';
import { changeEmail } from '#product/people/email-change/change.ts';
import { noteChange } from '#product/people/factors/note.ts';
import { removePerson } from '#product/people/remove.ts';
import { purgeSignIns } from '#product/people/sessions/purge.ts';
import { workContext } from '../../../../test/fixtures/booking-events.ts';
import { newPerson, newWorkshop } from '../../../../test/fixtures/people.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { expectErrors, testLog } from '../../../../test/harness/log.ts';
import { sendAccountEmails } from './send.ts';

const { db } = await createTestDatabase();
const plain = workContext(db);
const smtp = readConfig({ SMTP_URL: 'smtp://127.0.0.1:25', PITLANE_MAIL_FROM: 'a@b.example' }).smtp;
const ctx = { ...plain, config: { ...plain.config, smtp }, log: testLog() };
const { email: gateway } = ctx;
const workshopId = await newWorkshop(db);
expectErrors(/an account e-mail is given up/);

const away: EmailOutcome = {
  ...{ state: 'refused', permanent: false, reason: 'gatewayUnavailable' },
  detail: "The mail server can't be reached",
};
const refused = (to: string): EmailOutcome => ({
  ...{ state: 'refused', permanent: true, reason: 'invalidAddress', detail: `550 no such person: ${to}` },
});

let count = 0;
const newAddress = () => `kim${++count}@mail.example`;
/** A person whose invitation waits. */
async function invited() {
  const email = newAddress();
  const { personId } = await newPerson(db, email, { workshopId, role: 'adviser' });
  return { email, personId };
}
/** One whose invitation was sent. */
async function known() {
  const kim = await invited();
  await sendAccountEmails(ctx);
  gateway.clear();
  return kim;
}
const passkeyAdded = (kim: { readonly personId: string; readonly email: string }) =>
  db.transaction((tx) =>
    noteChange(tx, {
      ...kim,
      actor: actors.person(kim.personId, 'r-1'),
      what: 'passkeyAdded',
      at: new Date(),
    }),
  );
const waiting = () =>
  db.query<{ kind: string; email: string; tries: number; waitsMs: number }>(
    `SELECT kind, email, tries, (extract(epoch FROM due_at) - extract(epoch FROM clock_timestamp()))::float8 * 1000 AS waits_ms FROM account_email
      ORDER BY kind, email`,
  );
const makeDue = () =>
  db.query(`UPDATE account_email SET due_at = clock_timestamp() WHERE due_at < 'infinity'`);
const subjects = (email: string) => gateway.to(email).map(({ subject }) => subject);
/** Machine time passes for what waits. */
const age = (by: string) => db.query('UPDATE account_email SET queued_at = queued_at - $1::interval', [by]);

beforeEach(async () => {
  await db.query('DELETE FROM account_email');
  await db.query('DELETE FROM dead_letter');
  gateway.clear();
});

test('always: a mail server that is away for an hour: the warning of a taken account, a change and an invitation go out once it is back (specification: People and their sign-in 21)', async () => {
  const kim = await known();
  const email = newAddress();
  await passkeyAdded(kim);
  await changeEmail(ctx, actors.operator, kim.personId, email);
  const sam = await invited();
  const all = [kim.email, email, sam.email];
  for (const each of all) gateway.always(each, away);
  for (let minutes = 0; minutes < 60; ) {
    await makeDue();
    await sendAccountEmails(ctx);
    const left = await waiting();
    assert.equal(left.length, 4);
    const waitsMs = Math.max(...left.map((each) => each.waitsMs));
    assert.ok(waitsMs > 4_000 && waitsMs < 20 * 60_000, `${waitsMs}`);
    await age(`${Math.round(waitsMs)} ms`);
    minutes += waitsMs / 60_000;
  }
  assert.deepEqual(await listDeadLetters(db), []);
  gateway.clear();
  await makeDue();
  await Promise.all([sendAccountEmails(ctx), sendAccountEmails(ctx)]);
  await makeDue();
  await sendAccountEmails(ctx);
  const changed = 'Your e-mail address to sign in with was changed';
  // What reports the passkey goes to the address that it was queued for: whoever has the account now may not be who had it.
  assert.deepEqual(subjects(kim.email).sort(), [changed, 'Your sign-in was changed']);
  assert.deepEqual(subjects(email), [changed]);
  assert.deepEqual(subjects(sam.email), ['You can sign in to Carlton Motors']);
  assert.deepEqual(await waiting(), []);
});

test('always: what the mail server was not asked costs no try', async () => {
  const kim = await invited();
  gateway.always(kim.email, { ...away, notAsked: true, retryAfterMs: 5_000 });
  for (let n = 0; n < 3; n++) {
    await makeDue();
    await sendAccountEmails(ctx);
  }
  const [left] = await waiting();
  assert.equal(left?.tries, 0);
  assert.ok(left.waitsMs > 3_000 && left.waitsMs <= 5_000);
});

test('always: after a day it is given up: a dead letter, which is retried with another day before it (specification: People and their sign-in 21)', async () => {
  const kim = await known();
  await passkeyAdded(kim);
  gateway.always(kim.email, away);
  await sendAccountEmails(ctx);
  await age('24 hours');
  await makeDue();
  await sendAccountEmails(ctx);
  const [letter = assert.fail('no letter'), ...more] = await listDeadLetters(db);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [letter.job, letter.reason, letter.attempts],
    ['sendAccountEmail', 'gatewayUnavailable', 2],
  );
  gateway.clear();
  await makeDue();
  await sendAccountEmails(ctx);
  assert.deepEqual(gateway.sent, [], 'it waits for the operator');

  assert.equal(await retryDeadLetter(ctx, actors.operator, letter.id), true);
  gateway.next(away);
  await sendAccountEmails(ctx);
  assert.deepEqual(await listDeadLetters(db), []);
  await makeDue();
  await sendAccountEmails(ctx);
  assert.equal(gateway.to(kim.email).length, 2);
  assert.deepEqual(await waiting(), []);
});

test('always: a refusal for good is a dead letter at once, without the address; discarded, the e-mail is gone (specification: People and their sign-in 21)', async () => {
  const kim = await known();
  await passkeyAdded(kim);
  gateway.always(kim.email, refused(kim.email));
  await sendAccountEmails(ctx);
  const [letter = assert.fail('no letter')] = await listDeadLetters(db);
  assert.deepEqual([letter.reason, letter.attempts], ['invalidAddress', 1]);
  assert.match(letter.detail ?? '', /no such person/);
  assert.doesNotMatch(JSON.stringify(letter), /@/);
  assert.equal(await discardDeadLetter(ctx, actors.operator, letter.id), true);
  assert.deepEqual(await waiting(), []);
});

test('an invitation leads through the sign-in to its own workshop, and promises no code where none is mailed (specification: People and their sign-in 23)', async () => {
  const url = 'https://office.example';
  const sent = async (config: object) => {
    const { email } = await invited();
    await sendAccountEmails({ ...ctx, config: { ...ctx.config, publicUrl: url, ...config } });
    return gateway.to(email)[0] ?? assert.fail('no invitation');
  };
  const [workshop] = await db.query<{ slug: string }>('SELECT slug FROM workshop WHERE id = $1', [
    workshopId,
  ]);
  const { text, html } = await sent({});
  const link = `${url}/console/sign-in?next=/console/w/${workshop?.slug}/today`;
  assert.ok(text.includes(link) && html.includes(`href="${link}"`), text);
  assert.match(text, /a code is sent to it each time/);
  const open = await sent({ sandboxForced: true, smsGateways: [] });
  assert.match(open.text, /whoever has added you prints a code for it each time/);
});

test('an invitation goes to the new address when the address changes straight afterwards, also once it was given up (specification: People and their sign-in 21)', async () => {
  const kim = await invited();
  const email = newAddress();
  await changeEmail(ctx, actors.operator, kim.personId, email);
  await sendAccountEmails(ctx);
  const invitation = 'You can sign in to Carlton Motors';
  assert.ok(subjects(email).includes(invitation));
  assert.equal(subjects(kim.email).includes(invitation), false, 'with that one nobody signs in');

  const sam = await invited();
  gateway.always(sam.email, refused(sam.email));
  await sendAccountEmails(ctx);
  assert.equal((await listDeadLetters(db)).length, 1);
  const right = newAddress();
  await changeEmail(ctx, actors.operator, sam.personId, right);
  assert.deepEqual(await listDeadLetters(db), []);
  gateway.clear();
  await sendAccountEmails(ctx);
  assert.ok(subjects(right).includes(invitation));
});

test('what a process of the previous release has queued goes out, an invitation too whose address that one changed', async () => {
  const kim = await known();
  const insert = (kind: string, to: string) =>
    db.query(
      `INSERT INTO account_email (id, kind, email, workshop_id, due_at) VALUES ($1, $2, $3, $4, clock_timestamp())`,
      [newId(), kind, to, kind === 'invitation' ? workshopId : null],
    );
  await insert('emailChanged', kim.email);
  const former = newAddress();
  await insert('invitation', former);
  await sendAccountEmails(ctx);
  assert.deepEqual([subjects(kim.email).length, subjects(former).length], [1, 1]);
});

test('a code is given up after six tries, and is never in a dead letter (specification: People and their sign-in 21)', async () => {
  const kim = await known();
  await askForCode(ctx, { email: kim.email, browserSha256: randomBytes(32), address: '198.51.100.7' });
  gateway.always(kim.email, away);
  for (let n = 0; n < 6; n++) {
    assert.equal((await waiting()).length, 1);
    await makeDue();
    await sendAccountEmails(ctx);
  }
  assert.deepEqual([await waiting(), await listDeadLetters(db)], [[], []]);
});

test('the removal of a person deletes what was given up, with its letter; so does a month (specification: People and their sign-in 21)', async () => {
  for (const end of [
    ({ personId }: { readonly personId: string }) => removePerson(ctx, actors.operator, personId),
    async () => {
      await age('29 days');
      await purgeSignIns(db);
      assert.equal((await waiting()).length, 1);
      await age('1 day');
      await purgeSignIns(db);
    },
  ]) {
    const kim = await invited();
    gateway.always(kim.email, refused(kim.email));
    await sendAccountEmails(ctx);
    assert.equal((await listDeadLetters(db)).length, 1);
    await end(kim);
    assert.deepEqual([await waiting(), await listDeadLetters(db)], [[], []]);
  }
});
