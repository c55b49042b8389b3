import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aroundLinks, linkAcross, linksIn } from './links.ts';

test('links are found up to white space, wherever they start', () => {
  const found = (text: string) => linksIn(text).map((link) => link.text);
  assert.deepEqual(found('Pay https://a.example/1 or HTTP://B.example, thanks'), [
    'https://a.example/1',
    'HTTP://B.example,',
  ]);
  assert.deepEqual(found('seehttps://a.example/ä\nhttps://'), ['https://a.example/ä']);
  assert.deepEqual(found('http:// x, mailto:a@b.example, a.example'), []);
});

test('a place within a link, except its ends', () => {
  const links = linksIn('x https://a.example y');
  assert.deepEqual(
    [1, 2, 3, 18, 19].map((at) => linkAcross(links, at)?.start),
    [undefined, undefined, 2, 2, undefined],
  );
});

test('a change of a text leaves its links as they are', () => {
  assert.equal(
    aroundLinks('ab https://ab.example/AB ab', (piece) => piece.toUpperCase()),
    'AB https://ab.example/AB AB',
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom('https://ä.example/x', 'a', ' ', '\n', 'é')), (pieces) => {
      const text = pieces.join('');
      assert.equal(
        aroundLinks(text, (piece) => piece),
        text,
      );
    }),
  );
});
