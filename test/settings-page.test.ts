/** Every setting that config.ts reads is in the list of src/base/config/settings.ts, and the pages are made from that list. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { namesReadOf } from '#base/config/setting.ts';
import { allSettings } from '#base/config/settings.ts';
import { readConfig } from '#base/config.ts';
import { type SmsGatewayName, smsGatewayNames } from '#base/values/sms-gateways.ts';
import { exampleFile, withSettings } from '../scripts/settings-pages.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The settings that each gateway needs. */
const required: { readonly [Name in SmsGatewayName]: Readonly<Record<string, string>> } = {
  kannel: {
    KANNEL_USERNAME: 'u',
    KANNEL_PASSWORD: 'p',
    KANNEL_CALLBACK_TOKEN: '0123456789abcdef',
  },
  smpp: { SMPP_URL: 'smpp://smsc.example:2775', SMPP_SYSTEM_ID: 'u', SMPP_PASSWORD: 'p' },
  twilio: {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 't',
    TWILIO_API_KEY: `SK${'0'.repeat(32)}`,
    TWILIO_API_SECRET: 's',
    TWILIO_FROM: '+61400000000',
  },
  messagemedia: {
    MESSAGEMEDIA_API_KEY: 'k',
    MESSAGEMEDIA_API_SECRET: 's',
    MESSAGEMEDIA_CALLBACK_TOKEN: '0123456789abcdef',
  },
  clicksend: {
    CLICKSEND_USERNAME: 'u',
    CLICKSEND_API_KEY: 'k',
    CLICKSEND_CALLBACK_TOKEN: '0123456789abcdef',
  },
};

/** The names that readConfig asks the environment for, with every gateway configured. */
function namesRead(): Set<string> {
  const names = new Set<string>();
  const values: Record<string, string> = Object.assign(
    {
      PITLANE_SMS_GATEWAYS: smsGatewayNames.join(','),
      PITLANE_PUBLIC_URL: 'https://pitlane.example',
      SMTP_URL: 'smtp://u:p@mail.example',
      PITLANE_MAIL_FROM: 'noreply@example.com',
    },
    ...Object.values(required),
  );
  const environment = new Proxy<Record<string, string | undefined>>(values, {
    get(_, name) {
      names.add(String(name));
      return values[String(name)];
    },
  });
  readConfig(environment);
  return names;
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const namesAsked = sorted(namesRead());
/** Pages name a setting as it is called now. */
const former = new Set(allSettings.map(({ formerly }) => formerly));
const wanted = namesAsked.filter((name) => !former.has(name));
const exampleLines = [...read('.env.example').matchAll(/^#([A-Z][A-Z_]+)=(.*)$/gm)].map(
  ([, name = '', value = '']) => ({ name, value }),
);

test('the configuration is read by name', () => {
  assert.ok(wanted.includes('PORT') && wanted.includes('DATABASE_URL') && wanted.length >= 10);
});

test('the configuration reads what the list of settings has, and nothing else', () => {
  assert.deepEqual(sorted(allSettings.flatMap(namesReadOf)), namesAsked);
});

test('.env.example is what the list makes', () => {
  assert.equal(read('.env.example'), exampleFile(), 'run `npm run mirrors` and commit the result');
});

test('the tables of docs/operations/settings.md are what the list makes', () => {
  const page = read('docs/operations/settings.md');
  assert.equal(page, withSettings(page), 'run `npm run mirrors` and commit the result');
});

test('.env.example names every setting, each once, and no other', () => {
  const names = exampleLines.map(({ name }) => name);
  assert.deepEqual(sorted(names), wanted);
  assert.equal(new Set(names).size, names.length);
});

test('.env.example shows values that are accepted', () => {
  // A mail server needs a sender.
  const { PITLANE_MAIL_FROM } = Object.fromEntries(exampleLines.map(({ name, value }) => [name, value]));
  for (const { name, value } of exampleLines) {
    assert.doesNotThrow(() => readConfig({ PITLANE_MAIL_FROM, [name]: value }), name);
  }
});

test('the tables of docs/operations/settings.md name every setting, each once, and no other', () => {
  const names = [...read('docs/operations/settings.md').matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(
    ([, name = '']) => name,
  );
  assert.deepEqual(sorted(names), wanted);
  assert.equal(new Set(names).size, names.length);
});
