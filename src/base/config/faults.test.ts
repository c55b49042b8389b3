/** The messages about settings that can't be used or don't exist. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#base/config.ts';
import { smtpSettings } from './email.ts';
import { ConfigError, type Environment, read } from './setting.ts';
import { renamedSettings, unknownSettings } from './unknown-settings.ts';

function faultsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
}

test('a password that ends a URL too early is told how to be written, and is not shown', () => {
  const said =
    /^DATABASE_URL has a user or password with a \/, \? or # in it.*: write them as %2F, %3F and %23/;
  for (const password of ['hun/ter2', 'hun?ter2', 'hun#ter2', '12/hunter2', '12?hunter2', 'hun ter/2']) {
    const [fault = '', ...more] = faultsOf({ DATABASE_URL: `postgres://u:${password}@db.example/d` });
    assert.match(fault, said, password);
    assert.deepEqual([more, fault.includes(password)], [[], false]);
  }
  for (const rest of [
    ...['u:hun%2Fter2@h:5432/d', 'u:p@h/d?application_name=a@b', 'h:5432/d?user=a@b', 'u@h/d', 'h/d'],
    ...['u:p@[::1]:5432/d', '[::1]:5432/d?user=a@b', 'u:p@w@h/d', 'u:hun ter2@h/d'],
  ]) {
    assert.deepEqual(faultsOf({ DATABASE_URL: `postgres://${rest}` }), [], rest);
  }
});

test('all bad settings are reported at once, those of the gateways in use too, each once', () => {
  const faults = faultsOf({
    PORT: '80a',
    PITLANE_ROLE: 'boss',
    DATABASE_URL: 'mysql://u:hunter2@h',
    PITLANE_SMS_GATEWAYS: 'kannel,twilio',
    KANNEL_USERNAME: 'u',
    KANNEL_CALLBACK_TOKEN: 'short',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN_FILE: '/nowhere',
    CLICKSEND_URL: 'not looked at',
    SMTP_URL: 'smtp://u@mail.example',
    PITLANE_DKIM_DOMAIN: 'example.com',
    PITLANE_GATEWAY_RATE: 'kannel:fast',
  });
  const said = [
    /^PORT=80a is not/,
    /^PITLANE_ROLE=boss is not/,
    /^DATABASE_URL must be/,
    /^PITLANE_PUBLIC_URL must be set/,
    /^KANNEL_PASSWORD or KANNEL_PASSWORD_FILE must be set/,
    /^KANNEL_CALLBACK_TOKEN must be 16/,
    /^TWILIO_AUTH_TOKEN_FILE can't be read \(ENOENT\)/,
    /^TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set/,
    /^PITLANE_GATEWAY_RATE: kannel:fast is not/,
    /^SMTP_URL names a user/,
    /^PITLANE_MAIL_FROM must be set/,
    /^PITLANE_DKIM_SELECTOR must be set with the other/,
    /^PITLANE_DKIM_KEY or PITLANE_DKIM_KEY_FILE must be set with the other/,
  ];
  for (const [index, pattern] of said.entries()) assert.match(faults[index] ?? '', pattern);
  assert.equal(faults.length, said.length);
  assert.ok(!faults.join().includes('hunter2'));
});

test('a name that is no setting is named, with the nearest one; names of other programs are not', () => {
  const env = {
    PITLANE_SMS_GATEWAY: 'twilio',
    PITLANE_SECRETKEY: 'x',
    PITLANE_DATABASE_URL: 'x',
    PITLANE_DB_URL: 'x',
    PITLANE_MODE: 'x',
    pitlane_demo: 'x',
    PITLANE_SOMETHING_ELSE_ALTOGETHER: 'x',
    PITLANE_ROLE: 'all',
    PITLANE_SECRET_KEY_FILE: 'x',
    PITLANE_TEST_CLUSTER: 'x',
    TWILIO_REGION: 'x',
    PATH: 'x',
  };
  assert.deepEqual(unknownSettings(env), [
    'PITLANE_DATABASE_URL is no setting: did you mean DATABASE_URL?',
    'PITLANE_DB_URL is no setting',
    'PITLANE_MODE is no setting',
    'PITLANE_SECRETKEY is no setting: did you mean PITLANE_SECRET_KEY?',
    'PITLANE_SMS_GATEWAY is no setting: did you mean PITLANE_SMS_GATEWAYS?',
    'PITLANE_SOMETHING_ELSE_ALTOGETHER is no setting',
    'pitlane_demo is no setting: did you mean PITLANE_DEMO?',
  ]);
  assert.deepEqual(unknownSettings({}), []);
});

test('a setting is read under the name of an earlier release too, with a warning; the present name wins', () => {
  const env = { SMTP_NAME: 'a.motors.example', PITLANE_GATEWAY_IDLE: 'kannel=5', PITLANE_ROLE: 'all' };
  assert.deepEqual(unknownSettings(env), []);
  assert.deepEqual(unknownSettings({ PITLANE_BOUNCE: 'off', PITLANE_SMS_OTHER_GATEWAY: 'kannel' }), [
    'PITLANE_BOUNCE is no setting: did you mean PITLANE_BOUNCE_ADDRESSES?',
    'PITLANE_SMS_OTHER_GATEWAY is no setting: did you mean PITLANE_SMS_OPTIONAL_GATEWAYS?',
  ]);
  assert.deepEqual(renamedSettings(env), [
    'PITLANE_GATEWAY_IDLE is called PITLANE_GATEWAY_KEEP_ALIVE_SECONDS now: the old name is still read',
    'SMTP_NAME is called SMTP_EHLO_NAME now: the old name is still read',
  ]);
  const { name } = smtpSettings;
  assert.equal(read(env, { name }).name, 'a.motors.example');
  assert.equal(read({ ...env, SMTP_EHLO_NAME: 'b.motors.example' }, { name }).name, 'b.motors.example');
  assert.throws(() => read({ SMTP_NAME: 'bare' }, { name }), /SMTP_NAME must be/);
});
