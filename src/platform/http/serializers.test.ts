import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSerializer } from './serializers.ts';

const shared = { Plate: { $id: 'Plate', type: 'object', properties: { rego: { type: 'string' } } } };
const route = (schema: object, httpStatus = '200') => ({ schema, httpStatus, method: 'GET', url: '/cars' });

test('responses of one form share a serializer, whatever their descriptions', () => {
  const compile = buildSerializer(shared, {});
  const ok = compile(route({ $ref: 'Plate#', description: 'The car.' }));
  assert.equal(compile(route({ $ref: 'Plate#', description: 'Not this one.' }, '404')), ok);
  assert.equal(buildSerializer(structuredClone(shared), {})(route({ $ref: 'Plate#' })), ok);
  assert.equal(ok({ rego: 'ABC123', secret: 'x' }), '{"rego":"ABC123"}');
});

test('another schema, or another shared schema of that name, has another', () => {
  const compile = buildSerializer(shared, {});
  const list = compile(route({ type: 'array', items: { $ref: 'Plate#' } }));
  assert.equal(list([{ rego: 'A', secret: 'x' }]), '[{"rego":"A"}]');
  const named = { Plate: { $id: 'Plate', type: 'object', properties: { make: { type: 'string' } } } };
  const other = buildSerializer(named, {})(route({ $ref: 'Plate#' }));
  assert.equal(other({ rego: 'A', make: 'Kia' }), '{"make":"Kia"}');
});

const problem = { $id: 'Problem', type: 'object', properties: { message: { type: 'string' } } };
const compileProblem = buildSerializer({ Problem: problem }, {});
const serializer = (schema: object, url = '/a') =>
  compileProblem({ ...route(schema, '400'), url } as Parameters<typeof compileProblem>[0]);

test('descriptions, path and status make no other form', () => {
  const one = serializer({ description: 'Not found.', $ref: 'Problem#' });
  const other = serializer(
    { description: 'Refused.', examples: [{ message: 'x' }], $ref: 'Problem#' },
    '/v1/a',
  );
  assert.equal(one, other);
  assert.equal(one({ message: 'm', secret: 's' }), '{"message":"m"}');
});

test('a property makes another form, also one that is named like a descriptive keyword', () => {
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
  // As long, and of another name.
  assert.equal(object({ b: text })({ a: 'x', b: 'y' }), '{"b":"y"}');
});
