/** `pitlane config check`: every bad setting at once, what looks like a mistake, and what sends. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Environment, runHere } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitlane-check-'));
after(() => rmSync(folder, { recursive: true }));

async function check(env: Environment, ...options: string[]) {
  const { code, stdout, stderr } = await runHere(['config', 'check', '--json', ...options], env);
  return { code, stderr, ...JSON.parse(stdout) };
}

const twilio = {
  PITLANE_SMS_GATEWAYS: 'twilio',
  PITLANE_PUBLIC_URL: 'https://pitlane.example.com',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'hunter2',
  TWILIO_FROM: '+61400000000',
};

test('good settings: where things go, without a secret', async () => {
  const env = {
    ...twilio,
    DATABASE_URL: 'postgres://pitlane:hunter2@db.example:5432/pitlane',
    DATABASE_REPLICA_URL: 'postgres://pitlane:hunter2@replica.example:5001/pitlane',
    PITLANE_SECRET_KEY: '0'.repeat(64),
    SMTP_URL: 'smtp://u:hunter2@mail.example:587',
    PITLANE_MAIL_FROM: 'a@example.com',
  };
  const { code, stderr, ...found } = await check(env, '--strict');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(found, {
    ok: true,
    settingsFile: null,
    faults: [],
    warnings: [],
    config: {
      database: { embedded: false, place: 'db.example:5432/pitlane' },
      replica: 'replica.example:5001/pitlane',
      address: 'http://localhost:3000',
      role: 'all',
      publicUrl: 'https://pitlane.example.com',
      gateways: { sms: ['twilio'], email: 'smtp' },
      secretKey: { from: 'PITLANE_SECRET_KEY', fingerprint: '7247d7f4', former: [] },
    },
  });
  const { stdout } = await runHere(['config', 'check'], env);
  assert.match(
    stdout,
    /\nSMS +twilio\ne-mail +mail\.example:587\nsecret key +PITLANE_SECRET_KEY, fingerprint [0-9a-f]{8}\n\nEvery setting can be used\.\n$/,
  );
  assert.doesNotMatch(stdout + JSON.stringify(found), /hunter2/);
});

test('without settings the sandbox keeps everything, and nothing is warned of', async () => {
  const { stdout } = await runHere(['config', 'check', '--strict'], {});
  assert.match(stdout, /SMS +the sandbox: nothing is sent\ne-mail +the sandbox: nothing is sent\n/);
});

test('every fault at once: what can not be read, what is missing, what would be refused, none with its value', async () => {
  const { code, faults, config, stderr } = await check({
    PORT: '80a',
    PITLANE_SMS_GATEWAYS: 'twilio,messagemedia',
    PITLANE_PUBLIC_URL: 'hunter2',
    TWILIO_ACCOUNT_SID: 'hunter2',
    TWILIO_API_SECRET: 'hunter2',
    MESSAGEMEDIA_API_SECRET_FILE: '/nowhere',
    SMTP_URL: 'smtp://hunter2/path',
    SMTP_TLS: 'perhaps',
    PITLANE_MAIL_FROM: 'nobody',
    PITLANE_DKIM_SELECTOR: '-',
  });
  assert.deepEqual([code, config], [1, null]);
  const named = [
    ...['PORT=80a', 'PITLANE_PUBLIC_URL must', 'TWILIO_ACCOUNT_SID must', 'TWILIO_AUTH_TOKEN or'],
    ...['TWILIO_API_KEY must', 'TWILIO_FROM or', 'MESSAGEMEDIA_API_KEY must'],
    ...["MESSAGEMEDIA_API_SECRET_FILE can't be read (ENOENT)", 'MESSAGEMEDIA_PUBLIC_KEY must'],
    ...['PITLANE_MAIL_FROM must', 'SMTP_URL must', 'SMTP_TLS=perhaps', 'PITLANE_DKIM_DOMAIN must'],
    ...['PITLANE_DKIM_SELECTOR is', 'PITLANE_DKIM_KEY or'],
  ];
  assert.deepEqual(
    faults.map((fault: string, n: number) => fault.slice(0, named[n]?.length)),
    named,
  );
  assert.doesNotMatch(faults.join(), /hunter2/);
  assert.deepEqual(JSON.parse(stderr), { error: { kind: 'refused', message: "15 settings can't be used" } });

  const open = { HOST: '0.0.0.0', PITLANE_WEBHOOKS_ALLOW_PRIVATE: 'on' };
  const refused = await check(open);
  assert.equal(refused.faults.length, 2);
  assert.equal(refused.code, 1);

  const many = { PITLANE_DB_POOL: '101' };
  assert.match(
    (await check({ ...open, ...many })).faults[2],
    /^PITLANE_DB_POOL=101 is more than the embedded/,
  );
  assert.deepEqual((await check({ ...many, DATABASE_URL: 'postgres://h/d' })).faults, []);
  assert.match(
    (await check({ DATABASE_REPLICA_URL: 'postgres://r/d' })).faults[0],
    /^DATABASE_REPLICA_URL is set without DATABASE_URL/,
  );
});

test('what looks like a mistake is a warning: 0, and with --strict 1', async () => {
  const cases: readonly (readonly [Environment, RegExp])[] = [
    [{ PITLANE_PORT: '1' }, /^PITLANE_PORT is no setting: did you mean PORT\?$/],
    [{ TWILIO_AUTH_TOKEN_FILE: '/x' }, /^TWILIO_AUTH_TOKEN_FILE: not looked at until .* names twilio$/],
    [{ SMTP_PASSWORD: 'hunter2' }, /^SMTP_PASSWORD: not looked at without SMTP_URL$/],
    [{ ...twilio, TWILIO_URL: 'https://api.sydney.au1.twilio.com' }, /^TWILIO_URL is Sydney's .* no SMS/],
    [{ ...twilio, PITLANE_PUBLIC_URL: 'http://p.example' }, /^PITLANE_PUBLIC_URL begins with http:/],
    [
      { SMTP_URL: 'smtp://m.example', PITLANE_MAIL_FROM: 'a@example.com' },
      /^PITLANE_PUBLIC_URL is not set: messages have no links/,
    ],
    [{ DATABASE_URL: 'postgres://h/d' }, /^PITLANE_SECRET_KEY is not set/],
  ];
  for (const [env, warning] of cases) {
    const found = await check(env);
    assert.deepEqual([found.code, found.warnings.length], [0, 1], JSON.stringify(found));
    assert.match(found.warnings[0], warning);
  }
  assert.equal((await check({ PITLANE_PORT: '1' }, '--strict')).code, 1);
});

test('an empty variable does not hide the line of the file, and is named', async () => {
  const path = join(folder, 'empty.env');
  writeFileSync(path, 'DATABASE_URL=postgres://pitlane:hunter2@db.example:5432/pitlane\nPORT=3001\nHOST=\n');
  const key = { PITLANE_SECRET_KEY: '0'.repeat(64), PITLANE_ENV_FILE: path };
  // An empty one that the file does not set, or sets empty too, hides nothing.
  const empty = { DATABASE_URL: '', HOST: '', LOG_LEVEL: '', PORT: '3002' };
  const { stdout } = await runHere(['config', 'check', '--json'], { ...key, ...empty });
  const { config, warnings } = JSON.parse(stdout);
  assert.deepEqual(config.database, { embedded: false, place: 'db.example:5432/pitlane' });
  assert.equal(config.address, 'http://localhost:3002');
  assert.deepEqual(
    warnings.filter((line: string) => line.includes('empty')),
    [`DATABASE_URL is empty in the environment, which counts as not set: the line of ${path} holds`],
  );
});

test('the file that was read is named, and its lines that set nothing, without their text', async () => {
  const path = join(folder, '.env');
  const lines = [
    ...['# a comment', '', 'PORT=3001', 'PITLANE_DKIM_KEY="-----BEGIN', 'MIIhunter2', '-----END" # the key'],
    ...['MIIhunter2', "export PITLANE_ROLE='api'", '  FOO: bar', "# it's a comment", 'LOG_LEVEL=info'],
  ];
  writeFileSync(path, lines.join('\r\n'));
  const { code, stdout, stderr } = await runHere(['config', 'check', '--json'], { PITLANE_ENV_FILE: path });
  assert.deepEqual([code, stderr], [0, '']);
  const { settingsFile, warnings, config } = JSON.parse(stdout);
  assert.deepEqual([settingsFile, config.role, config.address], [path, 'api', 'http://localhost:3001']);
  assert.deepEqual(warnings, [
    `${path} line 7 has no = and sets nothing`,
    `${path} line 9 has no = and sets nothing`,
    'PITLANE_DKIM_KEY: not looked at without SMTP_URL',
  ]);

  const absent = await runHere(['config', 'check'], {
    PITLANE_ENV_FILE: join(folder, 'absent'),
    PORT: '80a',
  });
  assert.equal(absent.code, 1);
  assert.match(absent.stdout, /fault: \S+absent can't be read \(ENOENT\)\nfault: PORT=80a/);
});
