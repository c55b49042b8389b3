/** `pitlane person`: in words, as JSON, with bad options, of people who are not known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { readConfig } from '#base/config.ts';
import { loadSealing } from '#base/sealing.ts';
import { newId } from '#base/values/id.ts';
import { signInByCode } from '#product/people/sessions/sign-in.ts';
import { visitor } from '../fixtures/people.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld, find } from './world.ts';

const { db, env: bare, partnerId, workshopId } = await commandWorld();
const env = { ...bare, PITLANE_SECRET_KEY: 'b2'.repeat(32) };
const sealing = loadSealing(readConfig(env));
const owner = ['--workshop', 'base', '--role', 'owner'];
let count = 0;
const add = (...more: string[]) => {
  const email = `kim${++count}@mail.example`;
  return json(['person', 'add', '--email', email, '--name', 'Kim Lee', ...more], env);
};
const signIn = async (email: string, code: string) =>
  signInByCode({ db, clock: systemClock(), sealing }, { email, code }, visitor());

test('add says whether an e-mail tells them, and the way in (specification: People and their sign-in 22)', async () => {
  const command = (email: string) => ['person', 'add', '--email', email, '--name', 'Jo Park', ...owner];
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', PITLANE_MAIL_FROM: 'Pitlane <noreply@pitlane.example>' };
  const said = async (email: string, more: typeof env | object) =>
    (await succeed(command(email), { ...env, ...more })).stderr;
  assert.match(
    await said('told1@mail.example', {}),
    /^No e-mail tells them: this installation has no mail server; pitlane person code prints a code/m,
  );
  assert.match(await said('told2@mail.example', mail), /^An e-mail tells them; pitlane person code/m);
  assert.match(await said('told2@mail.example', mail), /^No e-mail tells them: they had this place already/m);
  const open = { ...mail, PITLANE_SANDBOX: 'on' };
  assert.match(await said('told3@mail.example', open), /^An e-mail tells them, but .* mails no codes/m);
  assert.equal((await json(command('told4@mail.example'), env)).invitation, 'noMailServer');
});

test('add, and again: a workshop, a partner, an operator', async () => {
  const made = await add(...owner);
  assert.deepEqual(Object.keys(made), [
    ...['personId', 'email', 'name', 'operator', 'workshops', 'partners', 'createdAt', 'invitation'],
  ]);
  const place = { workshopId, slug: 'base', name: 'Carlton Motors' };
  assert.deepEqual(made.workshops, [{ ...place, role: 'owner', mayText: true, seesPhones: true }]);
  const again = ['person', 'add', '--email', made.email.toUpperCase()];
  await json([...again, '--partner', partnerId], env);
  await json([...again, '--operator'], env);
  const shown = await json(['person', 'show', made.email], env);
  assert.deepEqual([shown.partners, shown.operator, shown.workshops.length], [[partnerId], true, 1]);
  const { stdout } = await succeed(['person', 'show', made.personId], env);
  assert.match(stdout, new RegExp(`^places +base \\(owner\\), partner ${partnerId}, operator$`, 'm'));
  const second = await add(
    '--workshop',
    workshopId,
    '--role',
    'viewer',
    '--may-text',
    'on',
    '--sees-phones',
    'on',
  );
  assert.deepEqual([second.workshops[0].mayText, second.workshops[0].seesPhones], [true, true]);
});

test('list: of everybody, of a workshop, of a partner', async () => {
  const mine = await add(...owner);
  const theirs = await add('--partner', partnerId);
  const emails = async (...more: string[]) =>
    (await json(['person', 'list', ...more], env)).map(({ email }: { email: string }) => email);
  const ofWorkshop = await emails('--workshop', 'base');
  assert.deepEqual([ofWorkshop.includes(mine.email), ofWorkshop.includes(theirs.email)], [true, false]);
  const ofPartner = await emails('--partner', partnerId);
  assert.deepEqual([ofPartner.includes(mine.email), ofPartner.includes(theirs.email)], [false, true]);
  const all = await json(['person', 'list', '--all'], env);
  assert.ok(find(all, 'email', mine.email) && find(all, 'email', theirs.email));
  assert.match((await succeed(['person', 'list'], env)).stdout, /base \(owner\)/);
});

test('code: eight characters that sign in, once, under no bound', async () => {
  const { email, personId } = await add(...owner);
  for (let n = 0; n < 12; n++) await json(['person', 'code', email], env);
  const printed = await json(['person', 'code', email.toUpperCase()], env);
  assert.deepEqual(Object.keys(printed), ['code', 'expiresAt']);
  assert.match(printed.code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
  const minutes = (Date.parse(printed.expiresAt) - Date.now()) / 60_000;
  assert.ok(minutes > 9 && minutes <= 10.1, String(minutes));
  const begun = await signIn(email, printed.code);
  assert.ok(begun !== null && begun !== 'secondFactor');
  assert.equal(begun.personId, personId);
  assert.equal(await signIn(email, printed.code), null);
  assert.match((await succeed(['person', 'code', email], env)).stdout, /^code +\w{8}\nexpiresAt +\d{4}-/);
});

test('sessions, sign-out, reset-factors', async () => {
  const { email, personId } = await add(...owner);
  await signIn(email, (await json(['person', 'code', email], env)).code);
  const [session] = await json(['person', 'sessions', email], env);
  assert.deepEqual(
    [session.network, session.browser, session.endedAt],
    ['203.0.113.0/24', 'Firefox 144 on Linux', null],
  );
  assert.deepEqual(await json(['person', 'sign-out', email], env), { personId, email, ended: 1 });
  assert.notEqual((await json(['person', 'sessions', email], env))[0].endedAt, null);
  assert.match((await succeed(['person', 'sessions', email], env)).stdout, /Firefox 144 on Linux/);
  const passkey = `INSERT INTO passkey (id, person_id, credential_id, public_key, counter, transports, host, name, created_at)
    VALUES ($1, $2, 'a credential', '\\x00', 0, '{}', 'old.example', 'Laptop', clock_timestamp())`;
  await db.query(passkey, [newId(), personId]);
  await db.query(`INSERT INTO recovery_code (person_id, code_sha256) VALUES ($1, '\\x00')`, [personId]);
  assert.match((await succeed(['doctor'], env)).stdout, /1 passkeys were made for another host/);
  await signIn(email, (await json(['person', 'code', email], env)).code);
  const half = () => db.query('SELECT FROM half_sign_in WHERE person_id = $1', [personId]);
  assert.equal((await half()).length, 1, 'a printed code asks for the second factor too');
  assert.deepEqual(await json(['person', 'reset-factors', email], env), { personId, email, removed: 1 });
  assert.deepEqual(await half(), []);
  assert.deepEqual(await db.query('SELECT FROM recovery_code WHERE person_id = $1', [personId]), []);
  assert.deepEqual(await json(['person', 'reset-factors', email], env), { personId, email, removed: 0 });
  await signIn(email, (await json(['person', 'code', email], env)).code);
  assert.equal((await json(['person', 'sessions', email], env))[0].signedInBy, 'code');
});

test('a workshop requires a second factor, or not', async () => {
  const state = (...given: string[]) => json(['workshop', 'second-factor', 'base', ...given], env);
  assert.equal((await state()).secondFactor, 'optional');
  assert.equal((await state('required')).secondFactor, 'required');
  assert.equal((await state()).secondFactor, 'required');
  assert.equal((await state('optional')).secondFactor, 'optional');
  await fail(['workshop', 'second-factor', 'base', 'maybe'], env, 2, /required or optional/);
});

test('email: another address, which signs in from then on; their sessions end', async () => {
  const { email, personId } = await add(...owner);
  const other = await add(...owner);
  await signIn(email, (await json(['person', 'code', email], env)).code);
  const next = `new.${email}`;
  assert.deepEqual(await json(['person', 'email', email, next], env), { personId, email: next });
  assert.notEqual((await json(['person', 'sessions', next], env))[0].endedAt, null);
  await fail(['person', 'email', email, next], env, 1, /there is no person/);
  await fail(
    ['person', 'email', next, other.email],
    env,
    1,
    /another person signs in with this e-mail address/,
  );
  await fail(['person', 'email', next, 'x'], env, 1, /"x" is not an e-mail address/);
});

test('remove: from a workshop, from a partner, altogether', async () => {
  await add(...owner);
  const { email, personId } = await add(...owner);
  await json(['person', 'add', '--email', email, '--partner', partnerId], env);
  const removed = await json(['person', 'remove', email, '--workshop', 'base'], env);
  assert.deepEqual(removed, { personId, email, removed: true, workshopId });
  await fail(['person', 'remove', email, '--workshop', 'base'], env, 1, /workshop .* has no person/);
  await succeed(['person', 'remove', email, '--partner', partnerId], env);
  const left = await json(['person', 'show', email], env);
  assert.deepEqual([left.workshops, left.partners], [[], []]);
  assert.match((await succeed(['person', 'remove', email], env)).stdout, /is removed/);
  await fail(['person', 'show', email], env, 1, /there is no person .* \(pitlane person list shows them\)/);
});

test('every fault is named, and nothing is changed', async () => {
  const before = (await json(['person', 'list', '--all'], env)).length;
  const start = ['person', 'add', '--email', 'x@mail.example', '--name', 'X'];
  await fail(start, env, 2, /name one place/);
  await fail([...start, '--operator', '--partner', partnerId], env, 2, /name one place/);
  await fail([...start, '--operator', '--role', 'owner'], env, 2, /--role, --may-text and --sees-phones/);
  await fail([...start, '--workshop', 'base'], env, 2, /--role must be owner, adviser, technician, viewer/);
  await fail([...start, '--workshop', 'base', '--role', 'boss'], env, 2, /--role must be/);
  await fail([...start, ...owner, '--may-text', 'maybe'], env, 2, /--may-text must be on or off/);
  await fail([...start, '--workshop', 'nowhere', '--role', 'owner'], env, 1, /there is no workshop nowhere/);
  await fail(
    ['person', 'add', '--email', 'x', '--name', 'X', '--operator'],
    env,
    2,
    /--email is not an e-mail/,
  );
  await fail(['person', 'add', '--email', 'x@mail.example', '--operator'], env, 2, /--name is needed/);
  await fail(['person', 'add', '--name', 'X', '--operator'], env, 2, /'--email <address>' not specified/);
  assert.equal((await json(['person', 'list', '--all'], env)).length, before);
  const of = ['show', 'remove', 'sessions', 'sign-out', 'reset-factors', 'code'];
  for (const verb of of) await fail(['person', verb, 'nobody@mail.example', '--json'], env, 1, /no person/);
});

test('a workshop keeps one owner', async () => {
  const { workshopId: id } = await json(
    [
      'workshop',
      'create',
      '--name',
      'Solo',
      '--slug',
      'solo',
      '--phone',
      '03 5550 0102',
      '--email',
      'a@b.example',
      '--country',
      'AU',
      '--timezone',
      'Australia/Perth',
    ],
    env,
  );
  const { email } = await add('--workshop', id, '--role', 'owner');
  await fail(['person', 'remove', email, '--workshop', 'solo'], env, 2, /keeps one owner/);
  await fail(['person', 'remove', email], env, 1, /keeps one owner: make somebody else one of solo first/);
  await fail(
    ['person', 'add', '--email', email, '--workshop', 'solo', '--role', 'viewer'],
    env,
    2,
    /keeps one owner/,
  );
});
