/** Long because all of it stands on one workshop and its people: After the e-mail's code, the authenticator app, recovery codes, and what is guessed, replayed, or used half-way. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { actors } from '#base/values/actor.ts';
import { sendAccountEmails } from '#product/notifications/account-emails/send.ts';
import { resetFactors } from '#product/people/factors/remove.ts';
import { useStep } from '#product/people/factors/totp/store.ts';
import { insertSignInAddress } from '#product/people/sessions/address/store.ts';
import { purgeSignIns } from '#product/people/sessions/purge.ts';
import { signInByAddress } from '#product/people/sessions/sign-in.ts';
import { codesIn, halfSignIn, setUpApp, shownBy, wrongCode } from '../../../test/fixtures/factors.ts';
import { baseOf, fieldsOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { visitor } from '../../../test/fixtures/people.ts';
import { secondApp } from '../../../test/fixtures/second-app.ts';
import { codeFor, signInAt, visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { smtp } = readConfig({ SMTP_URL: 'smtp://127.0.0.1:25', PITLANE_MAIL_FROM: 'a@b.example' });
const app = await startTestApp({ config: { smtp } });
const { db } = app.context;
const workshopId = await linkedWorkshop(app, []);
const base = await baseOf(app, workshopId);
const path = '/console/sign-in/second';

const someone = () => signedInPerson(app, [workshopId], 'adviser');

/** Somebody with an authenticator app, and the browser in which they have set it up. */
async function withApp() {
  const kim = await someone();
  const { at } = await signInAt(app, kim.email);
  return { kim, at, ...(await setUpApp(app, at)) };
}

const trailOf = async (personId: string) =>
  (
    await db.query<{ action: string; by: string | null }>(
      `SELECT action, after ->> 'by' AS by FROM audit_entry WHERE subject_id = $1 ORDER BY id`,
      [personId],
    )
  ).map(({ action, by }) => (by === null ? action : `${action} ${by}`));

/** What the e-mails about changes of their sign-in say first. */
async function mailedTo(email: string): Promise<string[]> {
  app.email.clear();
  await sendAccountEmails(app.context);
  const changes = app.email.to(email).filter(({ subject }) => subject === 'Your sign-in was changed');
  return changes.map(({ text }) => text.replaceAll(/\s+/g, ' ').replace(/ If it was not you.*/, ''));
}

test('an authenticator app is set up by a code of it, and asked for after every code from then on (specification: People and their sign-in 8)', async () => {
  const { kim, at, page, seed, recoveryCodes, done } = await withApp();
  assert.match(page, /<svg class="qr" role="img" aria-label="For your phone to scan: the key below"/);
  assert.match(page, /<label for="code">Code<\/label><input id="code"[^>]* autocomplete="one-time-code"/);
  assert.equal(recoveryCodes.length, 10);
  assert.match(done.headers.getSetCookie().join(), /^pitlane=[\w-]{43};/, 'the session has a new id');
  assert.equal((await at.get('/console')).location, `${base}/today`);
  assert.match((await kim.get('/console')).location ?? '', /sign-in/, 'sessions from before have ended');
  assert.match((await at.get('/console/me')).text, /Set up \d{4}-.*not used yet.*10 of 10 are left/s);

  const next = `${base}/week`;
  const other = await halfSignIn(app, kim.email, next);
  const asked = await other.get(`${path}?${new URLSearchParams({ next })}`);
  assert.match(
    asked.text,
    /<label for="code">Authenticator code<\/label><input [^>]* autocomplete="one-time-code"/,
  );
  assert.match(asked.text, /Use a recovery code/);
  app.pass(30);
  const code = shownBy(app, seed);
  const begun = await other.post(path, { code: `${code.slice(0, 3)} ${code.slice(3)}`, next });
  assert.deepEqual([begun.status, begun.location], [303, next]);
  assert.equal((await other.get('/console')).location, `${base}/today`);
  assert.match((await other.get('/console/me')).text, /by a code and the authenticator app/);
  assert.deepEqual(await trailOf(kim.personId), [
    'person.codePrinted',
    ...['person.signedIn code', 'person.totpSet', 'person.recoveryCodesMade'],
    ...['person.codePrinted', 'person.signedIn code totp'],
  ]);
});

test('neither seed nor recovery codes stand anywhere in clear', async () => {
  const { kim, seed, recoveryCodes } = await withApp();
  const rows = await db.query<{ row: string }>(
    `SELECT totp::text AS row FROM totp UNION ALL SELECT recovery_code::text FROM recovery_code
      UNION ALL SELECT audit_entry::text FROM audit_entry UNION ALL SELECT form_key::text FROM form_key`,
  );
  const stored = rows.map(({ row }) => row).join('\n');
  for (const secret of [
    seed.replaceAll(' ', ''),
    ...recoveryCodes.flatMap((each) => [each, each.replaceAll('-', '')]),
  ])
    assert.equal(stored.includes(secret), false);
  assert.equal(rows.length > 12, true);
  assert.deepEqual(await mailedTo(kim.email), [
    'An authenticator app was set up. One from before is of no use any more.',
  ]);
});

test('half-way nobody is signed in: no place, no form, no set-up, and it ends by itself (specification: People and their sign-in 8)', async () => {
  const { kim, seed } = await withApp();
  const at = await halfSignIn(app, kim.email);
  const token = at.cookies['pitlane-browser'] ?? assert.fail();
  for (const place of [
    '/console',
    `${base}/today`,
    '/console/me',
    '/console/me/totp',
    '/console/sign-in/kept',
  ])
    assert.match((await at.get(place)).location ?? '', /^\/console\/sign-in/, place);
  for (const place of [
    '/console/me',
    '/console/me/totp/remove',
    '/console/me/recovery-codes',
    '/console/me/passkeys',
  ])
    assert.match(
      (await at.post(place, { key: 'k'.repeat(20) })).location ?? '',
      /^\/console\/sign-in/,
      place,
    );
  assert.match(
    (await visit(app, {}, { pitlane: token }).get('/console')).location ?? '',
    /sign-in/,
    'what the browser is known by is no session',
  );
  assert.equal((await visit(app).get(path)).location, '/console/sign-in', 'nor is it any other browser’s');
  await db.query('UPDATE half_sign_in SET expires_at = clock_timestamp() WHERE person_id = $1', [
    kim.personId,
  ]);
  app.pass(30);
  assert.equal((await at.post(path, { code: shownBy(app, seed) })).location, '/console/sign-in');
  await purgeSignIns(db);
  assert.deepEqual(await db.query('SELECT FROM half_sign_in WHERE person_id = $1', [kim.personId]), []);
  await halfSignIn(app, kim.email, '', at);
  await at.post('/console/sign-out');
  assert.equal((await at.get(path)).location, '/console/sign-in');
  await halfSignIn(app, kim.email, '', at);
  await signInAt(app, (await someone()).email, '', at);
  assert.equal((await at.get(path)).location, '/console/sign-in', 'somebody else signs in there');
});

test('a code of the app is good once: not for the set-up and then a sign-in, not twice, not by two processes at once (specification: People and their sign-in 10)', async () => {
  const { kim, seed, code: typed } = await withApp();
  const used = await halfSignIn(app, kim.email);
  const again = await used.post(path, { code: typed });
  assert.equal(again.status, 422, 'the code of the set-up');
  assert.match(again.text, /is not right, or was used already/);
  app.pass(60);
  const code = shownBy(app, seed);
  const second = await secondApp(app);
  const browsers = [
    visit(app),
    visit({ ...app, url: second.url }),
    visit(app),
    visit({ ...app, url: second.url }),
  ];
  for (const each of browsers) await halfSignIn(app, kim.email, '', each);
  const answers = await Promise.all(browsers.map((each) => each.post(path, { code })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422, 422]);
  // What the processes race for is one row.
  const [row] = await db.query<{ seedSealed: string; lastStep: number }>(
    'SELECT seed_sealed, last_step::float8 AS last_step FROM totp WHERE person_id = $1',
    [kim.personId],
  );
  const step = { personId: kim.personId, seedSealed: row?.seedSealed ?? '', step: (row?.lastStep ?? 0) + 1 };
  const raced = await Promise.all(Array.from({ length: 8 }, () => db.transaction((tx) => useStep(tx, step))));
  assert.equal(raced.filter(Boolean).length, 1);
});

test('five wrong codes in 15 minutes, whichever process is asked; then the right one is refused too, and a recovery code is not (specification: People and their sign-in 10)', async () => {
  const { kim, seed, recoveryCodes } = await withApp();
  app.pass(60);
  const second = await secondApp(app);
  const at = [
    await halfSignIn(app, kim.email),
    await halfSignIn(app, kim.email, '', visit({ ...app, url: second.url })),
  ];
  const wrong = wrongCode(app, seed);
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, n) => at[n % 2]?.post(path, { code: wrong })),
  );
  const said = guesses.map((answer) =>
    /was wrong too often/.test(answer?.text ?? '') ? 'bounded' : answer?.status,
  );
  assert.deepEqual(said.filter((each) => each === 422).length, 5);
  assert.deepEqual(said.filter((each) => each === 'bounded').length, 7);
  for (const each of at) {
    const late = await each.post(path, { code: shownBy(app, seed) });
    assert.match(late.text, /was wrong too often/);
  }
  assert.equal((await trailOf(kim.personId)).filter((each) => each === 'person.signInFailed totp').length, 5);
  const other = await someone();
  assert.equal(
    (await (await signInAt(app, other.email)).at.get('/console')).status,
    303,
    'others are not held up',
  );
  const done = await at[0]?.post(path, { recoveryCode: recoveryCodes[0] ?? '' });
  assert.deepEqual([done?.status, done?.location], [303, '/console']);
});

test('a recovery code stands in once; its use is mailed, and new ones replace the old (specification: People and their sign-in 11 and 12)', async () => {
  const { kim, at, recoveryCodes } = await withApp();
  await mailedTo(kim.email);
  const [first = '', second = '', third = ''] = recoveryCodes;
  const other = await halfSignIn(app, kim.email);
  const page = await other.get(`${path}?by=recovery-code`);
  assert.match(page.text, /<label for="recoveryCode">Recovery code<\/label>/);
  const typed = first.toLowerCase().replaceAll('-', ' ');
  assert.equal((await other.post(path, { recoveryCode: typed })).location, '/console');
  assert.deepEqual(await mailedTo(kim.email), [
    'A recovery code was used to sign in. It can not be used again.',
  ]);
  assert.match((await other.get('/console/me')).text, /9 of 10 are left.*by a code and a recovery code/s);
  const used = await (await halfSignIn(app, kim.email)).post(path, { recoveryCode: first });
  assert.equal(used.status, 422);
  const both = await Promise.all(
    [await halfSignIn(app, kim.email), await halfSignIn(app, kim.email)].map((each) =>
      each.post(path, { recoveryCode: second }),
    ),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 422]);
  const me = (await at.get('/console/me')).text;
  const renewed = codesIn(
    (await at.post('/console/me/recovery-codes', fieldsOf(me, '/console/me/recovery-codes'))).text,
  );
  assert.equal(new Set([...renewed, ...recoveryCodes]).size, 20);
  const old = await (await halfSignIn(app, kim.email)).post(path, { recoveryCode: third });
  assert.equal(old.status, 422);
  const fresh = await (await halfSignIn(app, kim.email)).post(path, { recoveryCode: renewed[0] ?? '' });
  assert.equal(fresh.status, 303);
  assert.deepEqual(
    (await trailOf(kim.personId)).filter((each) => /recovery/i.test(each)),
    [
      'person.recoveryCodesMade',
      ...['person.recoveryCodeUsed', 'person.signedIn code recoveryCode', 'person.signInFailed recoveryCode'],
      ...['person.recoveryCodeUsed', 'person.signedIn code recoveryCode', 'person.signInFailed recoveryCode'],
      ...['person.recoveryCodesMade', 'person.signInFailed recoveryCode'],
      ...['person.recoveryCodeUsed', 'person.signedIn code recoveryCode'],
    ],
  );
});

test('before the code is right no page tells who has a second factor (specification: People and their sign-in 8)', async () => {
  const { kim } = await withApp();
  const plain = await someone();
  const pages = new Set<string>();
  for (const email of [kim.email, plain.email, 'nobody@mail.example']) {
    const at = visit(app);
    await at.post('/console/sign-in', { email });
    const { status, text } = await at.post('/console/sign-in', { code: 'ZZZZZZZZ' });
    pages.add(`${status} ${text.replaceAll(email, '…')} ${(await at.get(path)).location}`);
  }
  assert.equal(pages.size, 1);
});

test('reset: all factors go, sessions and half-open sign-ins end, and a code alone signs in', async () => {
  const { kim, at } = await withApp();
  const half = await halfSignIn(app, kim.email);
  await mailedTo(kim.email);
  assert.equal(await resetFactors(app.context, actors.operator, kim), 1);
  assert.deepEqual(await mailedTo(kim.email), [
    'All your passkeys, your authenticator app and your recovery codes were removed.',
  ]);
  assert.match((await at.get('/console')).location ?? '', /sign-in/);
  assert.equal((await half.get(path)).location, '/console/sign-in');
  assert.deepEqual(await db.query('SELECT FROM recovery_code WHERE person_id = $1', [kim.personId]), []);
  assert.equal((await signInAt(app, kim.email)).location, '/console');
  assert.ok((await trailOf(kim.personId)).includes('person.factorsReset'));
});

test('where no codes are mailed, nothing about a sign-in is either', async () => {
  const bare = await startTestApp();
  const lee = await signedInPerson(bare, [await linkedWorkshop(bare, [])]);
  await setUpApp(bare, (await signInAt(bare, lee.email)).at);
  await sendAccountEmails(bare.context);
  assert.deepEqual(bare.email.sent, []);
  assert.deepEqual(await bare.context.db.query('SELECT FROM account_email'), []);
  await bare.close();
});

test('the demo’s address asks for no second factor', async () => {
  const { kim } = await withApp();
  const token = randomBytes(32);
  await insertSignInAddress(db, token, kim.personId);
  assert.ok(await signInByAddress(app.context, token, visitor()));
});

test('a code that somebody prints for a person with an app asks for the app too (specification: People and their sign-in 8)', async () => {
  const { kim } = await withApp();
  const at = visit(app);
  const { location } = await at.post('/console/sign-in', {
    email: kim.email,
    code: await codeFor(app, kim.email),
  });
  assert.equal(location, path);
});
