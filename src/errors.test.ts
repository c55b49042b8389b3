import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue, invalidFields, Problem } from './errors.ts';

/** The codes and statuses that clients know (specification: Errors 3). */
const promised: Record<string, readonly number[]> = {
  '000001': [400, 408, 414, 431],
  '000002': [404, 405],
  '000003': [403],
  '000004': [403],
  '000005': [413],
  '000006': [415],
  '000007': [503],
  '000008': [422],
  '000009': [409],
  '000010': [412],
  '000500': [500],
  '010000': [401],
  '010001': [401],
  '010002': [400],
  '010003': [401],
  '030001': [404],
  '040001': [404],
  '060001': [404, 400],
  '060004': [409],
  '120001': [404],
};

test('the catalogue has the promised codes with their statuses', () => {
  const entries: Record<string, { status: readonly number[] }> = catalogue;
  for (const [code, status] of Object.entries(promised))
    assert.deepEqual(entries[code]?.status, status, code);
});

test('a Problem takes its status and message from the catalogue where it is told no other', () => {
  assert.equal(new Problem('060001').status, 404);
  assert.equal(new Problem('060001', { status: 400 }).status, 400);
  assert.equal(new Problem('030001').message, 'Workshop not found');
  assert.equal(new Problem(null).status, 429);
});

test('the first 100 failing fields are named, and the message counts the others', () => {
  const errors = Array.from({ length: 250 }, (_, n) => ({
    field: `jobNotes[${n}]`,
    message: 'must be a string',
  }));
  const problem = invalidFields(errors);
  assert.deepEqual(problem.errors, errors.slice(0, 100));
  assert.equal(problem.message, 'jobNotes[0]: must be a string (and 249 more)');
  assert.equal(invalidFields(errors.slice(0, 1)).message, 'jobNotes[0]: must be a string');
});
