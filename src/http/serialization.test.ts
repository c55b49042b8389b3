/** Answers of one form are written by one serialiser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSerializer } from './serialization.ts';

const problem = { $id: 'Problem', type: 'object', properties: { message: { type: 'string' } } };
const compile = buildSerializer({ Problem: problem }, {});
const serializer = (schema: object, url = '/a') =>
  compile({ schema, method: 'GET', url, httpStatus: '400' } as Parameters<typeof compile>[0]);

test('what is said to people makes no other form, and neither do path and status', () => {
  const one = serializer({ description: 'Not found.', $ref: 'Problem#' });
  const other = serializer(
    { description: 'Refused.', examples: [{ message: 'x' }], $ref: 'Problem#' },
    '/v1/a',
  );
  assert.equal(one, other);
  assert.equal(one({ message: 'm', secret: 's' }), '{"message":"m"}');
});

test('a property makes another form, also one that is named like what is said to people', () => {
  const object = (properties: object) => serializer({ type: 'object', properties });
  const text = { type: 'string' };
  const forms = [
    object({ a: text }),
    object({ a: text, description: text }),
    object({ a: text, title: text }),
  ];
  assert.equal(new Set(forms).size, 3);
  const value = { a: 'x', description: 'y', title: 'z' };
  assert.deepEqual(
    forms.map((serialize) => serialize(value)),
    ['{"a":"x"}', '{"a":"x","description":"y"}', '{"a":"x","title":"z"}'],
  );
});
