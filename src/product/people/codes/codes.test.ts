/** Codes: guessing, flooding, single use, bound to the browser; never stored in clear. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { actors } from '#base/values/actor.ts';
import { sendAccountEmails } from '#product/notifications/account-emails/send.ts';
import { workContext } from '../../../../test/fixtures/booking-events.ts';
import { newPerson, newWorkshop, visitor } from '../../../../test/fixtures/people.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { purgeSignIns } from '../sessions/purge.ts';
import { type SignInByCode, signInByCode } from '../sessions/sign-in.ts';
import { askForCode } from './ask.ts';
import { printCode } from './print.ts';

const { db } = await createTestDatabase();
const plain = workContext(db);
const smtp = readConfig({ SMTP_URL: 'smtp://127.0.0.1:25', PITLANE_MAIL_FROM: 'a@b.example' }).smtp;
const ctx = { ...plain, config: { ...plain.config, smtp } };
const { email: gateway } = ctx;
const workshopId = await newWorkshop(db);
let count = 0;
/** A known person, with a separate browser and network. */
async function someone() {
  const n = ++count;
  const email = `kim${n}@mail.example`;
  await newPerson(db, email, { workshopId, role: 'adviser' });
  // These tests ignore the invitation.
  await db.query('DELETE FROM account_email WHERE email = $1', [email]);
  return { email, browserSha256: randomBytes(32), address: `198.51.100.${n}` };
}

const codeIn = (text: string) => /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(text)?.[0] ?? assert.fail(text);
async function mailed(who: {
  email: string;
  browserSha256: Buffer;
  address: string;
}): Promise<string | null> {
  await askForCode(ctx, who);
  gateway.clear();
  await sendAccountEmails(ctx);
  const [sent] = gateway.to(who.email);
  return sent === undefined ? null : codeIn(sent.text);
}
const enter = (who: { email: string; browserSha256: Buffer }, code: string): Promise<SignInByCode> =>
  signInByCode(ctx, { email: who.email, code }, visitor(who.browserSha256));
/** Changes the first character. */
const wrong = (code: string) => (code.startsWith('0') ? '1' : '0') + code.slice(1);

test('a code signs in once, in the browser that requested it, in any notation (specification: People and their sign-in 3)', async () => {
  const kim = await someone();
  const code = (await mailed(kim)) ?? assert.fail();
  const other = { ...kim, browserSha256: randomBytes(32) };
  assert.equal(await enter(other, code), null);
  const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
  const both = await Promise.all([enter(kim, typed), enter(kim, typed)]);
  assert.equal(both.filter((each) => each !== null).length, 1, 'once, also when it is sent twice at once');
  assert.equal(await enter(kim, code), null);
});

test('five tries, ten minutes; a new code revokes the previous one (specification: People and their sign-in 3)', async () => {
  const kim = await someone();
  const guessed = (await mailed(kim)) ?? assert.fail();
  for (let n = 0; n < 5; n++) assert.equal(await enter(kim, wrong(guessed)), null);
  assert.equal(await enter(kim, guessed), null, 'the right one comes too late');
  const first = (await mailed(kim)) ?? assert.fail();
  for (let n = 0; n < 4; n++) await enter(kim, wrong(first));
  const second = (await mailed(kim)) ?? assert.fail();
  assert.equal(await enter(kim, first), null);
  await db.query(
    `UPDATE sign_in_code SET expires_at = clock_timestamp() + interval '1 second' WHERE email = $1`,
    [kim.email],
  );
  assert.ok(await enter(kim, second), 'with tries of its own');
  const late = (await mailed(kim)) ?? assert.fail();
  await db.query(`UPDATE sign_in_code SET expires_at = clock_timestamp() WHERE email = $1`, [kim.email]);
  assert.equal(await enter(kim, late), null);
});

test('a guess succeeds with probability 2^-40: of a thousand concurrent guesses five are tried', async () => {
  const kim = await someone();
  const code = (await mailed(kim)) ?? assert.fail();
  const guesses = Array.from({ length: 40 }, () => enter(kim, wrong(code)));
  assert.ok((await Promise.all(guesses)).every((each) => each === null));
  const [row] = await db.query<{ tries: number }>('SELECT tries FROM sign_in_code WHERE email = $1', [
    kim.email,
  ]);
  assert.equal(row?.tries, 5);
});

test('a printed code works in any browser, beside a mailed one, and is revoked by the next printed one (specification: People and their sign-in 3)', async () => {
  const kim = await someone();
  const { code: first } = await printCode(ctx, actors.operator, kim.email);
  const { code, expiresAt } = await printCode(ctx, actors.operator, kim.email.toUpperCase());
  const minutes = (expiresAt.getTime() - Date.now()) / 60_000;
  assert.ok(minutes > 9 && minutes < 11);
  const asked = (await mailed(kim)) ?? assert.fail();
  assert.equal(await enter(kim, first), null);
  assert.ok(await enter({ ...kim, browserSha256: randomBytes(32) }, code));
  assert.ok(await enter(kim, asked));
});

test('always: for an unknown address the same rows are written, and nothing is sent (specification: People and their sign-in 4)', async () => {
  const nobody = { email: 'nobody@mail.example', browserSha256: randomBytes(32), address: '198.51.100.200' };
  await askForCode(ctx, nobody);
  const rows = await db.query('SELECT FROM sign_in_code WHERE email = $1', [nobody.email]);
  assert.equal(rows.length, 1);
  gateway.clear();
  assert.equal(await sendAccountEmails(ctx), 1);
  assert.equal(gateway.sent.length, 0);
  assert.deepEqual(await db.query('SELECT FROM account_email'), []);
});

test('without a mail server, or with a sandbox that is open to others, no code is created', async () => {
  const kim = await someone();
  await askForCode(plain, kim);
  await askForCode({ ...ctx, config: { ...ctx.config, sandboxForced: true } }, kim);
  assert.deepEqual(await db.query('SELECT FROM sign_in_code WHERE email = $1', [kim.email]), []);
  const whole = { ...ctx, config: { ...ctx.config, sandboxForced: true, smsGateways: ['kannel'] as const } };
  await askForCode(whole as never, kim);
  assert.equal((await db.query('SELECT FROM sign_in_code WHERE email = $1', [kim.email])).length, 1);
});

test('limits: 5 an hour for an address and network, 10 for the address, 20 for the network (specification: People and their sign-in 4)', async () => {
  const kim = await someone();
  const made = async (who: Parameters<typeof askForCode>[1]) => {
    await db.query('DELETE FROM sign_in_code');
    await askForCode(ctx, who);
    return (await db.query('SELECT FROM sign_in_code')).length === 1;
  };
  const from = (network: number) =>
    made({ ...kim, browserSha256: randomBytes(32), address: `192.0.2.${network}` });
  const results: boolean[] = [];
  for (let n = 0; n < 6; n++) results.push(await from(1));
  assert.deepEqual(results, [true, true, true, true, true, false], 'of one network');
  results.length = 0;
  for (let n = 2; n < 8; n++) results.push(await from(n));
  assert.deepEqual(results, [true, true, true, true, true, false], 'ten over all');
  results.length = 0;
  for (let n = 0; n < 21; n++)
    results.push(
      await made({
        email: `stranger${n}@mail.example`,
        browserSha256: randomBytes(32),
        address: '192.0.2.99',
      }),
    );
  assert.deepEqual(results.indexOf(false), 20, 'of one network, of whichever addresses');
  // A browser in which that person signed in has its own quota, whatever others request; a browser of another person has not.
  const jo = await someone();
  const { code } = await printCode(ctx, actors.operator, kim.email);
  assert.ok(await enter(kim, code), 'what is printed is under no bound');
  assert.equal(await made({ ...kim, address: '192.0.2.99' }), true);
  assert.equal(await made({ ...kim, browserSha256: jo.browserSha256 }), false);
  await db.query(`UPDATE known_browser SET signed_in_at = clock_timestamp() - interval '91 days'`);
  assert.equal(await made(kim), false, 'within 90 days');
  await db.query('DELETE FROM account_email');
});

test('always: it is never stored in clear, and its sealed copy is deleted once the e-mail is handed over', async () => {
  const kim = await someone();
  await askForCode(ctx, kim);
  gateway.clear();
  gateway.next({ state: 'refused', permanent: false, reason: 'gatewayUnavailable', detail: 'busy' });
  await sendAccountEmails(ctx);
  const code = codeIn(gateway.to(kim.email)[0]?.text ?? '');
  const holding = async (word: string) => {
    const tables = await db.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await db.pool.query(
        `SELECT FROM "${name}" AS t WHERE t::text ILIKE '%' || $1 || '%' LIMIT 1`,
        [word],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  };
  assert.deepEqual(await holding(code), []);
  assert.deepEqual(await holding(Buffer.from(code).toString('hex')), []);
  await db.query('UPDATE account_email SET due_at = clock_timestamp()');
  await sendAccountEmails(ctx);
  assert.equal(gateway.to(kim.email).length, 2, 'it is tried again');
  assert.deepEqual(await db.query('SELECT code_sealed FROM sign_in_code WHERE email = $1', [kim.email]), [
    { codeSealed: null },
  ]);
  assert.deepEqual(await db.query('SELECT FROM message'), []);
  assert.deepEqual(await db.query('SELECT FROM sandbox_message'), []);
  const [mail] = gateway.to(kim.email);
  assert.doesNotMatch(
    `${mail?.subject}${mail?.text}${mail?.html}`,
    /https?:\/\/[^\s"]*(?:sign-in|console)|href/,
  );
  assert.equal(mail?.subject.includes(code), false);
  await purgeSignIns(db);
  assert.ok(await enter(kim, code));
});

test('a purge deletes expired codes, and sessions 30 days after their end', async () => {
  const kim = await someone();
  await printCode(ctx, actors.operator, kim.email);
  for (const ended of ['29 days', '31 days']) {
    const signedIn = await enter(kim, (await printCode(ctx, actors.operator, kim.email)).code);
    assert.ok(signedIn !== null && signedIn !== 'secondFactor');
    await db.query(
      `UPDATE session SET ended_at = clock_timestamp() - $2::interval, browser = $2 WHERE person_id = $1 AND ended_at IS NULL`,
      [signedIn.personId, ended],
    );
  }
  await printCode(ctx, actors.operator, kim.email);
  await db.query(`UPDATE sign_in_code SET expires_at = clock_timestamp() WHERE email = $1`, [kim.email]);
  await purgeSignIns(db);
  assert.deepEqual(await db.query('SELECT FROM sign_in_code WHERE email = $1', [kim.email]), []);
  const left = await db.query<{ browser: string }>(
    `SELECT s.browser FROM session s JOIN person p ON p.id = s.person_id WHERE p.email = $1`,
    [kim.email],
  );
  assert.deepEqual(left, [{ browser: '29 days' }]);
});
