import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isEmail } from './email.ts';

test('addresses of the usual form are accepted', () => {
  const local = 'a'.repeat(64);
  for (const text of [
    'a@b.co',
    "o'neil+x@mail.example.com",
    'A.B@EXAMPLE.COM.AU',
    `${local}@example.com`,
    'a@1.2.3d',
    `a@${'b'.repeat(63)}.com`,
  ]) {
    assert.ok(isEmail(text), text);
  }
  fc.assert(fc.property(fc.emailAddress(), isEmail));
});

test('other texts are refused', () => {
  const refused = [
    ...[
      '',
      '@',
      'a',
      'a@',
      '@b.co',
      'a@b',
      'a b@c.co',
      'a@b..co',
      '.a@b.co',
      'a.@b.co',
      'a..b@c.co',
      'a@b.co\n',
      'a@-b.co',
    ],
    ...[
      'Ann <a@b.co>',
      'a@b.co, c@d.co',
      'a@b.co\u0000',
      'a\r\nBcc: x@y.zz@b.co',
      'a@[127.0.0.1]',
      '"a b"@c.co',
      'ä@b.co',
    ],
    ...['a@b.123', 'a@127.0.0.1', `a@${'b'.repeat(64)}.com`, `a@b.${'c'.repeat(64)}`],
    ...[
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(60)}.${'c.'.repeat(96)}com`,
      `a@${'a-'.repeat(50_000)}`,
    ],
  ];
  for (const text of refused) assert.equal(isEmail(text), false, JSON.stringify(text.slice(0, 80)));
});
