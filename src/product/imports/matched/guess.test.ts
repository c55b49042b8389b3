/** Guesses of what columns are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportKind } from '../columns.ts';
import { guessMatched } from './guess.ts';

const guess = (kind: ImportKind, columns: Readonly<Record<string, readonly string[]>>) =>
  guessMatched(
    kind,
    Object.entries(columns).map(([heading, samples]) => ({ heading, samples })),
    'AU',
  );

test('by known headings, by values that can be nothing else, by words in headings, then by the shape of values', () => {
  assert.deepEqual(
    guess('customers', {
      Kunde: ['Sam Taylor'],
      'Contact ph.': ['0491 570 156', '(03) 5550 0100'],
      'Owner surname': ['Taylor'],
      Post: ['sam@mail.example'],
      'Reg. plate': ['ABC123'],
      Chassisnr: ['6G1ZK52B95L123456'],
      Built: ['2011', '1999'],
      Town: ['Carlton'],
      x: ['1AB2CD'],
      '': [],
    }),
    [null, 'phone', 'lastName', 'email', 'rego', 'vin', 'year', 'suburb', null, null],
  );
  assert.deepEqual(
    guess('bookings', {
      Mobile: ['0491570156'],
      Handy: ['0491570157'],
      Wann: ['3/4/2026'],
      Um: ['2:30 pm'],
      Was: ['Oil'],
    }),
    ['phone', null, 'date', 'time', null],
  );
  assert.deepEqual(guess('customers', { Wann: ['3/4/2026'] }), [null], 'a field of another kind is not one');
  assert.deepEqual(guess('customers', { constructor: ['toString'] }), [null]);
});
