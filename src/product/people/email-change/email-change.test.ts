/** A change of e-mail address: confirmed at both addresses, without revealing before whether somebody has the new one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { sendAccountEmails } from '#product/notifications/account-emails/send.ts';
import { fieldsOf, type Person, signedInPerson } from '../../../../test/fixtures/office.ts';
import { codeFor, signInAt, visit } from '../../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../../test/harness/world.ts';
import { purgeSignIns } from '../sessions/purge.ts';
import { changeEmail } from './change.ts';

const { smtp } = readConfig({ SMTP_URL: 'smtp://127.0.0.1:25', PITLANE_MAIL_FROM: 'a@b.example' });
const app = await startTestApp({ config: { smtp } });
const { db } = app.context;
const workshopId = await linkedWorkshop(app, []);
const someone = () => signedInPerson(app, [workshopId], 'adviser');
const newAddress = () => `New-${newId()}@mail.example`;

const [path, confirm] = ['/console/me/email', '/console/me/email/confirm'];
/** Requests the change, and hands over what is due. */
async function ask(kim: Pick<Person, 'submit'>, email: string) {
  app.email.clear();
  const answer = await kim.submit('/console/me', path, { email });
  await sendAccountEmails(app.context);
  return answer;
}
/** Excludes sign-in codes. */
const mailTo = (email: string) =>
  app.email.to(email.toLowerCase()).find(({ subject }) => /chang/.test(subject))?.text ?? '';
const codeTo = (email: string) =>
  /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(mailTo(email))?.[0] ?? assert.fail(`no code to ${email}`);
const emailOf = async ({ personId }: Person) =>
  (await db.query<{ email: string }>('SELECT email FROM person WHERE id = $1', [personId]))[0]?.email;
const openSessions = async ({ personId }: Person) =>
  (await db.query('SELECT FROM session WHERE person_id = $1 AND ended_at IS NULL', [personId])).length;

test('both codes change it: other sessions end, both addresses are notified, and the trail records it (specification: People and their sign-in 18)', async () => {
  const kim = await someone();
  const elsewhere = await signInAt(app, kim.email);
  // A code for the old address no longer signs in.
  const printed = await codeFor(app, kim.email);
  const email = newAddress();
  assert.equal((await ask(kim, ` ${email} `)).location, path);
  const page = await kim.get(path);
  assert.match(page.text, /Code from the new address<.*Code from the present address</s);
  const typed = { newCode: codeTo(email).toLowerCase(), presentCode: ` ${codeTo(kim.email)}` };
  assert.doesNotMatch(mailTo(email), /https?:/, 'a link in it can’t be clicked');
  assert.equal((await elsewhere.at.get('/console')).location?.includes('sign-in'), false);
  app.email.clear();
  const form = { ...fieldsOf(page.text, confirm), ...typed };
  const forms = await Promise.all([kim.post(confirm, form), kim.post(confirm, form)]);
  assert.ok(forms.some(({ location }) => location === '/console/me?said=emailChanged'));
  assert.equal(await emailOf(kim), email);
  assert.equal(await openSessions(kim), 1);
  assert.equal((await kim.get('/console/me')).status, 200);
  assert.match((await elsewhere.at.get('/console')).location ?? '', /sign-in/);
  await sendAccountEmails(app.context);
  for (const each of [kim.email, email]) assert.match(mailTo(each), /was changed/, each);
  const trail = await db.query(
    `SELECT FROM audit_entry WHERE subject_id = $1 AND action = 'person.emailChanged' AND actor LIKE 'person %'`,
    [kim.personId],
  );
  assert.equal(trail.length, 1);
  const late = visit(app);
  await late.post('/console/sign-in', { email: kim.email });
  assert.equal((await late.post('/console/sign-in', { code: printed })).status, 422);
  await signInAt(app, email);
});

test('one code is not enough, nor five tries, nor after ten minutes; and neither code signs in (specification: People and their sign-in 18)', async () => {
  const kim = await someone();
  const email = newAddress();
  await ask(kim, email);
  const [newCode, presentCode] = [codeTo(email), codeTo(kim.email)];
  const at = visit(app);
  await at.post('/console/sign-in', { email: kim.email });
  for (const code of [presentCode, newCode])
    assert.equal((await at.post('/console/sign-in', { code })).status, 422);
  const wrong = [
    { newCode, presentCode: newCode },
    { newCode: presentCode, presentCode },
    { newCode: presentCode, presentCode: newCode },
    { newCode, presentCode: '' },
  ];
  for (const typed of wrong) {
    const { status, text } = await kim.submit(path, confirm, typed);
    assert.equal(status, 422);
    assert.match(text, /One code or the other is not right: (?:[432] tries are|one try is) left/);
  }
  const last = await kim.submit(path, confirm, { newCode: 'ZZZZZZZZ', presentCode });
  assert.match(last.text, /ask for the change once more/);
  const over = await kim.post(confirm, { key: newId(), newCode, presentCode });
  assert.equal(over.status, 422);
  assert.equal((await kim.get(path)).location, '/console/me');

  await ask(kim, email);
  const again = { newCode: codeTo(email), presentCode: codeTo(kim.email) };
  await db.query(`UPDATE email_change SET expires_at = clock_timestamp() WHERE person_id = $1`, [
    kim.personId,
  ]);
  assert.equal((await kim.post(confirm, { key: newId(), ...again })).status, 422);
  await purgeSignIns(db);
  assert.deepEqual(await db.query('SELECT FROM email_change WHERE person_id = $1', [kim.personId]), []);
  assert.equal(await emailOf(kim), kim.email);
});

test('an address that somebody has is refused only at the end; until then everything is the same (specification: People and their sign-in 18)', async () => {
  const [kim, jo] = [await someone(), await someone()];
  const seen: string[] = [];
  for (const email of [jo.email, newAddress()]) {
    const { status, location } = await ask(kim, email);
    const { text } = await kim.get(path);
    const rows = await db.query('SELECT FROM sign_in_code WHERE email IN ($1, $2)', [
      email.toLowerCase(),
      kim.email,
    ]);
    const mails = [email, kim.email].map((each) =>
      mailTo(each).replace(codeTo(each), '…').replaceAll(each, '…'),
    );
    seen.push(
      `${status} ${location} ${rows.length} ${mails} ${text.replaceAll(email, '…').replaceAll(/value="[^"]*"/g, '')}`,
    );
  }
  assert.equal(new Set(seen).size, 1, seen.join('\n'));
  await ask(kim, jo.email.toUpperCase());
  const typed = { newCode: codeTo(jo.email), presentCode: codeTo(kim.email) };
  const { status, text } = await kim.submit(path, confirm, typed);
  assert.equal(status, 422);
  assert.match(text, /another person signs in with this e-mail address already/);
  assert.equal(await emailOf(kim), kim.email);
  assert.equal((await kim.get(path)).location, '/console/me');
});

test('it requires a fresh sign-in and a valid address, at most five times an hour', async () => {
  const kim = await someone();
  for (const [email, said] of [
    ['no address', /E-mail is not an e-mail address/],
    [kim.email, /E-mail is your address already/],
  ] as const) {
    const refused = await ask(kim, email);
    assert.equal(refused.status, 422);
    assert.match(refused.text, said);
  }
  const answers = [];
  for (let n = 0; n < 6; n++) answers.push((await ask(kim, newAddress())).status);
  assert.deepEqual(answers, [303, 303, 303, 303, 303, 422]);
  await db.query(
    `UPDATE session SET signed_in_at = signed_in_at - interval '16 minutes' WHERE person_id = $1`,
    [kim.personId],
  );
  assert.equal((await ask(kim, newAddress())).location, '/console/sign-in');
  assert.equal((await kim.submit(path, confirm, { newCode: 'x' })).location, '/console/sign-in');
});

test('without e-mails the page says who can change it; the operator can, and all sessions end', async () => {
  const bare = await startTestApp();
  const kim = await signedInPerson(bare, []);
  assert.match(
    (await kim.get('/console/me')).text,
    /sends no codes by e-mail: whoever runs it changes your address/,
  );
  const refused = await kim.post(path, { key: newId(), email: 'kim@mail.example' });
  assert.match(refused.text, /E-mail is changed by whoever runs this installation/);
  const jo = await signedInPerson(bare, []);
  const to = (email: string) => changeEmail(bare.context, actors.operator, kim.email, email);
  await assert.rejects(
    to(jo.email.toUpperCase()),
    /another person signs in with this e-mail address already/,
  );
  await assert.rejects(to('kim'), /not an e-mail address/);
  assert.deepEqual(await to('kim@mail.example'), { personId: kim.personId, email: 'kim@mail.example' });
  assert.match((await kim.get('/console')).location ?? '', /sign-in/);
  await bare.close();
});
