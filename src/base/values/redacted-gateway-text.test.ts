import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { redactedGatewayText } from './redacted-gateway-text.ts';

test("a gateway's sentences and codes stay as they are", () => {
  for (const words of [
    'Away',
    'NACK/0x00000045/Submit failed',
    'rejected: the number is blocked (302)',
    'Message delivery receipt expired',
    'Absent Subscriber. Phone is out of range or switched off.',
    'stat:UNDELIV err:069',
    'Twilio 30005: unknown destination handset.',
    'Er hat 3 Telefone, außer Betrieb – später (1.5 h)',
    'Not routable. Do not try again.',
    'ClickSend does not take the user name and key (CLICKSEND_USERNAME).',
    'Kannel does not take the user name and password (KANNEL_USERNAME).',
    'The connection to the gateway ended before it answered (ECONNRESET).',
    "None of the workshop's SMS gateways is configured here: kannel, smpp.",
  ]) {
    assert.equal(redactedGatewayText(words), words);
  }
});

test('addresses, credentials and phone numbers are left out', () => {
  for (const [said, told] of [
    ['Blacklisted +61491570006 for good', 'Blacklisted … for good'],
    ['to 61491570006: no', 'to …: no'],
    ['to 0491 570 006, no', 'to …, no'],
    ['to (02) 5550 1234, no', 'to …, no'],
    ['to +61 491-570-006.', 'to ….'],
    ['see https://user:pass@api.example/errors?key=1 please', 'see … please'],
    ['see www.example.com/errors please', 'see … please'],
    ['connect ECONNREFUSED 10.0.0.5:13013', 'connect ECONNREFUSED …'],
    ['mailbox a.b+c@mail.example is full', 'mailbox … is full'],
    ['wrong password=hunter2 given', 'wrong password=… given'],
    ['{"token": "abc"}', '{"token": …'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic …'],
    ['used Bearer abc.def.ghi here', 'used Bearer … here'],
    ['account AC0123456789abcdef0123456789abcdef is closed', 'account … is closed'],
    ['id 0198c6a3-0000-7000-8000-000000000001 is gone', 'id … is gone'],
  ] as const) {
    assert.equal(redactedGatewayText(said), told);
  }
});

test('one line, of at most 200 characters, that PostgreSQL takes', () => {
  assert.equal(redactedGatewayText(' a\r\n\tb\0c\u202e '), 'a b c');
  assert.equal(redactedGatewayText(''), '');
  assert.equal([...redactedGatewayText('no. '.repeat(1e6))].length, 200);
  assert.equal([...redactedGatewayText('🚗 '.repeat(1_000))].length, 200);
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 2_000 }), (text) => {
      const words = redactedGatewayText(text);
      assert.ok([...words].length <= 200 && words.isWellFormed());
      assert.doesNotMatch(words, /[\0\r\n]|\d{7}/);
    }),
  );
});

test('any text is redacted quickly', () => {
  const started = process.cpuUsage();
  for (const piece of ['0 ', '(', '+', 'a1', '=', '@', ':/', '1.', 'password', ' - ', '0(-.)', 'Basic ']) {
    redactedGatewayText(piece.repeat(100_000));
  }
  assert.ok(process.cpuUsage(started).user < 5_000_000);
});
