/** Help on every level. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere, succeed } from './run.ts';

const commands = [
  ...['serve', 'migrate', 'status', 'link', 'feature', 'config check', 'completion'],
  ...['audit list', 'link list', 'link show', 'lead list', 'lead show', 'reminder list', 'reminder show'],
  ...['partner show', 'workshop show', 'message show'],
  ...['partner create', 'partner list', 'partner suspend', 'partner activate', 'partner set'],
  ...['partner key create', 'partner key delete'],
  ...['workshop create', 'workshop set', 'workshop list', 'workshop calendar', 'workshop sms-account'],
  ...[
    'booking list',
    'booking show',
    'booking confirm',
    'booking complete',
    'booking cancel',
    'booking create',
    'booking move',
    'booking set',
    'availability',
    'message send',
  ],
  ...['template create', 'template publish', 'template unpublish', 'template list'],
  ...[
    'customer list',
    'customer show',
    'customer opt-out',
    'customer opt-in',
    'customer erase',
    'customer export',
    'customer merge',
  ],
  ...['inbox list', 'inbox show', 'inbox reply', 'inbox unmatched', 'sms preview'],
  ...['email test', 'email dkim-record', 'clock reset'],
  ...['gateway list', 'gateway test', 'message list'],
  ...['webhook list', 'webhook show', 'webhook deliveries', 'webhook enable', 'webhook disable'],
  ...['dead-letter list', 'dead-letter show', 'dead-letter retry', 'dead-letter discard'],
];

test('every command has help with examples, and takes --json', async () => {
  for (const command of commands) {
    const { stdout } = await succeed([...command.split(' '), '--help'], {});
    assert.match(stdout, new RegExp(`^Usage: pitlane ${command}\\b`));
    assert.match(stdout, new RegExp(`Examples:\\n {2}npx pitlane ${command}`));
    assert.match(stdout, /--json/);
  }
});

test('every group has help with examples, and shows it when nothing follows', async () => {
  for (const group of [
    '',
    'partner',
    'partner key',
    'workshop',
    'booking',
    'template',
    'customer',
    'inbox',
    'sms',
    'email',
    'gateway',
    'message',
    'reminder',
    'lead',
    'config',
    'webhook',
    'dead-letter',
    'clock',
  ]) {
    const words = group.split(' ').filter(Boolean);
    assert.match((await succeed([...words, '--help'], {})).stdout, /Examples:\n {2}npx pitlane /);
    const bare = await runHere(words, {});
    assert.deepEqual([bare.code, bare.stdout], [2, '']);
    assert.match(bare.stderr, /^Usage: pitlane/);
  }
});

test('the version is the package’s', async () => {
  assert.match((await succeed(['--version'], {})).stdout, /^\d+\.\d+\.\d+\n$/);
});
