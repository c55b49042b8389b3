/** Every schema of a route can be compiled: a process finds out at the first call alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness/app.ts';
import { compileAll, compiledOnce } from './compiled-once.ts';

await startTestApp();

test('every declared schema of a request and of a success can be compiled', () => {
  const compiled = compileAll();
  assert.ok(compiled > 50, `only ${compiled} of them waited for their first call`);
  assert.equal(compileAll(), 0);
});

test('a schema of the same form is compiled once, at the first call, and tells what a validator found', () => {
  let count = 0;
  const compile = compiledOnce<{ schema: object }, { (value: unknown): boolean; errors?: string[] }>()(
    {},
    () => {
      count++;
      const validate = Object.assign((value: unknown) => value === 1, { errors: ['is not 1'] });
      return validate;
    },
  );
  const [one, other] = [
    compile({ schema: { type: 'number' } }),
    compile({ schema: { type: 'number', title: 'N' } }),
  ];
  assert.equal(count, 0);
  assert.equal(one, other);
  assert.deepEqual([one(1), one(2), other(1), count], [true, false, true, 1]);
  assert.deepEqual(one.errors, ['is not 1']);
});

test('a schema that can not be compiled is found', () => {
  compiledOnce<{ schema: object }, () => unknown>()({}, () => {
    throw new Error('no such keyword');
  })({ schema: { type: 'odd' } });
  assert.throws(compileAll, /no such keyword/);
});
