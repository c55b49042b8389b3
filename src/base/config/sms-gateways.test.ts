import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from './setting.ts';
import { readSmsConfig } from './sms-gateways.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-settings-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const kannel = {
  PITLANE_SMS_GATEWAYS: 'kannel',
  PITLANE_PUBLIC_URL: 'https://pitlane.example/',
  KANNEL_USERNAME: 'u',
  KANNEL_PASSWORD: 'hunter2',
  KANNEL_CALLBACK_TOKEN: '0123456789abcdef',
};

test('without a gateway there is none, whatever else is set', () => {
  const env = { ...kannel, PITLANE_SMS_GATEWAYS: '', KANNEL_PASSWORD_FILE: '/nowhere' };
  assert.deepEqual(readSmsConfig(env).smsGateways, []);
});

test('Kannel, from the environment and with secrets from files', () => {
  const expected = {
    name: 'kannel',
    url: 'http://127.0.0.1:13013/cgi-bin/sendsms',
    username: 'u',
    password: 'hunter2',
    callbackToken: '0123456789abcdef',
  };
  assert.deepEqual(readSmsConfig(kannel), {
    publicUrl: 'https://pitlane.example',
    smsGateways: [expected],
    smsGatewayOrder: ['kannel'],
  });
  const fromFiles = {
    ...kannel,
    KANNEL_PASSWORD: '',
    KANNEL_PASSWORD_FILE: file('password', 'hunter2\n'),
    KANNEL_CALLBACK_TOKEN: undefined,
    KANNEL_CALLBACK_TOKEN_FILE: file('token', '0123456789abcdef\r\n'),
  };
  assert.deepEqual(readSmsConfig(fromFiles).smsGateways, [expected]);
});

test('SMPP alone needs no address at which it could be called', () => {
  const smpp = { SMPP_URL: 'smpp://smsc.example', SMPP_SYSTEM_ID: 'u', SMPP_PASSWORD: 'hunter2' };
  const { publicUrl, smsGatewayOrder } = readSmsConfig({ PITLANE_SMS_GATEWAYS: 'smpp', ...smpp });
  assert.deepEqual([publicUrl, smsGatewayOrder], [null, ['smpp']]);
  const both = { ...kannel, ...smpp, PITLANE_SMS_GATEWAYS: 'smpp,kannel', PITLANE_PUBLIC_URL: '' };
  assert.throws(() => readSmsConfig(both), /PITLANE_PUBLIC_URL must be set/);
});

for (const [name, change, said] of [
  ['an unknown gateway', { PITLANE_SMS_GATEWAYS: 'kanel' }, /names kanel, which is not one of: kannel/],
  [
    'one that is only for some, and none for the others',
    { PITLANE_SMS_GATEWAYS: '', PITLANE_SMS_OPTIONAL_GATEWAYS: 'kannel' },
    /PITLANE_SMS_GATEWAYS must be set/,
  ],
  ['one in both lists', { PITLANE_SMS_OPTIONAL_GATEWAYS: 'kannel' }, /twice/],
  ['one twice', { PITLANE_SMS_GATEWAYS: 'kannel, kannel' }, /twice/],
  ['no address for reports', { PITLANE_PUBLIC_URL: '' }, /PITLANE_PUBLIC_URL must be set/],
  ['an address with a query', { PITLANE_PUBLIC_URL: 'https://a.example/?b' }, /PITLANE_PUBLIC_URL must be/],
  ['no user name', { KANNEL_USERNAME: '' }, /KANNEL_USERNAME must be set/],
  ['no password', { KANNEL_PASSWORD: '' }, /KANNEL_PASSWORD or KANNEL_PASSWORD_FILE must be set/],
  ['two passwords', { KANNEL_PASSWORD_FILE: '/x' }, /KANNEL_PASSWORD and KANNEL_PASSWORD_FILE are both set/],
  [
    'no such file',
    { KANNEL_PASSWORD: '', KANNEL_PASSWORD_FILE: '/nowhere/x' },
    /KANNEL_PASSWORD_FILE .*ENOENT/,
  ],
  ['an empty file', { KANNEL_PASSWORD: '', KANNEL_PASSWORD_FILE: file('empty', '\n') }, /_FILE is empty/],
  ['a short token', { KANNEL_CALLBACK_TOKEN: 'hunter2' }, /KANNEL_CALLBACK_TOKEN must be 16/],
  ['a token that Kannel would expand', { KANNEL_CALLBACK_TOKEN: 'hunter2%dhunter2hunter2' }, /must be 16/],
  ['an address of another kind', { KANNEL_URL: 'ftp://u:hunter2@h' }, /KANNEL_URL must be a URL/],
] as const) {
  test(`refused, with no secret in the message: ${name}`, () => {
    assert.throws(
      () => readSmsConfig({ ...kannel, ...change }),
      (error: Error) =>
        error instanceof ConfigError && said.test(error.message) && !error.message.includes('hunter2'),
    );
  });
}
