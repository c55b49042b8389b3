/** `pitlane workshop sms-account`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { type Environment, fail, json, runHere, succeed } from './run.ts';
import { commandWorld } from './world.ts';

const { env, workshopId } = await commandWorld();

test('set, changed, and taken away again', async () => {
  const command = ['workshop', 'sms-account', workshopId, 'messagemedia'];
  for (const account of ['Harbour', 'Carlton']) {
    assert.deepEqual(await json([...command, account], env), [
      { workshopId, gateway: 'messagemedia', account },
    ]);
  }
  assert.match((await succeed([...command, 'Carlton'], env)).stdout, /^messagemedia +Carlton$/m);
  assert.match((await succeed(command, env)).stdout, /the installation's accounts/);
  await fail(['workshop', 'sms-account', newId(), 'twilio', 'x'], env, 1, /the account must be a Messaging/);
});

const gateways = {
  ...env,
  ...{ PITLANE_SMS_GATEWAYS: 'twilio,smpp', PITLANE_PUBLIC_URL: 'https://pitlane.example.com' },
  ...{ TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+61400000000' },
  ...{ SMPP_URL: 'smpp://smsc.example', SMPP_SYSTEM_ID: 'u', SMPP_PASSWORD: 'p', SMPP_SOURCE: 'Pitlane' },
};
const checked = async (settings: object, code = 0) => {
  const result = await runHere(['config', 'check', '--json'], settings as Environment);
  assert.equal(result.code, code, result.stdout + result.stderr);
  return JSON.parse(result.stdout) as { faults: string[]; warnings: string[] };
};
/** Without the warnings of the test's own settings. */
const ofSenders = ({ warnings }: { warnings: string[] }) => warnings.filter((line) => / through /.test(line));

test('names of which nobody has said that they are registered, at each gateway that may send: config check and doctor (specification: Partners and workshops 10)', async () => {
  const named = async (...gateway: string[]) => json(['workshop', 'sms-name', workshopId, ...gateway], env);
  const { slug } = await json(['workshop', 'show', workshopId], env);
  const own =
    /^Workshops in AU without a sender of their own send as Pitlane through smpp, and nobody has said/;
  assert.match(ofSenders(await checked(gateways))[0] ?? '', own);
  const said = { ...gateways, PITLANE_SMS_NAMES_REGISTERED: 'smpp' };
  assert.deepEqual(ofSenders(await checked(said)), []);

  await fail(['workshop', 'sms-name', workshopId, 'twilio'], env, 1, /sends under no name of its own/);
  await succeed(['workshop', 'set', workshopId, '--sms-sender', 'Harbour'], env);
  await fail(['workshop', 'sms-name', workshopId, 'pigeon'], env, 1, /must be one of: kannel, smpp/);
  const both = ofSenders(await checked(gateways));
  assert.deepEqual(
    both.map((line) => /(?<=as Harbour through )\w+/.exec(line)?.[0]),
    ['twilio', 'smpp'],
  );
  assert.match(
    both[0] ?? '',
    new RegExp(`SMS Sender ID Register.* pitlane workshop sms-name ${slug} twilio$`),
  );
  assert.deepEqual(await named('twilio'), [{ workshopId, gateway: 'twilio', name: 'Harbour' }]);
  await named('smpp');
  assert.deepEqual(ofSenders(await checked(gateways)), []);
  assert.equal((await named('twilio', '--withdraw')).length, 1);
  const { senders } = await json(['doctor'], gateways);
  assert.deepEqual(
    senders.map(({ kind, workshopId: of }: Record<string, string>) => [kind, of]),
    [['notRegistered', workshopId]],
  );
  assert.match((await succeed(['doctor'], gateways)).stdout, /sends as Harbour through twilio/);
  // Another name has to be registered again.
  await succeed(['workshop', 'set', workshopId, '--sms-sender', 'Harbour M'], env);
  assert.equal(ofSenders(await checked(gateways)).length, 2);
});

test('a sender that the country refuses is named; in Australia a name without a public address is a fault', async () => {
  const alone = { ...gateways, PITLANE_SMS_GATEWAYS: 'smpp', PITLANE_PUBLIC_URL: '' };
  const [fault = ''] = (await checked(alone, 1)).faults;
  assert.match(fault, /sends no reminders and campaigns \(noWayOut\).*: set PITLANE_PUBLIC_URL, or pitlane/);
  const { code, stdout } = await runHere(['doctor'], alone);
  assert.equal(code, 1);
  assert.match(stdout, /smsSender +base sends no reminders.*\n1 workshops: 1 found, 0 repaired/);
  await succeed(['workshop', 'set', workshopId, '--country', 'NZ', '--sms-sender', ''], env);
  assert.match(
    ofSenders(await checked(gateways))[0] ?? '',
    /^Workshops in NZ without a sender of their own, through smpp: "Pitlane" is a name: New Zealand's networks/,
  );
  assert.deepEqual((await checked(alone)).faults, [], 'elsewhere the text says whom to call');
});
