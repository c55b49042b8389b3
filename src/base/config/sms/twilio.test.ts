import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigError } from '../setting.ts';
import { readTwilio } from './twilio.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-twilio-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

const hex = '0123456789abcdef'.repeat(2);
const account = {
  TWILIO_ACCOUNT_SID: `AC${hex}`,
  TWILIO_AUTH_TOKEN: 'hunter2',
  TWILIO_FROM: '+61400000000',
};
const key = { TWILIO_API_KEY: `SK${hex}`, TWILIO_API_SECRET: 'hunter3' };

test('an account and a number', () => {
  assert.deepEqual(readTwilio(account), {
    name: 'twilio',
    url: 'https://api.twilio.com',
    accountSid: `AC${hex}`,
    authToken: 'hunter2',
    username: `AC${hex}`,
    password: 'hunter2',
    sender: { from: '+61400000000' },
    consentUrl: null,
  });
});

test('an API key sends, the token still checks signatures; secrets from files', () => {
  const inFiles = {
    ...account,
    ...key,
    TWILIO_AUTH_TOKEN: '',
    TWILIO_AUTH_TOKEN_FILE: file('token', 'hunter2\n'),
    TWILIO_API_SECRET: '',
    TWILIO_API_SECRET_FILE: file('secret', 'hunter3\n'),
  };
  for (const env of [{ ...account, ...key }, inFiles]) {
    const { authToken, username, password } = readTwilio(env);
    assert.deepEqual([authToken, username, password], ['hunter2', `SK${hex}`, 'hunter3']);
  }
});

test('a messaging service, a name or a short code in place of the number; a region', () => {
  const { sender, url } = readTwilio({
    ...account,
    TWILIO_FROM: '',
    TWILIO_MESSAGING_SERVICE_SID: `MG${hex}`,
    TWILIO_URL: 'https://api.sydney.au1.twilio.com/',
  });
  assert.deepEqual([sender, url], [{ messagingServiceSid: `MG${hex}` }, 'https://api.sydney.au1.twilio.com']);
  for (const from of ['HARBOUR', 'Harbour 4x4', '12345']) {
    assert.deepEqual(readTwilio({ ...account, TWILIO_FROM: from }).sender, { from });
  }
});

for (const [name, change, said] of [
  ['no account', { TWILIO_ACCOUNT_SID: '' }, /TWILIO_ACCOUNT_SID must be set/],
  ['an API key as the account', { TWILIO_ACCOUNT_SID: `SK${hex}` }, /TWILIO_ACCOUNT_SID must be AC and 32/],
  ['a cut account', { TWILIO_ACCOUNT_SID: 'ACabc' }, /TWILIO_ACCOUNT_SID must be AC and 32/],
  ['a path in the account', { TWILIO_ACCOUNT_SID: `AC${hex}/..` }, /TWILIO_ACCOUNT_SID must be AC/],
  ['no token', { TWILIO_AUTH_TOKEN: '' }, /TWILIO_AUTH_TOKEN or TWILIO_AUTH_TOKEN_FILE must be set/],
  ['no token beside an API key', { ...key, TWILIO_AUTH_TOKEN: '' }, /TWILIO_AUTH_TOKEN or/],
  ['a key without its secret', { ...key, TWILIO_API_SECRET: '' }, /TWILIO_API_SECRET or/],
  ['a secret without its key', { ...key, TWILIO_API_KEY: '' }, /TWILIO_API_KEY must be set/],
  ['no sender', { TWILIO_FROM: '' }, /TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set/],
  ['two senders', { TWILIO_MESSAGING_SERVICE_SID: `MG${hex}` }, /are both set: keep one/],
  ['an invalid service', { TWILIO_FROM: '', TWILIO_MESSAGING_SERVICE_SID: 'x' }, /must be MG and 32/],
  ['a local number', { TWILIO_FROM: '0400 000 000' }, /TWILIO_FROM=0400 000 000 is neither a number such as/],
  ['a long name', { TWILIO_FROM: 'HARBOURMOTORS' }, /TWILIO_FROM=HARBOURMOTORS is neither/],
  ['an address in clear', { TWILIO_URL: 'http://twilio.example' }, /TWILIO_URL must start with https/],
  ['an address with a password', { TWILIO_URL: 'https://u:hunter2@t.example' }, /TWILIO_URL must be/],
] as const) {
  test(`refused, with no secret in the message: ${name}`, () => {
    assert.throws(
      () => readTwilio({ ...account, ...change }),
      (error: Error) =>
        error instanceof ConfigError && said.test(error.message) && !/hunter/.test(error.message),
    );
  });
}
