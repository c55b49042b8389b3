/** The way out of a refusal is one that the command line has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput, notFound, notOf, nouns, OperatorError } from '#base/operator-error.ts';
import { Problem } from '#errors.ts';
import { lineOf } from './failure.ts';
import { faultCodes, faultOf } from './hints.ts';
import { main } from './program.ts';

/** The help of a command, which fails for one that there is not. */
async function helpOf(command: string): Promise<string> {
  let help = '';
  const stdout = { write: (text: string) => (help += text) };
  assert.equal(await main([...command.split(' '), '--help'], {}, { stdout, stderr: stdout }), 0, command);
  assert.ok(help.startsWith(`Usage: pitlane ${command} `), `there is no command ${command}`);
  return help;
}

test('what is not there: the command that shows those that there are', async () => {
  assert.equal(lineOf(notFound('quote', 'X')), 'there is no quote X (pitlane quote list shows them)');
  const version = notOf({ what: 'template', id: 'T' }, 'version', '3');
  assert.equal(lineOf(version), 'template T has no version 3 (pitlane template versions T shows them)');
  assert.equal(version.message, 'template T has no version 3');
  for (const what of nouns) {
    const [, command = ''] = /\(pitlane (.*) shows them\)$/.exec(lineOf(notFound(what, 'X'))) ?? [];
    await helpOf(command.trim());
  }
});

test('no conversation, an unmatched SMS, a time that is not free', () => {
  const line = (refusal: OperatorError['refusal']) =>
    lineOf(new OperatorError('It fails', refusal === null ? {} : { refusal }));
  assert.equal(line(null), 'It fails');
  const talk = line({ code: 'noConversation', phone: '+61491570006' });
  assert.equal(talk, 'It fails: pitlane message send --phone +61491570006 begins one');
  assert.match(line({ code: 'noConversation', booking: '7K3M9QXW' }), /--booking 7K3M9QXW begins one$/);
  assert.match(line({ code: 'noWorkshop' }), /^It fails \(pitlane inbox unmatched shows it, .*--sms-sender/);
  assert.equal(
    lineOf(new Problem('060003', { message: 'Full' })),
    'Full; --anyway books it all the same, with the reason behind it',
  );
});

test('a fault names the option; with a code its message names commands and options that there are', async () => {
  const errors = [{ field: 'notifyPhones', message: 'is wrong' }] as const;
  assert.equal(lineOf(new InvalidInput(errors)), '--notify-phones is wrong');
  const options = (await Promise.all(['message send', 'customer list', 'booking list'].map(helpOf))).join();
  for (const code of faultCodes) {
    const { message } = faultOf({ field: 'x', message: '', code });
    assert.notEqual(message, '');
    for (const [command] of message.matchAll(/(?<=pitlane )[a-z-]+ [a-z-]+/g)) await helpOf(command);
    for (const [option] of message.matchAll(/--[a-z-]+/g)) assert.ok(options.includes(`${option} `), option);
  }
});
