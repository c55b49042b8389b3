import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '#base/operator-error.ts';
import { readSettings, type SettingsInput } from './settings.ts';

const required: SettingsInput = {
  name: 'Carlton Motors',
  country: 'au',
  timezone: 'Australia/Melbourne',
  phone: '(03) 5550 0101',
  email: 'desk@carlton.example',
};

function refused(input: SettingsInput): string[] {
  try {
    readSettings(input, null);
    return [];
  } catch (error) {
    assert.ok(error instanceof InvalidInput);
    return error.errors.map(({ field }) => field).toSorted();
  }
}

test('absent settings have their defaults', () => {
  assert.deepEqual(readSettings(required, null), {
    name: 'Carlton Motors',
    slug: 'carlton-motors',
    country: 'AU',
    timezone: 'Australia/Melbourne',
    phone: '+61355500101',
    email: 'desk@carlton.example',
    notifyPhones: null,
    notifyEmails: null,
    smsSender: null,
    smsGateways: null,
    inboxMessagingEnabled: true,
    address: null,
    colour: null,
    inboxNotices: 'email',
  });
});

test('every bad value is named at once', () => {
  assert.deepEqual(refused({}), ['country', 'email', 'name', 'phone', 'timezone']);
  const bad = {
    name: ' ',
    slug: 'Not A Slug',
    country: 'AU',
    timezone: '+10:00',
    phone: '12',
    email: 'desk',
    notifyPhones: ['0491 570 006, 1'],
    notifyEmails: ['a@b.example,c'],
    smsSender: 'longer than eleven',
    inboxMessaging: 'maybe',
  };
  assert.deepEqual(
    refused(bad),
    Object.keys(bad)
      .filter((field) => field !== 'country')
      .toSorted(),
  );
  // Without a valid country its numbers can't be checked.
  assert.deepEqual(refused({ ...required, country: 'XX', phone: '12' }), ['country']);
});

test('each value alone', () => {
  const bad: SettingsInput[] = [
    { name: 'x'.repeat(256) },
    { name: 'a\u0007b' },
    { slug: '' },
    { slug: 'x'.repeat(64) },
    { country: 'Australia' },
    { timezone: 'Mars/Olympus' },
    { phone: '+61 2' },
    { email: 'a@b@c.example' },
    { notifyPhones: Array.from({ length: 21 }, (_, n) => `+614915700${10 + n}`) },
    { smsSender: '12' },
    { inboxMessaging: '' },
  ];
  for (const input of bad) {
    const [field = ''] = Object.keys(input);
    assert.ok(refused({ ...required, ...input }).includes(field), JSON.stringify(input));
  }
});

test('lists may be repeated or have commas; duplicates count once; an empty list means the default', () => {
  const read = (input: SettingsInput) => readSettings({ ...required, ...input }, null);
  assert.deepEqual(read({ notifyPhones: ['0491570006, +61 491 570 313', '0491 570 006'] }).notifyPhones, [
    '+61491570006',
    '+61491570313',
  ]);
  assert.deepEqual(read({ notifyEmails: ['a@b.example', 'c@d.example,a@b.example'] }).notifyEmails, [
    'a@b.example',
    'c@d.example',
  ]);
  assert.equal(read({ notifyPhones: [''] }).notifyPhones, null);
  assert.equal(read({ notifyEmails: [' , '] }).notifyEmails, null);
});

test('a sender is a number, a short code or a name', () => {
  const sender = (smsSender: string) => readSettings({ ...required, smsSender }, null).smsSender;
  assert.equal(sender('0491 570 006'), '+61491570006');
  assert.equal(sender('190123'), '190123');
  assert.equal(sender('CarltonMtrs'), 'CarltonMtrs');
  assert.equal(sender(''), null);
});

test('digests of answers are sent by e-mail, SMS, both or not at all', () => {
  for (const inboxNotices of ['email', 'sms', 'both', 'off']) {
    assert.equal(readSettings({ ...required, inboxNotices }, null).inboxNotices, inboxNotices);
  }
  assert.deepEqual(refused({ ...required, inboxNotices: 'fax' }), ['inboxNotices']);
});

test('a change keeps the settings that it does not name', () => {
  const first = {
    ...required,
    notifyPhones: ['0491570006'],
    smsSender: 'Carlton',
    inboxMessaging: 'off',
    inboxNotices: 'both',
    slug: 'cm',
  };
  const present = readSettings(first, null);
  assert.deepEqual(readSettings({}, present), present);
  assert.deepEqual(readSettings({ name: 'Other' }, present), { ...present, name: 'Other' });
  const cleared = readSettings({ notifyPhones: [''], smsSender: '', inboxMessaging: 'on' }, present);
  assert.deepEqual(cleared, {
    ...present,
    notifyPhones: null,
    smsSender: null,
    smsGateways: null,
    inboxMessagingEnabled: true,
  });
  assert.equal(readSettings({ country: 'GB' }, present).phone, present.phone);
  assert.equal(readSettings({ country: 'GB', phone: '07400 123456' }, present).phone, '+447400123456');
});

test('a change of the country checks the sender again', () => {
  const present = readSettings({ ...required, smsSender: 'Carlton' }, null);
  for (const input of [{ country: 'NZ' }, { country: 'us' }, { country: 'NZ', smsSender: 'Other' }]) {
    assert.throws(() => readSettings(input, present), /smsSender: .* is a name: .* show no names/);
  }
  for (const [smsSender, sender] of [
    ['', null],
    ['2441', '2441'],
    ['021 123 456', '+6421123456'],
  ] as const) {
    assert.equal(readSettings({ country: 'NZ', smsSender }, present).smsSender, sender);
  }
  // A value from before the rules stays until it, or the country, is changed.
  const stored = { ...present, smsSender: 'Carlton & Co' };
  assert.equal(readSettings({ name: 'Other' }, stored).smsSender, 'Carlton & Co');
  assert.equal(readSettings({ country: 'AU' }, stored).smsSender, 'Carlton & Co');
  assert.throws(() => readSettings({ smsSender: 'Carlton & Co' }, stored), /at most 11/);
});
