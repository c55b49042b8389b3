/** The From header must have one author that every parser agrees on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorOf } from './author.ts';

const desk = 'desk@garage.example';

for (const value of [
  'Desk@Garage.example',
  ' <desk@garage.example> ',
  'Pat at the desk <desk@garage.example>',
  '"Taylor, Sam (desk) <x@else.example>" <desk@garage.example>',
  'desk@garage.example (Sam Taylor)',
  'desk@garage.example <desk@garage.example>',
  '=?utf-8?q?x=40else.example?= <desk@garage.example>',
]) {
  test(`one author: ${value}`, () => assert.equal(authorOf([value]), desk));
}

for (const value of [
  '',
  'Desk',
  'desk@garage.example, evil@else.example',
  'desk@garage.example; evil@else.example',
  '<desk@garage.example> <evil@else.example>',
  'evil@else.example <desk@garage.example>',
  'desk@garage.example <evil@else.example> x',
  'Group: desk@garage.example;',
  '"desk" <desk@garage.example>, Sam',
  '"unclosed <desk@garage.example>',
  '(unclosed desk@garage.example',
  '=?utf-8?q?Desk_<desk@garage.example>?=',
  `${'x'.repeat(1_000)} <desk@garage.example>`,
]) {
  test(`no single author: ${value.slice(0, 60)}`, () => assert.equal(authorOf([value]), null));
}

test('two headers are two authors, even when they are the same (specification: Answers of the workshop 5)', () => {
  assert.equal(authorOf([]), null);
  assert.equal(authorOf([desk, 'evil@else.example']), null);
  assert.equal(authorOf([desk, desk]), null);
});
