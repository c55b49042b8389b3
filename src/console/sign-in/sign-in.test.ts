/** Signing in and out: the same for every address, by cookies that hold, and without losing what was typed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { sendAccountEmails } from '#product/notifications/account-emails/send.ts';
import { baseOf, signedInPerson } from '../../../test/fixtures/office.ts';
import { codeFor, signInAt, visit } from '../../../test/fixtures/visit.ts';
import { startTestApp } from '../../../test/harness/app.ts';
import { linkedWorkshop } from '../../../test/harness/world.ts';

const { smtp } = readConfig({ SMTP_URL: 'smtp://127.0.0.1:25', PITLANE_MAIL_FROM: 'a@b.example' });
const app = await startTestApp({ config: { smtp } });
const workshopId = await linkedWorkshop(app, []);
const base = await baseOf(app, workshopId);

const someone = () => signedInPerson(app, [workshopId], 'adviser');
async function mailedTo(email: string): Promise<string> {
  app.email.clear();
  await sendAccountEmails(app.context);
  return (
    /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(app.email.to(email)[0]?.text ?? '')?.[0] ?? assert.fail('no e-mail')
  );
}
test('an e-mail address, a code from the e-mail, and one is in', async () => {
  const kim = await someone();
  const at = visit(app);
  const first = await at.get('/console/sign-in');
  assert.match(first.text, /<label for="email">E-mail<\/label>/);
  assert.match(first.text, /<button class="button primary">Send code<\/button>/);
  const asked = await at.post('/console/sign-in', { email: kim.email.toUpperCase() });
  assert.deepEqual([asked.status, asked.location], [303, '/console/sign-in']);
  const { text } = await at.get('/console/sign-in');
  assert.match(
    text,
    /<label for="code">Code<\/label><input id="code" name="code"[^>]* autocomplete="one-time-code"/,
  );
  assert.match(text, /<button class="button primary">Sign in<\/button>/);
  const code = await mailedTo(kim.email);
  const wrong = await at.post('/console/sign-in', { code: 'ZZZZZZZZ' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /is not right, was used, or has run out/);
  const right = await at.post('/console/sign-in', { code: code.toLowerCase() });
  assert.deepEqual([right.status, right.location], [303, '/console']);
  assert.equal((await at.get('/console')).location, `${base}/today`);
  assert.match((await at.get('/console/sign-in')).text, /E-mail/, 'the address that was typed is forgotten');
});

test('the page is the same for every address: known, unknown, and past the bounds (specification: People and their sign-in 4)', async () => {
  const kim = await someone();
  const pages = new Set<string>();
  const statements = new Set<number>();
  for (const email of [kim.email, 'nobody@mail.example', ...Array.from({ length: 7 }, () => kim.email)]) {
    const at = visit(app);
    const { status, location, headers } = await at.post('/console/sign-in', { email });
    statements.add(headers.getSetCookie().length);
    const { text } = await at.get('/console/sign-in');
    pages.add(`${status} ${location} ${text.replaceAll(email, '…')}`);
  }
  assert.equal(pages.size, 1);
  assert.deepEqual([...statements], [2]);
  assert.equal((await visit(app).post('/console/sign-in', { email: 'no address' })).status, 422);
});

test('without a mail server the page says who prints a code, for every address', async () => {
  const bare = await startTestApp();
  const at = visit(bare);
  await at.post('/console/sign-in', { email: 'nobody@mail.example' });
  const { text } = await at.get('/console/sign-in');
  assert.match(
    text,
    /sends no codes by e-mail.*Whoever runs it, or an owner of your workshop, can print one/s,
  );
  assert.deepEqual(await bare.context.db.query('SELECT FROM account_email'), []);
  await bare.close();
});

test('the session is a new one at each sign-in; its cookie is of this host, and no script reads it', async () => {
  const kim = await someone();
  const first = await signInAt(app, kim.email);
  const before = first.at.cookies['pitlane'] ?? assert.fail();
  assert.match(
    first.cookies.join('\n'),
    /^pitlane=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/m,
  );
  const again = await signInAt(app, kim.email, '', first.at);
  assert.notEqual(again.at.cookies['pitlane'], before);
  const old = visit(app, {}, { pitlane: before });
  assert.equal((await old.get('/console')).status, 303);
  assert.match((await old.get('/console')).location ?? '', /sign-in/, 'the one before has ended');
  const stored = await app.context.db.query<{ row: string }>('SELECT session::text AS row FROM session');
  assert.equal(
    stored.some(({ row }) => row.includes(before)),
    false,
  );
});

test('plain http: on this machine alone, unless the setting allows it, and the page says so; https has a cookie of its own (specification: People and their sign-in 5)', async () => {
  const kim = await someone();
  const proxied = { 'x-forwarded-for': '203.0.113.9' };
  const refused = visit(app, proxied);
  assert.match(
    (await refused.get('/console/sign-in')).text,
    /not encrypted, so nobody can sign in over it.*PITLANE_CONSOLE_HTTP=on/s,
  );
  const code = await codeFor(app, kim.email);
  const sent = await refused.post('/console/sign-in', { email: kim.email, code });
  assert.deepEqual([sent.status, sent.headers.getSetCookie()], [422, []]);
  const cookie = { cookie: (await signInAt(app, kim.email)).at.cookies['pitlane'] ?? '' };
  assert.match(
    (await visit(app, proxied, { pitlane: cookie.cookie }).get('/console')).location ?? '',
    /sign-in/,
  );

  const open = await startTestApp({ config: { consoleHttp: true } });
  assert.match(
    (await visit(open, proxied).get('/console/sign-in')).text,
    /This connection is not encrypted: use it/,
  );
  await open.close();

  const secure = await startTestApp({ config: { publicUrl: 'https://office.example' } });
  const at = visit(secure, proxied);
  const person = await signedInPerson(secure, []);
  const theirs = await codeFor(secure, person.email);
  const answer = await at.post('/console/sign-in', { email: person.email, code: theirs });
  assert.match(answer.headers.getSetCookie().join('\n'), /^__Host-pitlane=[\w-]{43}; Path=\/; .*; Secure$/m);
  assert.ok(
    answer.headers.getSetCookie().every((line) => /^__Host-.*; HttpOnly; SameSite=Lax; Secure$/.test(line)),
  );
  // What was signed in over plain http, or set by another host of the site, is nobody there: a sign-out could not end it.
  const plain = visit(secure, {}, { pitlane: at.cookies['__Host-pitlane'] ?? assert.fail() });
  assert.match((await plain.get('/console')).location ?? '', /sign-in/);
  assert.equal((await at.get('/console')).status, 200);
  await at.post('/console/sign-out');
  assert.match((await at.get('/console')).location ?? '', /sign-in/);
  await secure.close();
});

test('it leads on to a path below /console, and nowhere else (specification: People and their sign-in 6)', async () => {
  const kim = await someone();
  const today = `${base}/today?date=2027-03-01`;
  const unsigned = await visit(app).get(today);
  assert.equal(unsigned.location, `/console/sign-in?${new URLSearchParams({ next: today })}`);
  assert.equal((await signInAt(app, kim.email, today)).location, today);
  for (const next of [
    '//evil.example',
    '/console/../docs',
    '/\\evil.example',
    'https://evil.example/console',
  ])
    assert.equal((await signInAt(app, kim.email, next)).location, '/console');
  const { text } = await visit(app).get(
    `/console/sign-in?${new URLSearchParams({ next: '//evil.example' })}`,
  );
  assert.doesNotMatch(text, /evil/);
});

test('a sign-out ends the session here, and clears what the browser keeps (specification: People and their sign-in 5)', async () => {
  const kim = await someone();
  const { at } = await signInAt(app, kim.email);
  const token = at.cookies['pitlane'] ?? assert.fail();
  assert.match((await at.get('/console/sign-out')).text, /<button class="button primary">Sign out<\/button>/);
  const { status, location, headers } = await at.post('/console/sign-out');
  assert.deepEqual(
    [status, location, headers.get('clear-site-data')],
    [303, '/console/sign-in', '"cache", "storage"'],
  );
  assert.equal(at.cookies['pitlane'], undefined);
  assert.match((await visit(app, {}, { pitlane: token }).get('/console')).location ?? '', /sign-in/);
  assert.ok(at.cookies['pitlane-browser'], 'it may still ask for codes when others have used them up');
});

test('a session ends 30 days after its last use, and 90 after its sign-in (specification: People and their sign-in 5)', async () => {
  const kim = await someone();
  const isOpen = async () => (await kim.get('/console')).location === `${base}/today`;
  const set = (column: string, days: number) =>
    app.context.db.query(
      `UPDATE session SET ${column} = clock_timestamp() - make_interval(days => $2) WHERE person_id = $1`,
      [kim.personId, days],
    );
  await set('used_at', 29);
  assert.equal(await isOpen(), true);
  const [row] = await app.context.db.query<{ fresh: boolean }>(
    `SELECT used_at > clock_timestamp() - interval '1 minute' AS fresh FROM session WHERE person_id = $1`,
    [kim.personId],
  );
  assert.equal(row?.fresh, true, 'a use keeps it');
  await set('signed_in_at', 91);
  assert.equal(await isOpen(), false);
  await set('signed_in_at', 89);
  assert.equal(await isOpen(), true);
  await set('used_at', 31);
  assert.equal(await isOpen(), false);
});

test('forms of other sites are refused at the sign-in too', async () => {
  const kim = await someone();
  const code = await codeFor(app, kim.email);
  const elsewhere = visit(app, { 'sec-fetch-site': 'cross-site' });
  const sent = await elsewhere.post('/console/sign-in', { email: kim.email, code });
  assert.deepEqual([sent.status, sent.headers.getSetCookie()], [403, []]);
  assert.equal((await elsewhere.post('/console/sign-out')).status, 403);
});
