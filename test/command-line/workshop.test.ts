/** `pitlane workshop, link and feature`: in words, as JSON, with bad options, with unknown ids. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { fail, json, succeed } from './run.ts';
import { commandWorld, find, workshopOptions } from './world.ts';

const { env, partnerId, workshopId } = await commandWorld();

test('create, set and list', async () => {
  const made = await json(['workshop', 'create', ...workshopOptions, '--inbox-messaging', 'off'], env);
  assert.deepEqual(Object.keys(made), ['workshopId', 'slug']);
  assert.match(
    (await succeed(['workshop', 'create', ...workshopOptions], env)).stdout,
    /slug +carlton-motors-2\n$/,
  );
  const notify = [
    '--notify-phones',
    '0491570006,0491570313',
    '--notify-phones',
    '0491570737',
    '--sms-sender',
    'Carlton',
  ];
  const set = await json(['workshop', 'set', made.workshopId, '--name', 'Renamed', ...notify], env);
  assert.deepEqual(set.notifyPhones, ['+61491570006', '+61491570313', '+61491570737']);
  assert.deepEqual([set.name, set.smsSender, set.inboxMessagingEnabled], ['Renamed', 'Carlton', false]);
  const cleared = [
    'workshop',
    'set',
    made.workshopId,
    '--notify-phones',
    '',
    '--notify-emails',
    'a@b.example',
  ];
  assert.match((await succeed(cleared, env)).stdout, /notifyPhones\nnotifyEmails +a@b.example\n/);
  assert.match(
    (await succeed(['workshop', 'list'], env)).stdout,
    /Renamed +carlton-motors +\(03\) 5550 0101 /,
  );
  assert.equal(
    find(await json(['workshop', 'list'], env), 'workshopId', made.workshopId)?.['name'],
    'Renamed',
  );
});

test('show: hours, bays and colour; set --colour; the only workshop, or that of PITLANE_WORKSHOP, need not be named', async () => {
  assert.equal((await json(['workshop', 'set', 'base', '--colour', '#0A7d5a'], env)).colour, '#0A7d5a');
  const { stdout } = await succeed(['workshop', 'show', 'base'], env);
  assert.match(stdout, /colour +#0A7d5a\n/);
  assert.match(stdout, /bays +1\n/);
  assert.match(stdout, /hours +Mon to Fri 08:00-17:00; Sat to Sun closed\n/);
  assert.match(stdout, /phone +\(\d\d\) \d{4} \d{4}\n/);
  const named = { ...env, PITLANE_WORKSHOP: 'base' };
  const shown = await json(['workshop', 'show'], named);
  assert.deepEqual([shown.workshopId, shown.bays], [workshopId, 1]);
  assert.deepEqual(shown.hours.monday, [{ from: '08:00', to: '17:00' }]);
  await fail(['workshop', 'show'], env, 2, /name the workshop: --workshop base, or carlton-motors, or/);
  await fail(['workshop', 'show'], { ...env, PITLANE_WORKSHOP: 'nowhere' }, 1, /no workshop nowhere/);
  await fail(['workshop', 'set', 'base', '--colour', 'red'], env, 2, /--colour "red" is not a colour/);
  assert.equal((await json(['workshop', 'set', 'base', '--colour', ''], env)).colour, null);
});

test('calendar: the whole address', async () => {
  const calendar = ['workshop', 'calendar', 'base'];
  const local = await succeed(calendar, env);
  assert.match(local.stdout, /^http:\/\/localhost:3000\/calendar\/\S+\.ics\n$/);
  assert.match(local.stderr, /PITLANE_PUBLIC_URL/);
  const there = await json(calendar, { ...env, PITLANE_PUBLIC_URL: 'https://book.example' });
  assert.match(there.url, /^https:\/\/book\.example\/calendar\/\S+\.ics$/);
});

test('link and feature, on and off', async () => {
  const link = { partnerId, workshopId, active: true };
  assert.deepEqual(await json(['link', partnerId, workshopId], env), link);
  assert.deepEqual(await json(['link', partnerId, workshopId, '--off'], env), { ...link, active: false });
  assert.match((await succeed(['link', partnerId, workshopId], env)).stdout, /is on\n$/);
  assert.match((await succeed(['feature', partnerId, 'messaging', 'off'], env)).stdout, /messaging is off/);
  assert.equal((await json(['feature', partnerId, 'messaging', 'on'], env)).enabled, true);
});

test('booking-link makes a link for a partner, and revokes it', async () => {
  await json(['link', partnerId, workshopId], env);
  const command = ['workshop', 'booking-link', workshopId, '--partner', partnerId];
  const settings = {
    ...env,
    PITLANE_SECRET_KEY: 'ab'.repeat(32),
    PITLANE_PUBLIC_URL: 'https://book.example/',
  };
  const made = await json(command, settings);
  assert.deepEqual({ ...made, url: '' }, { workshopId, partnerId, url: '', expiresAt: null });
  assert.match(made.url, /^https:\/\/book\.example\/book\/base\?k=[\w-]{60,}$/);
  assert.deepEqual(await json([...command, '--revoke'], settings), { workshopId, partnerId });
  await fail(['workshop', 'booking-link', workshopId], settings, 2, /--partner <id>/);
  await fail(
    ['workshop', 'booking-link', newId(), '--partner', partnerId],
    settings,
    1,
    /there is no workshop/,
  );
  await json(['link', partnerId, workshopId, '--off'], env);
  await fail(command, settings, 1, /Partner integration is disabled/);
  await json(['link', partnerId, workshopId], env);
});

test('every fault is named', async () => {
  await fail(
    ['workshop', 'create', '--country', 'XX', '--timezone', 'Mars', '--email', 'x'],
    env,
    2,
    /--name is required; --country "XX" is not .*; --timezone "Mars" .*; --email "x" .*; --phone is required/,
  );
  await fail(
    ['workshop', 'create', ...workshopOptions, '--slug', 'base', '--json'],
    env,
    2,
    /--slug "base" is the slug of another/,
  );
  await fail(['workshop', 'set', workshopId], env, 2, /nothing to set/);
  await fail(['workshop', 'set', workshopId, '--json'], env, 2, /nothing to set/);
  await fail(
    ['workshop', 'set', workshopId, '--notify-phones', '12'],
    env,
    2,
    /--notify-phones "12" is not a phone/,
  );
  await fail(
    ['workshop', 'set', workshopId, '--inbox-messaging', 'x'],
    env,
    2,
    /--inbox-messaging must be on or off/,
  );
  await fail(['workshop', 'set', newId(), '--name', 'x'], env, 1, /there is no workshop/);
  await fail(['workshop', 'list', '--bad'], env, 2, /unknown option/);
  await fail(['link', newId(), workshopId], env, 1, /there is no partner/);
  await fail(['link', partnerId, 'nowhere'], env, 1, /there is no workshop nowhere/);
  await fail(['link', partnerId], env, 2, /missing required argument 'workshop'/);
  await fail(['feature', partnerId, 'teleport', 'on'], env, 2, /there is no feature "teleport"/);
  await fail(['feature', partnerId, 'messaging', 'maybe'], env, 2, /"maybe" is neither on nor off/);
  await fail(['feature', newId(), 'messaging', 'on'], env, 1, /there is no partner/);
});

test('a sender that the country does not allow is refused; of one that is allowed it is said what to know', async () => {
  const { workshopId: id } = await json(['workshop', 'create', ...workshopOptions, '--slug', 'sender'], env);
  const set = (...options: string[]) => ['workshop', 'set', id, ...options];
  const { stderr } = await succeed(set('--sms-sender', 'Carlton', '--json'), env);
  assert.match(stderr, /^Carlton: Australia's networks .*\nCarlton: customers can't answer a name, .*\n$/);
  assert.equal((await succeed(set('--name', 'Other', '--json'), env)).stderr, '');
  await fail(
    set('--country', 'NZ'),
    env,
    2,
    /--sms-sender "Carlton" is a name: New Zealand's networks show no names/,
  );
  const moved = await json(set('--country', 'NZ', '--sms-sender', '2441'), env);
  assert.deepEqual([moved.country, moved.smsSender], ['NZ', '2441']);
  await fail(set('--sms-sender', 'x'), env, 2, /--sms-sender "x" is a name/);
  const create = ['workshop', 'create', ...workshopOptions, '--slug', 'sender-2', '--json'];
  assert.match((await succeed([...create, '--sms-sender', 'Carlton'], env)).stderr, /Register/);
});

test('gateways that these settings lack are named in a warning, and stored', async () => {
  const set = (names: string, more: Readonly<Record<string, string>> = {}) =>
    succeed(['workshop', 'set', workshopId, '--sms-gateways', names], { ...env, ...more });
  const smpp = { SMPP_URL: 'smpp://smsc.example', SMPP_SYSTEM_ID: 'u', SMPP_PASSWORD: 'p' };
  const partly = await set('kannel,smpp', { PITLANE_SMS_GATEWAYS: 'smpp', ...smpp });
  assert.match(partly.stderr, /^Not in PITLANE_SMS_GATEWAYS or .* here: kannel\. /);
  assert.match(partly.stdout, /smsGateways +kannel, smpp\n/);
  assert.equal((await set('smpp', { PITLANE_SMS_GATEWAYS: 'smpp', ...smpp })).stderr, '');
  assert.equal((await set('')).stderr, '');
});
