import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitName } from './person-name.ts';

test('a name is split after its first word', () => {
  assert.deepEqual(splitName('Ann Lee'), { firstName: 'Ann', lastName: 'Lee' });
  assert.deepEqual(splitName('  Ana\u00a0 de  la\tCruz '), { firstName: 'Ana', lastName: 'de la Cruz' });
  assert.deepEqual(splitName('Cher'), { firstName: 'Cher', lastName: null });
  assert.deepEqual(splitName('\u200b Ann \u2060 Lee'), { firstName: 'Ann', lastName: 'Lee' });
  assert.deepEqual(splitName(' '), { firstName: null, lastName: null });
});

test('marks at the end of the first word are no part of it (specification: Bookings 2)', () => {
  assert.deepEqual(splitName('O’Brien; Pat'), { firstName: 'O’Brien', lastName: 'Pat' });
  assert.deepEqual(splitName('Doe, Kim'), { firstName: 'Doe', lastName: 'Kim' });
  assert.deepEqual(splitName('; Kim :'), { firstName: 'Kim', lastName: null });
  assert.deepEqual(splitName('D;J. Jr., Sam'), { firstName: 'D;J.', lastName: 'Jr., Sam' });
  assert.deepEqual(splitName(',;'), { firstName: null, lastName: null });
});
