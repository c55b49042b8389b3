/** Settings of the providers that are called over the Internet. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { ConfigError } from '../setting.ts';
import { readClickSend } from './clicksend.ts';
import { readMessageMedia } from './messagemedia.ts';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
const [one, two] = [rsa(), rsa()];
const pem = String(one.export({ type: 'spki', format: 'pem' }));
const base64 = one.export({ type: 'spki', format: 'der' }).toString('base64');
const ed25519 = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });

const messagemedia = {
  MESSAGEMEDIA_API_KEY: 'key',
  MESSAGEMEDIA_API_SECRET: 'hunter2',
  MESSAGEMEDIA_CALLBACK_TOKEN: '0123456789abcdef',
};
const clicksend = {
  CLICKSEND_USERNAME: 'user',
  CLICKSEND_API_KEY: 'hunter2',
  CLICKSEND_CALLBACK_TOKEN: '0123456789abcdef',
};

test('MessageMedia, checked by a token', () => {
  assert.deepEqual(readMessageMedia(messagemedia), {
    name: 'messagemedia',
    url: 'https://api.messagemedia.com',
    apiKey: 'key',
    apiSecret: 'hunter2',
    publicKeys: [],
    callbackToken: '0123456789abcdef',
  });
});

test('MessageMedia, checked by signatures: PEM, base64, lines that an environment variable has escaped, two keys', () => {
  const both = two.export({ type: 'spki', format: 'der' }).toString('base64');
  for (const [text, keys] of [
    [pem, [one]],
    [base64, [one]],
    [pem.replaceAll('\n', '\\n'), [one]],
    [pem + String(two.export({ type: 'spki', format: 'pem' })), [one, two]],
    [`${base64}, ${both}`, [one, two]],
  ] as const) {
    const { publicKeys, callbackToken } = readMessageMedia({
      ...messagemedia,
      MESSAGEMEDIA_PUBLIC_KEY: text,
      MESSAGEMEDIA_CALLBACK_TOKEN: '',
    });
    assert.equal(publicKeys.length, keys.length);
    assert.ok(publicKeys.every((key, i) => key.equals(keys[i] ?? two)));
    assert.equal(callbackToken, null);
  }
});

test('ClickSend, at another address', () => {
  for (const url of [
    'http://127.0.0.1:8080/',
    'http://[::1]:8080',
    'http://localhost',
    'https://a.example/x/',
  ]) {
    assert.deepEqual(readClickSend({ ...clicksend, CLICKSEND_URL: url }), {
      name: 'clicksend',
      url: url.replace(/\/$/, ''),
      username: 'user',
      apiKey: 'hunter2',
      subaccounts: new Map(),
      callbackToken: '0123456789abcdef',
    });
  }
  const { subaccounts } = readClickSend({ ...clicksend, CLICKSEND_SUBACCOUNTS: ' a@b.example:k1, c:k:2 ,' });
  assert.deepEqual(
    [...subaccounts],
    [
      ['a@b.example', 'k1'],
      ['c', 'k:2'],
    ],
  );
});

for (const [name, change, said] of [
  ['no key', { MESSAGEMEDIA_API_KEY: '' }, /MESSAGEMEDIA_API_KEY must be set/],
  ['no secret', { MESSAGEMEDIA_API_SECRET: '' }, /MESSAGEMEDIA_API_SECRET or .*_FILE must be set/],
  [
    'nothing that checks callbacks',
    { MESSAGEMEDIA_CALLBACK_TOKEN: '' },
    /PUBLIC_KEY must be set, or .*TOKEN/,
  ],
  ['a short token', { MESSAGEMEDIA_CALLBACK_TOKEN: 'hunter2' }, /TOKEN must be 16 or more/],
  ['an invalid key', { MESSAGEMEDIA_PUBLIC_KEY: 'hunter2' }, /PUBLIC_KEY must be an RSA public key/],
  ['an empty key', { MESSAGEMEDIA_PUBLIC_KEY: ' , ' }, /PUBLIC_KEY must be an RSA/],
  ['one good key and one bad', { MESSAGEMEDIA_PUBLIC_KEY: `${base64},hunter2` }, /must be an RSA/],
  ['a key of another kind', { MESSAGEMEDIA_PUBLIC_KEY: ed25519.toString('base64') }, /must be an RSA/],
  ['an address without TLS', { MESSAGEMEDIA_URL: 'http://api.messagemedia.com' }, /must start with https:/],
  ['a password in it', { MESSAGEMEDIA_URL: 'https://a:hunter2@b.example' }, /must be an address alone/],
  ['a query in it', { MESSAGEMEDIA_URL: 'https://b.example/?a' }, /must be an address alone/],
  ['no address', { MESSAGEMEDIA_URL: 'hunter2' }, /MESSAGEMEDIA_URL must be a URL/],
] as const) {
  test(`refused, with no secret in the message: MessageMedia with ${name}`, () => {
    refuses(() => readMessageMedia({ ...messagemedia, ...change }), said);
  });
}

for (const [name, change, said] of [
  ['no user', { CLICKSEND_USERNAME: '' }, /CLICKSEND_USERNAME must be set/],
  ['no key', { CLICKSEND_API_KEY: '' }, /CLICKSEND_API_KEY or CLICKSEND_API_KEY_FILE must be set/],
  ['no token', { CLICKSEND_CALLBACK_TOKEN: '' }, /CLICKSEND_CALLBACK_TOKEN or .*_FILE must be set/],
  ['a subaccount without a key', { CLICKSEND_SUBACCOUNTS: 'hunter2' }, /CLICKSEND_SUBACCOUNTS must be user/],
  ['a subaccount twice', { CLICKSEND_SUBACCOUNTS: 'a:hunter2,a:b' }, /each once/],
  ['an address without TLS', { CLICKSEND_URL: 'http://rest.clicksend.com' }, /must start with https:/],
] as const) {
  test(`refused, with no secret in the message: ClickSend with ${name}`, () => {
    refuses(() => readClickSend({ ...clicksend, ...change }), said);
  });
}

function refuses(read: () => unknown, said: RegExp): void {
  assert.throws(
    read,
    (error: Error) =>
      error instanceof ConfigError && said.test(error.message) && !error.message.includes('hunter2'),
  );
}
