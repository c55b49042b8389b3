import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readEmailConfig } from './email.ts';
import { ConfigError, type Environment } from './setting.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-settings-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const pem = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }) =>
  String(key.export({ type: 'pkcs8', format: 'pem' }));
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const rsaKey = pem(rsa.privateKey);

const sender = { PITLANE_MAIL_FROM: 'Motors <noreply@Motors.example>' };
const settings = (env: Environment) => {
  const { smtp } = readEmailConfig({ ...sender, ...env });
  assert.ok(smtp);
  return smtp;
};

test('without a server there is none, and nobody looks at the rest', () => {
  const { smtp, mailFrom, mailUnsubscribe } = readEmailConfig({
    SMTP_PASSWORD_FILE: '/nowhere',
    PITLANE_DKIM_DOMAIN: 'x',
  });
  assert.deepEqual([smtp, mailUnsubscribe], [null, null]);
  assert.deepEqual(mailFrom, { name: 'Pitlane', address: 'noreply@pitlane.invalid' });
});

test('PITLANE_MAIL_VIA: a name, off, or as PITLANE_MAIL_FROM', () => {
  const via = (text: string) => readEmailConfig({ PITLANE_MAIL_VIA: text }).mailVia;
  assert.deepEqual([via(''), via('off'), via(' Fleet\nDesk ')], [null, '', 'Fleet Desk']);
  for (const bad of ['x'.repeat(61), ' '])
    assert.throws(() => via(bad), /PITLANE_MAIL_VIA must be a name of at most 60 characters, or off/);
});

test('a server with a user, percent-encoded, or with the password in a file', () => {
  const expected = {
    host: 'mail.example',
    port: 587,
    name: 'motors.example',
    tls: 'required',
    signIn: { user: 'a@b.example', password: 'p:/?#[]@ w€%' },
    dkim: null,
  };
  const password = encodeURIComponent(expected.signIn.password);
  assert.deepEqual(settings({ SMTP_URL: `smtp://a%40b.example:${password}@Mail.example` }), expected);
  const SMTP_URL = 'smtp://a%40b.example@mail.example:587/';
  assert.deepEqual(settings({ SMTP_URL, SMTP_PASSWORD: 'p:/?#[]@ w€%' }), expected);
  assert.deepEqual(settings({ SMTP_URL, SMTP_PASSWORD_FILE: file('password', 'p:/?#[]@ w€%\n') }), expected);
  const { port, tls, host } = settings({ SMTP_URL: 'smtps://[2001:db8::1]' });
  assert.deepEqual([host, port, tls], ['2001:db8::1', 465, 'always']);
});

test('EHLO names the domain of the sender, or what SMTP_EHLO_NAME says: a full name', () => {
  const SMTP_URL = 'smtp://mail.example';
  assert.equal(settings({ SMTP_URL }).name, 'motors.example');
  assert.equal(
    settings({ SMTP_URL, SMTP_EHLO_NAME: 'Pitlane.motors.example' }).name,
    'pitlane.motors.example',
  );
  for (const SMTP_EHLO_NAME of [
    'localhost',
    '3f9d2c1b7a60',
    '10.0.0.7',
    '[127.0.0.1]',
    'a b.example',
    '-.example',
  ])
    assert.throws(() => settings({ SMTP_URL, SMTP_EHLO_NAME }), {
      message: 'SMTP_EHLO_NAME must be a full host name, such as pitlane.example.com',
    });
});

test('STARTTLS is required where a password goes to another machine, whatever is said', () => {
  const tls = (SMTP_URL: string, SMTP_TLS = '') => settings({ SMTP_URL, SMTP_TLS }).tls;
  assert.equal(tls('smtp://u:p@mail.example'), 'required');
  assert.equal(tls('smtp://u:p@mail.example', 'auto'), 'required');
  assert.equal(tls('smtp://u:p@127.0.0.1.example'), 'required');
  assert.equal(tls('smtp://mail.example'), 'offered');
  assert.equal(tls('smtp://mail.example', 'required'), 'required');
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1.2.3:25']) {
    assert.equal(tls(`smtp://u:p@${host}`), 'offered');
    assert.equal(tls(`smtp://u:p@${host}`, 'off'), 'never');
    assert.equal(tls(`smtp://u:p@${host}`, 'required'), 'required');
  }
});

test('DKIM: a domain of the sender, a selector, and a key, which may stand in one line', () => {
  const env = {
    SMTP_URL: 'smtp://mail.example',
    PITLANE_MAIL_FROM: 'Motors <noreply@Mail.Motors.example>',
    PITLANE_DKIM_SELECTOR: 'S1.pitlane',
  };
  for (const domain of ['motors.example', 'Mail.motors.example', 'x.mail.motors.example']) {
    const { dkim } = settings({
      ...env,
      PITLANE_DKIM_DOMAIN: domain,
      PITLANE_DKIM_KEY: rsaKey.replaceAll('\n', '\\n'),
    });
    assert.deepEqual([dkim?.domain, dkim?.selector], [domain.toLowerCase(), 's1.pitlane']);
    assert.ok(dkim?.key.equals(rsa.privateKey));
  }
});

/** It can be read, and what it signs is not true: a bit of its modulus is another. */
const damaged = rsa.privateKey.export({ type: 'pkcs1', format: 'der' });
damaged.writeUInt8(damaged.readUInt8(30) ^ 1, 30);

const signed = {
  SMTP_URL: 'smtp://mail.example',
  PITLANE_MAIL_FROM: 'noreply@motors.example',
  PITLANE_DKIM_DOMAIN: 'motors.example',
  PITLANE_DKIM_SELECTOR: 'pitlane',
  PITLANE_DKIM_KEY: rsaKey,
};

for (const [name, env, said] of [
  ['another protocol', { SMTP_URL: 'http://u:hunter2@h' }, /^SMTP_URL must be a URL that starts with smtp:/],
  ['no host', { SMTP_URL: 'smtp://' }, /^SMTP_URL must be/],
  [
    'a password that is not encoded',
    { SMTP_URL: 'smtp://u:hunter2/x@h.example' },
    /^SMTP_URL has a user or password with a .* in it.*%2F/,
  ],
  [
    'options in the URL',
    { SMTP_URL: 'smtp://u:hunter2@h.example?requireTLS=true' },
    /^SMTP_URL must be a server and nothing more/,
  ],
  ['a path', { SMTP_URL: 'smtp://h.example/path' }, /^SMTP_URL must be a server and nothing more/],
  ['broken encoding', { SMTP_URL: 'smtp://u:hunter2%@h.example' }, /percent-encoded/],
  ['a line break in the user', { SMTP_URL: 'smtp://u%0d%0aX:hunter2@h.example' }, /percent-encoded/],
  ['a user without a password', { SMTP_URL: 'smtp://u@h.example' }, /SMTP_PASSWORD or SMTP_PASSWORD_FILE/],
  ['a password without a user', { SMTP_URL: 'smtp://h.example', SMTP_PASSWORD: 'hunter2' }, /name the user/],
  ['two passwords', { SMTP_URL: 'smtp://u:hunter2@h.example', SMTP_PASSWORD: 'x' }, /keep one/],
  [
    'no such file',
    { SMTP_URL: 'smtp://u@h.example', SMTP_PASSWORD_FILE: '/nowhere/x' },
    /SMTP_PASSWORD_FILE .*ENOENT/,
  ],
  [
    'no TLS elsewhere',
    { SMTP_URL: 'smtp://u:hunter2@h.example', SMTP_TLS: 'off' },
    /^SMTP_TLS=off is for smtp:\/\/ to this machine/,
  ],
  ['no TLS with smtps', { SMTP_URL: 'smtps://127.0.0.1', SMTP_TLS: 'off' }, /^SMTP_TLS=off/],
  ['another word for TLS', { SMTP_URL: 'smtp://h.example', SMTP_TLS: 'no' }, /^SMTP_TLS=no is not one of/],
  ['no address', { PITLANE_MAIL_FROM: 'Motors' }, /^PITLANE_MAIL_FROM must be an address/],
  [
    'no sender',
    { PITLANE_MAIL_FROM: '', SMTP_URL: 'smtp://h.example' },
    /^PITLANE_MAIL_FROM must be set with/,
  ],
  [
    'a sender that nobody can be',
    { PITLANE_MAIL_FROM: 'Motors <a@Pitlane.INVALID>', SMTP_URL: 'smtp://h.example' },
    /^PITLANE_MAIL_FROM must be set with SMTP_URL, .*such as .*noreply@example\.com/,
  ],
  ['two senders', { PITLANE_MAIL_FROM: 'a@b.example, c@d.example' }, /^PITLANE_MAIL_FROM must be an address/],
  ['no address to write to', { PITLANE_MAIL_UNSUBSCRIBE: 'mailto:a' }, /^PITLANE_MAIL_UNSUBSCRIBE must be/],
  ['DKIM without a domain', { ...signed, PITLANE_DKIM_DOMAIN: '' }, /^PITLANE_DKIM_DOMAIN must be set/],
  ['DKIM without a selector', { ...signed, PITLANE_DKIM_SELECTOR: '' }, /^PITLANE_DKIM_SELECTOR must be set/],
  [
    'DKIM without a key',
    { ...signed, PITLANE_DKIM_KEY: '' },
    /^PITLANE_DKIM_KEY or PITLANE_DKIM_KEY_FILE must be set/,
  ],
  [
    'an invalid domain',
    { ...signed, PITLANE_DKIM_DOMAIN: 'motors; d=x' },
    /^PITLANE_DKIM_DOMAIN is not of the form/,
  ],
  [
    'an invalid selector',
    { ...signed, PITLANE_DKIM_SELECTOR: 'a b' },
    /^PITLANE_DKIM_SELECTOR is not of the form/,
  ],
  [
    'a domain of somebody else',
    { ...signed, PITLANE_DKIM_DOMAIN: 'ors.example' },
    /does not fit the sender of PITLANE_MAIL_FROM, motors\.example/,
  ],
  ['an invalid key', { ...signed, PITLANE_DKIM_KEY: 'hunter2' }, /holds no private key in PEM form/],
  [
    'a public key',
    { ...signed, PITLANE_DKIM_KEY: String(rsa.publicKey.export({ type: 'spki', format: 'pem' })) },
    /no private key/,
  ],
  [
    'a key that is too short',
    { ...signed, PITLANE_DKIM_KEY: pem(generateKeyPairSync('rsa', { modulusLength: 768 }).privateKey) },
    /must be an RSA key of 1024 to 4096 bits, and is RSA of 768 bits; make one with: openssl genrsa/,
  ],
  [
    'a key that is too long',
    { ...signed, PITLANE_DKIM_KEY: pem(generateKeyPairSync('rsa', { modulusLength: 4104 }).privateKey) },
    /is RSA of 4104 bits/,
  ],
  [
    'a damaged key',
    { ...signed, PITLANE_DKIM_KEY: pem(createPrivateKey({ key: damaged, format: 'der', type: 'pkcs1' })) },
    /damaged key/,
  ],
  [
    'a key that few mailboxes check',
    { ...signed, PITLANE_DKIM_KEY: pem(generateKeyPairSync('ed25519').privateKey) },
    /must be an RSA key .*, and is ed25519; make one with: openssl genrsa/,
  ],
  [
    'a key for other signatures',
    { ...signed, PITLANE_DKIM_KEY: pem(generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey) },
    /and is rsa-pss/,
  ],
] as const) {
  test(`refused, with no secret in the message: ${name}`, () => {
    assert.throws(
      () => readEmailConfig({ ...sender, ...env }),
      (error: Error) =>
        error instanceof ConfigError && said.test(error.message) && !/hunter2|PRIVATE/.test(error.message),
    );
  });
}
