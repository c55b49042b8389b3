/** `pitlane email …`, against a mail server. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { mailServer, smtpRefusal } from '../fixtures/mail-server.ts';
import { fail, json, succeed } from './run.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const sender = { PITLANE_MAIL_FROM: 'Pitlane <noreply@motors.example>' };
const dkim = {
  ...sender,
  PITLANE_DKIM_DOMAIN: 'motors.example',
  PITLANE_DKIM_SELECTOR: 'pitlane',
  PITLANE_DKIM_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
};

test('a test e-mail goes out, and the server’s response is shown', async (t) => {
  const { port, received } = await mailServer(t);
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, ...dkim };
  const shown = await json(['email', 'test', '--to', 'ann@example.com'], env);
  assert.match(shown.answer, /^250 /);
  assert.equal(shown.server, `127.0.0.1:${port}`);
  assert.equal(shown.dkim, 'signed as pitlane._domainkey.motors.example');
  assert.match(shown.messageId, /^<[\w-]+@motors\.example>$/);
  const mail = String(received[0]);
  assert.match(mail, /^DKIM-Signature: /);
  assert.ok(mail.includes(`Message-ID: ${shown.messageId}`));
  const { stdout } = await succeed(['email', 'test', '--to', 'ann@example.com'], {
    SMTP_URL: env.SMTP_URL,
    ...sender,
  });
  assert.match(stdout, /^answer +250 .*$/m);
  assert.match(stdout, /^dkim +not signed$/m);
});

test('a test e-mail has an envelope sender of its own, as all have; a server that takes no such sender is named', async (t) => {
  const senders: string[] = [];
  let isPicky = false;
  const { port } = await mailServer(t, {
    onMailFrom({ address }, _session, done) {
      senders.push(address);
      done(isPicky ? smtpRefusal(550, '5.7.60 not your address') : null);
    },
  });
  const domain = { PITLANE_INBOUND_MAIL_DOMAIN: 'reply.motors.example', PITLANE_SECRET_KEY: 'a'.repeat(64) };
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, ...sender, ...domain };
  const test = ['email', 'test', '--to', 'ann@example.com'];
  const shown = await json(test, env);
  assert.match(shown.bouncesTo, /^bounce\+[0-9a-f]{56}@reply\.motors\.example$/);
  await json(test, { ...env, PITLANE_BOUNCE_ADDRESSES: 'off' });
  assert.deepEqual(senders, [shown.bouncesTo, 'noreply@motors.example']);
  isPicky = true;
  await fail(
    test,
    env,
    1,
    /takes no e-mail whose bounces go to PITLANE_INBOUND_MAIL_DOMAIN .*PITLANE_BOUNCE_ADDRESSES=off/,
  );
});

test('a refusal is a failure with the words of the server', async (t) => {
  const { port } = await mailServer(t, {
    onRcptTo: (_address, _session, done) => done(smtpRefusal(550, 'No such person')),
  });
  await fail(
    ['email', 'test', '--to', 'ann@example.com'],
    { SMTP_URL: `smtp://127.0.0.1:${port}`, ...sender },
    1,
    /not sent\. 550 No such person/,
  );
  await fail(
    ['email', 'test', '--to', 'ann@example.com'],
    { SMTP_URL: 'smtp://127.0.0.1:1', ...sender },
    1,
    /can't be reached/,
  );
});

test('missing settings are named', async () => {
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', ...sender };
  await fail(['email', 'test', '--to', 'ann'], env, 2, /--to must be an e-mail address/);
  await fail(['email', 'test'], env, 2, /--to must be/);
  await fail(['email', 'test', '--to', 'a@b.example'], {}, 1, /SMTP_URL is not set/);
  await fail(['email', 'dkim-record'], env, 1, /there is no DKIM key/);
});

test('the record to publish holds the public key', async () => {
  const shown = await json(['email', 'dkim-record'], { SMTP_URL: 'smtp://127.0.0.1:1', ...dkim });
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  assert.deepEqual(shown, {
    name: 'pitlane._domainkey.motors.example',
    type: 'TXT',
    value: `v=DKIM1; k=rsa; p=${p}`,
  });
});
