/** No password in clear, no server without a valid certificate, and no skipped sign-in. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { SMTPServerOptions } from 'smtp-server';
import { certificate, privateKey } from '../../../../test/fixtures/certificate.ts';
import {
  email,
  gatewayTo,
  mailServer,
  scriptedServer,
  smtpRefusal,
} from '../../../../test/fixtures/mail-server.ts';

const known = getCACertificates('default');
const trust = () => setDefaultCACertificates([...known, certificate]);
const distrust = () => setDefaultCACertificates(known);
after(distrust);

const signIn = { user: 'pitlane@motors.example', password: 's3cret/with: %€' };
const identity = { key: privateKey, cert: certificate };
/** Accepts that user over TLS only. */
const careful: SMTPServerOptions = {
  ...identity,
  disabledCommands: [],
  authOptional: false,
  onAuth({ username, password }, _session, done) {
    if (username !== signIn.user || password !== signIn.password)
      return done(smtpRefusal(535, `no ${username}`));
    done(null, { user: username });
  },
};

test('STARTTLS is used where it is offered, and the user signs in over it', async (t) => {
  trust();
  let isSecure = false;
  const { port, received } = await mailServer(t, {
    ...careful,
    onMailFrom(_address, session, done) {
      isSecure = session.secure;
      done();
    },
  });
  for (const tls of ['offered', 'required'] as const) {
    isSecure = false;
    assert.equal((await gatewayTo(t, port, { tls, signIn }).send(email)).state, 'accepted');
    assert.ok(isSecure);
  }
  assert.equal(received.length, 2);
});

test('smtps is TLS from the first byte', async (t) => {
  trust();
  const { port, received } = await mailServer(t, { ...careful, secure: true });
  assert.equal((await gatewayTo(t, port, { tls: 'always', signIn }).send(email)).state, 'accepted');
  assert.equal(received.length, 1);
});

test('a certificate of an unknown authority, or of another host, ends the connection', async (t) => {
  const { port, received } = await mailServer(t, careful);
  distrust();
  const unknown = await gatewayTo(t, port, { signIn }).send(email);
  trust();
  // The certificate is for localhost and 127.0.0.1.
  const another = await gatewayTo(t, port, { signIn, host: '127.1' }).send(email);
  for (const [outcome, words] of [
    [unknown, /^There is no secure connection to the mail server: self-signed certificate/],
    [
      another,
      /^There is no secure connection to the mail server: Host: 127\.1\. is not in the cert's altnames/,
    ],
  ] as const) {
    assert.ok(outcome.state === 'refused' && !outcome.permanent);
    assert.equal(outcome.reason, 'gatewayUnavailable');
    assert.match(outcome.detail, words);
  }
  assert.equal(received.length, 0);
});

test('a port without TLS is reported as such, in words for people', async (t) => {
  const { port } = await mailServer(t);
  const outcome = await gatewayTo(t, port, { tls: 'always' }).send(email);
  assert.ok(outcome.state === 'refused' && outcome.reason === 'gatewayUnavailable');
  assert.equal(outcome.detail, 'There is no secure connection to the mail server: wrong version number');
});

test('when TLS is required and not offered, neither password nor e-mail goes out', async (t) => {
  const heard: string[] = [];
  const { port } = await scriptedServer(t, (line) => {
    heard.push(line);
    return line === 'STARTTLS'
      ? '502 5.5.1 not here'
      : line.startsWith('EHLO')
        ? '250-x\r\n250 AUTH PLAIN'
        : null;
  });
  const outcome = await gatewayTo(t, port, { tls: 'required', signIn }).send(email);
  assert.ok(outcome.state === 'refused' && !outcome.permanent);
  assert.match(outcome.detail, /^There is no secure connection to the mail server: 502 5\.5\.1 not here/);
  assert.ok(!heard.some((line) => /^(?:AUTH|MAIL)/.test(line)), heard.join());
});

test('a wrong password is reported without password and user name, and no e-mail is refused for good', async (t) => {
  trust();
  const { port, received } = await mailServer(t, careful);
  const outcome = await gatewayTo(t, port, { signIn: { ...signIn, password: 'hunter2' } }).send(email);
  assert.deepEqual(outcome, {
    state: 'refused',
    permanent: false,
    reason: 'gatewayUnavailable',
    detail: 'The mail server does not take the user and password (SMTP_URL, SMTP_PASSWORD): 535 no …',
  });
  assert.equal(received.length, 0);
});

test('a server that offers no sign-in gets no e-mail', async (t) => {
  const { port, received } = await scriptedServer(t, (line) =>
    line.startsWith('AUTH') ? '503 5.5.1 no authentication here' : null,
  );
  const outcome = await gatewayTo(t, port, { tls: 'never', signIn }).send(email);
  assert.ok(outcome.state === 'refused' && outcome.reason === 'gatewayUnavailable');
  assert.match(outcome.detail, /^The mail server does not take the user and password/);
  assert.equal(received.length, 0);
});
