import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredType } from './negotiate.ts';

test('Accept ranks by quality, then by the order of the service; what it cannot have is the first', () => {
  const preferred = (accept?: string) =>
    preferredType(accept === undefined ? {} : { accept }, ['application/json', 'text/csv']);
  const csv = [
    'text/csv',
    'TEXT/CSV; charset=utf-8',
    'text/csv; header=present; q=0.9, */*; q=0.8',
    'text/*',
    'application/json;q=0.5, text/csv',
    'application/json;q=0, */*',
    'text/csv;q=0.9, */*;q=0.1',
    'text/html, text/csv;q=0.2',
  ];
  for (const accept of csv) assert.equal(preferred(accept), 'text/csv', accept);
  const json = [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/csv',
    'text/csv;q=0.5, application/json;q=0.8',
    'text/csv;q=0',
    'text/html',
    'nonsense;;q=x',
    'application/json, text/plain, */*',
  ];
  for (const accept of json) assert.equal(preferred(accept), 'application/json', accept ?? 'none');
});
