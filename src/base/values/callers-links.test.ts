import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hostileText, plainLinks, strangeLink } from '../../../test/fixtures/hostile-texts.ts';
import { addressShownBy, holdsLink, regoShownBy, withBrokenLinks, withoutLinks } from './callers-links.ts';

test('what phones and mail programs link is a link, however it is hidden; anything else is not (specification: Notices 23)', () => {
  for (const link of plainLinks) assert.ok(holdsLink(`Pay at ${link} now`), link);
  const texts = [
    'Sam Taylor',
    'J.R. Smith',
    'J.Smith',
    'Dr.Müller',
    'e.g. 1.5 mm',
    '10.30am',
    'A: B',
    '//',
    'U.S.A.',
  ];
  for (const text of texts) assert.ok(!holdsLink(text), text);
});

test('an SMS has a text without the words that are links, an e-mail has all of it, with spaces (specification: Notices 23)', () => {
  const cases = [
    ["Bob's Tyres.com.au", "Bob's", "Bob's Tyres. com. au"],
    ['Pay at https://evil.example/pay, now', 'Pay at now', 'Pay at https: //evil. example/pay, now'],
    ['Squeaks.\nSee www.x.example\nBye', 'Squeaks.\nSee\nBye', 'Squeaks.\nSee www. x. example\nBye'],
    ['J.Smith', 'J. Smith', 'J. Smith'],
    ['ask bob@evil.com', 'ask', 'ask bob @ evil. com'],
    ['ev\u200bil。com x', 'x', 'evil。 com x'],
    ['1.2.3.4', '', '1. 2. 3. 4'],
  ] as const;
  for (const [text, sms, email] of cases)
    assert.deepEqual([withoutLinks(text), withBrokenLinks(text)], [sms, email]);
});

test('marks in any number hide no link, and cost no time', () => {
  const marks = 'a\u0301\u0323'.padEnd(20_000, '\u0301\u0323');
  for (const link of ['ｅｖｉｌ．ｃｏｍ', 'ｈｔｔｐｓ：／／evil', 'evil。ｃｏｍ/']) {
    const begun = process.cpuUsage();
    assert.ok(holdsLink(`${marks} ${link}${marks}`), link);
    assert.equal(withoutLinks(`Pay ${link} ${marks}`), `Pay ${marks}`);
    assert.ok(process.cpuUsage(begun).user < 1_000_000);
  }
});

test('texts without a link stay as they are, to the character', () => {
  for (const text of [
    'Sam  Taylor',
    ' a\n\n b',
    'e.g. at 10.30 a.m.: 1.5 mm',
    'Ava می‌خواهم',
    '👩‍🔧 ok',
    'Ångström ﬁ',
  ])
    assert.deepEqual([withoutLinks(text), withBrokenLinks(text)], [text, text]);
});

test('a rego with a link, or that is a phone number, is "your car" in an SMS (specification: Notices 23)', () => {
  const shown = ['HTTPS://EVIL.EXAMPLE/PAY', '0491570006', 'ABC123', '12345678', 'M-AB1234'];
  assert.deepEqual(
    shown.map((rego) => regoShownBy('sms', rego)),
    ['your car', 'your car', 'ABC123', '12345678', 'M-AB1234'],
  );
  assert.equal(regoShownBy('email', 'HTTPS://EVIL.EXAMPLE'), 'HTTPS: //EVIL. EXAMPLE');
});

test('a checked address is shown as it is, unless its first part would be a link', () => {
  for (const address of ['sam@x.example', "o'neil+car@b.example", 'a.b.com@x.example'])
    assert.equal(addressShownBy('email', address), address);
  for (const address of ['www.evil.com@x.example', 'evil.com/pay@x.example'])
    assert.equal(strangeLink(addressShownBy('email', address)), null, address);
});

test('no text, however hostile, keeps a link', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      for (const shown of [withoutLinks(text), withBrokenLinks(text), regoShownBy('sms', text)])
        assert.equal(strangeLink(shown), null, JSON.stringify(shown));
    }),
    { numRuns: 5_000 },
  );
});
