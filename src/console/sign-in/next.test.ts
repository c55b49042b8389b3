/** Nobody is led away from the console by a link to its sign-in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readNext } from './next.ts';

test('a path below /console is kept, with its query', () => {
  for (const path of [
    '/console',
    '/console/',
    '/console/w/base/today?date=2027-03-01',
    '/console?x=%2F%2Fevil',
  ])
    assert.equal(readNext(path), path);
  assert.equal(readNext('/console/me#top'), '/console/me');
  assert.equal(readNext('/console/w/a/../b/today'), '/console/w/b/today');
});

test('all else is ignored', () => {
  const others = [
    ...[undefined, '', '/', '/consoles', '/docs', 'console', 'https://evil.example/console'],
    ...[
      '//evil.example',
      '///evil.example/console',
      '/\\evil.example',
      '\\\\evil.example',
      '/console\\..\\..\\evil',
    ],
    ...[
      '/console/..',
      '/console/../docs',
      '/console/../',
      '/console/%2e%2e/docs',
      '/console/.%2E/',
      '/console/../../evil',
    ],
    ...[
      '/console//evil.example',
      '/console/..//evil.example',
      '/console/%2e%2e//evil.example',
      '/console@evil.example',
    ],
    ...[
      '/\t/evil.example',
      '/con\nsole',
      '/console/\u0000',
      ' /console',
      '%2Fconsole',
      '/%2fconsole',
      '/console:80',
    ],
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      '/console/sign-in',
      '/console/sign-out',
      '/console/sign-in/kept',
    ],
    `/console/${'a'.repeat(2_000)}`,
  ];
  for (const text of others) assert.equal(readNext(text), null, JSON.stringify(text));
});

test('whatever it is, a browser stays on this site, below /console (specification: People and their sign-in 6)', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    'console',
    'evil.example',
    '@',
    ':',
    '?',
    '#',
    '\t',
    ';',
    '//',
  );
  const text = fc.array(part, { maxLength: 8 }).map((parts) => `/console${parts.join('')}`);
  fc.assert(
    fc.property(text, (given) => {
      const next = readNext(given);
      if (next === null) return;
      const { origin, pathname } = new URL(next, 'https://office.example');
      assert.equal(origin, 'https://office.example');
      assert.match(pathname, /^\/console(?:\/|$)/);
    }),
    { numRuns: 500 },
  );
});
