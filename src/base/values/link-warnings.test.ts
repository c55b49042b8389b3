import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { linkWarnings } from './link-warnings.ts';

const good = [
  'No link.',
  'See https://pitlane.example/b/7K3M9QXW?a=1&b=2#top or call us.',
  'https://pitlane.example/',
  'https://pitlane.example/café',
  'https://pitlane.example\nNew line',
  'Write to desk@harbour.example or first.last@a.b.example, please.',
  'At 9.30 am, e.g. on 3.3.2026. Bring 2.5 l. Mr. Ng, St. Kilda... etc.',
  'Version 1.2.3, $4.50, A.B.',
];

test('safe links, and texts without links, have no warnings', () => {
  for (const text of good) assert.deepEqual(linkWarnings(text), [], text);
});

const bad: readonly [string, RegExp][] = [
  ['See https://a.example/z.', /^https:\/\/a\.example\/z\. ends with \., .*put a space before it$/],
  ['See https://a.example/z, please', /ends with ,/],
  ['(https://a.example)', /not separated .*put a space there/],
  ['(see https://a.example/z).', /ends with \)\./],
  ['“https://a.example/z”', /ends with ”/],
  ['https://a.example/z...', /ends with \.\.\./],
  ['Book:https://a.example/z now', /not separated/],
  [
    'https://müller.example/č',
    /\(č\), which make the whole text UCS-2: write https:\/\/xn--mller-kva\.example\/%C4%8D$/,
  ],
  [
    'Book at pitlane.example/b now',
    /^pitlane\.example\/b is no link on every phone: write https:\/\/pitlane\.example\/b$/,
  ],
  ['Book at www.pitlane.com.au.', /^www\.pitlane\.com\.au is no link/],
  ['Book at www.pitlane.com.au.', /write https:\/\/www\.pitlane\.com\.au$/],
  [
    'At pitlane.example/b).',
    /^pitlane\.example\/b is .* https:\/\/pitlane\.example\/b, with a space behind it$/,
  ],
  ['Thanks.au and harbour.nz', /harbour\.nz is no link/],
];

test('a warning names the link that is likely to break, and the way out', () => {
  for (const [text, warning] of bad) {
    const warnings = linkWarnings(text);
    assert.ok(
      warnings.some((one) => warning.test(one)),
      `${text}: ${warnings}`,
    );
  }
});

test('each link is named once, and any text is checked quickly', () => {
  assert.equal(linkWarnings('a.example a.example').length, 1);
  for (const text of [
    'a.'.repeat(50_000),
    'https://'.repeat(20_000),
    `${'a-'.repeat(50_000)}.`,
    'https://a.example/'.concat('.'.repeat(50_000), 'x'),
  ]) {
    linkWarnings(text);
  }
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (text) => void linkWarnings(text)),
  );
});
